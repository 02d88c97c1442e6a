import type { Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'

/**
 * The answer of a turn, where it is on record from before `since` and was given again from there on, word for word:
 * then it is no new entry, and only its receipt tells. `length`: of the log when the turn ended.
 */
export async function saidAgain(
  store: Pick<Store, 'read'>,
  thread: string,
  answer: string,
  { since, length }: { readonly since: number; readonly length: number },
): Promise<StoredEntry | undefined> {
  const receipt = (await store.read(thread, { from: since, to: length })).findLast(
    ({ kind, parent }) => kind === 'receipt' && parent === answer,
  )
  if (!receipt) return undefined
  for (let count = 64; ; count *= 4) {
    const entries = await store.read(thread, { from: Math.max(0, receipt.seq - count), to: receipt.seq })
    const said = entries.find(({ id }) => id === answer)
    if (said) return said.seq < since && isAskedBetween(entries, said) ? said : undefined
    if (count >= receipt.seq) return undefined
  }
}

/** Otherwise the receipt is the one that came with it. */
function isAskedBetween(entries: readonly StoredEntry[], said: StoredEntry): boolean {
  return entries.some(({ seq, kind }) => seq > said.seq && (kind === 'retry' || kind === 'receipt' || kind === 'stop'))
}
