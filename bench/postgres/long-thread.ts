import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import type { PostgresStore } from '@minutebook/postgres'
import { messageAt } from '../growing-log.ts'
import { toWire } from '../wire-message.ts'

const atOnce = 10_000

/** Makes a thread of so many short entries, through the store, in large appends. Gives its newest entry. */
export async function makeLongThread(store: PostgresStore, thread: string, length: number): Promise<Entry> {
  let newest: Entry | undefined
  while ((newest?.seq ?? -1) < length - 1) {
    const head = newest?.id ?? null
    const entries: Entry[] = []
    for (let seq = (newest?.seq ?? -1) + 1; seq < length && entries.length < atOnce; seq++) {
      newest = entryOf(toWire(messageAt(seq)), newest)
      entries.push(newest)
    }
    const { ok } = await store.append(thread, entries, { head })
    if (!ok) throw new Error('An append was refused.')
  }
  return newest!
}
