import { visible, type Entry, type KeptReceipt, type Relayed, type Store, type StoredEntry } from 'minutebook'
import { fieldsFrom } from '../fields.ts'

/** How a response ended: what the record says of its call. */
export interface Ending {
  readonly receipt: Pick<KeptReceipt, 'outcome' | 'tokens' | 'head' | 'id' | 'truncated'>
  /** The answer, whole or in part. */
  readonly answer: Entry | undefined
  /** What went wrong, in words for people. */
  readonly reason?: string | undefined
}

export function endingOf({ receipt, answer }: Relayed, reason?: string): Ending {
  return { receipt, answer, reason }
}

/** Looks for the receipt of a response behind its beginning: they mostly stand side by side. Undefined where there is none (yet). */
export async function findEnding(store: Store, thread: string, id: string, begunAt: number): Promise<Ending | undefined> {
  for (let [from, page] = [begunAt, 64]; ; [from, page] = [from + page, 512]) {
    const entries = await store.read(thread, { from, to: from + page })
    const at = entries.findIndex((entry) => keyOf(entry) === id)
    const found = entries[at]
    if (found) return { ...(await answerAt(store, thread, entries, found)), reason: reasonBehind(entries.slice(at)) }
    if (entries.length < page) return undefined
  }
}

function keyOf({ kind, status, text }: Entry): unknown {
  return kind === 'receipt' && status !== 'erased' ? fieldsFrom(text)?.['key'] : undefined
}

async function answerAt(store: Store, thread: string, near: readonly StoredEntry[], found: StoredEntry): Promise<Pick<Ending, 'receipt' | 'answer'>> {
  const receipt = { ...(JSON.parse(found.text) as KeptReceipt), id: found.id }
  const isAnswer = ({ id, kind }: Entry): boolean => id === found.parent && kind === 'assistant'
  const answer = near.find(isAnswer) ?? (await branchTo(store, thread, found.parent)).find(isAnswer)
  return { receipt, answer: answer?.status === 'erased' ? undefined : answer }
}

/** What was said before in this very place is the same entry, and stands further up. */
async function branchTo(store: Store, thread: string, head: string | null): Promise<readonly StoredEntry[]> {
  return head === null ? [] : store.read(thread, { head, last: 256 })
}

function reasonBehind([receipt, ...after]: readonly StoredEntry[]): string | undefined {
  const stop = after.find(({ kind, parent }) => kind === 'stop' && parent === receipt?.parent)
  return stop && visible([stop])[0]?.text
}
