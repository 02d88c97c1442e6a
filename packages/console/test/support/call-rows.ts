import type { Store } from 'minutebook'
import { badOutcomes, callRowKey, type CallRow } from 'minutebook/inspect'
import { recordNames } from 'minutebook/store'

/** Puts rows of calls next to a thread, as its calls would have left them: the last one ended at `until`. */
export async function putCallRows(
  store: Store,
  thread: string,
  rows: readonly Partial<CallRow>[],
  until: string,
): Promise<void> {
  const records = rows.flatMap((given, index) => {
    const ended = Date.parse(until) - (rows.length - 1 - index) * 47_000
    const row: CallRow = { ...plain, receipt: `${thread}${index}`, turn: index + 1, ended, ...given }
    const names = row.cut || badOutcomes.has(row.outcome) ? [recordNames.call, recordNames.badCall] : [recordNames.call]
    return names.map((name) => ({ name, key: `${callRowKey(row.ended)}_${row.receipt}`, value: row }))
  })
  await store.records.put(thread, records)
}

const plain: CallRow = {
  receipt: '',
  ended: 0,
  total: 4100,
  firstToken: 2900,
  turn: 1,
  model: 'gemma3:4b',
  owner: 'website',
  outcome: 'stop',
  sent: 1772,
  reused: 1500,
  read: 1768,
  answer: 212,
  omitted: 0,
  clipped: 0,
  cut: false,
}
