import type { Entry } from '../log/entry.ts'
import { placeOf } from '../log/exchange.ts'
import type { Call } from '../log/message.ts'
import { isReceipt, receiptFrom } from '../receipt/receipt.ts'
import type { TurnEvent } from '../turn/turn.ts'

/** The events of an entry of a turn, as its runner had them: a call is taken up when the answer that makes it is on record. */
export function eventsOf(entry: Entry, turn: readonly Entry[]): TurnEvent[] {
  if (isReceipt(entry)) {
    const calls = turn.find(({ id }) => id === entry.parent)?.calls ?? []
    return [{ type: 'receipt', receipt: receiptFrom(entry) }, ...calls.map((call) => ({ type: 'call', call }) as const)]
  }
  const call = entry.kind === 'tool' ? answeredBy(entry, turn) : undefined
  return call ? [{ type: 'result', call, text: entry.text, status: entry.status }] : []
}

function answeredBy(result: Entry, turn: readonly Entry[]): Call | undefined {
  let open: readonly Call[] = []
  for (const entry of turn) {
    const place = placeOf(entry, open)
    if (entry.id === result.id) return place.answers
    open = place.open
  }
  return undefined
}
