import { entryOf } from '../log/entry.ts'
import type { Store } from '../log/store.ts'
import type { Clock } from '../record/clock.ts'

/** Which runs there are. */
export interface Directory {
  add(run: string): Promise<void>
  /** The newest first. */
  list(): Promise<readonly string[]>
}

export function openDirectory(store: Store, clock: Clock): Directory {
  return {
    add: async (run) => void (await store.append(thread, [entryOf({ role: 'system', content: run }, undefined, { kind: 'event', key: run, time: clock.now() })])),
    list: async () => [...new Set((await store.read(thread)).filter(({ status }) => status !== 'erased').map(({ text }) => text))].toReversed(),
  }
}

const thread = 'minutebook:runs'
