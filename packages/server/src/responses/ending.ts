import { visible, type Entry, type RelayResult, type Store } from 'minutebook'
import type { KeptReceipt } from 'minutebook/inspect'
import type { StoredEntry } from 'minutebook/store'
import { fieldsFrom } from '../fields.ts'
import { senderId } from '../sender-id.ts'

/** How a response ended: what the record says of its call. */
export interface Ending {
  readonly receipt: Pick<KeptReceipt, 'outcome' | 'tokens' | 'head' | 'id' | 'truncated'>
  /** The answer, whole or in part. */
  readonly answer: Entry | undefined
  /** What went wrong, in words for people. */
  readonly reason?: string | undefined
}

export function endingOf({ receipt, answer }: RelayResult, reason?: string): Ending {
  return { receipt, answer, reason }
}

/** The ending of a response, by the entry that its receipt hangs off. Undefined if it was erased. */
export async function findEnding(store: Store, thread: string, id: string, at: string): Promise<Ending | undefined> {
  for (let last = 64; ; last *= 8) {
    const entries = await store.read(thread, { head: at, last })
    const place = entries.findLastIndex((entry) => keyOf(entry) === senderId('response', id))
    const found = entries[place]
    if (!found && entries.length === last) continue
    if (!found) return undefined
    const answer = entries.find((entry) => entry.id === found.parent && entry.kind === 'assistant')
    return {
      receipt: { ...(JSON.parse(found.text) as KeptReceipt), id: found.id },
      answer: answer?.status === 'erased' ? undefined : answer,
      reason: reasonBehind(entries.slice(place)),
    }
  }
}

function keyOf({ kind, status, text }: Entry): unknown {
  return kind === 'receipt' && status !== 'erased' ? fieldsFrom(text)?.['key'] : undefined
}

function reasonBehind([receipt, ...after]: readonly StoredEntry[]): string | undefined {
  const stop = after.find(({ kind, parent }) => kind === 'stop' && parent === receipt?.parent)
  return stop && visible([stop])[0]?.text
}
