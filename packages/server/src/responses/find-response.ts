import type { Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import type { Place } from '../lineage/directory.ts'
import { namedThread } from '../lineage/thread-name.ts'
import { findEnding, type Ending } from './ending.ts'
import { responsePlace } from './ids.ts'
import { findBegun, type FoundBegun } from './kept-response.ts'

/** A response that is on record. */
export interface FoundResponse extends FoundBegun {
  readonly thread: string
  /** Undefined while the model is at work, or where that was cut off. */
  readonly ending: Ending | undefined
}

/** By its id, among the threads of an owner. Undefined where there is none. */
export async function findResponse({ store, owner }: Place, id: string): Promise<FoundResponse | undefined> {
  const thread = threadOf(owner, id)
  const found = thread === undefined ? undefined : await findBegun(store, thread, id)
  if (thread === undefined || !found) return undefined
  return {
    thread,
    ...found,
    ending: found.at === undefined ? undefined : await findEnding(store, thread, id, found.at),
  }
}

/** What went into a response, oldest first; what was erased is not among it. */
export async function inputsOf(
  store: Store,
  { thread, begun: { question, inputs } }: Pick<FoundResponse, 'thread' | 'begun'>,
  isSaid: (entry: StoredEntry) => boolean,
): Promise<readonly StoredEntry[]> {
  for (let last = 4 * inputs + 64; ; last *= 4) {
    const entries = await store.read(thread, { head: question, last })
    const at = entries.findIndex(({ id }) => id === question)
    const said = entries.slice(0, at + 1).filter(isSaid)
    if (said.length >= inputs || entries.length < last) return said.slice(-inputs)
  }
}

function threadOf(owner: string, id: string): string | undefined {
  const place = responsePlace(id)
  try {
    return place && namedThread(owner, place.name)
  } catch {
    return undefined
  }
}
