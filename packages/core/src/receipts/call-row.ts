import type { NewRecord } from '../log/store.ts'
import { tokensRead } from '../models/model.ts'
import type { KeptReceipt, Receipt } from './receipt.ts'
import { recordNames } from '../log/record-names.ts'

/**
 * What does a list of the calls of all threads show of each? A small row next to the log, written with the receipt. It
 * has none of the text, so it stays when an entry is erased, and goes with the thread.
 */
export interface CallRow {
  /** The id of its receipt. */
  readonly receipt: string
  /** When it ended, in milliseconds since 1970. */
  readonly ended: number
  /** How long it took until the first text, and until the end, in milliseconds. */
  readonly firstToken?: number
  readonly total: number
  /** The number of its turn on its branch, counted from 1. */
  readonly turn: number | null
  readonly model: string | null
  /** On whose behalf: the name of a key. */
  readonly owner: string
  readonly outcome: Receipt['outcome']
  /** Tokens of the prompt as predicted, and how many of them were the beginning of the previous prompt. */
  readonly sent: number
  readonly reused: number
  /** Tokens of the prompt and of the answer, as the server reports them. */
  readonly read?: number
  readonly answer?: number
  /** How many entries were not sent at all, and how many in part. */
  readonly omitted: number
  readonly clipped: number
  /** Whether the server cut the prompt. */
  readonly cut: boolean
}

/** What the key of a call begins with that ended at this time, in milliseconds: such texts sort as times do. */
export function callRowKey(ended: number): string {
  return String(ended).padStart(15, '0')
}

/** How a call ended if it has no answer. */
export const badOutcomes: ReadonlySet<Receipt['outcome']> = new Set(['failed', 'cancelled', 'refused', 'unfit'])

/** Whether a call is among those that went wrong: it has no answer, or its server cut the prompt. */
function isBadCall({ outcome, cut }: Pick<CallRow, 'outcome' | 'cut'>): boolean {
  return cut || badOutcomes.has(outcome)
}

/** What the row has that is not in the receipt. */
export interface CallRowFacts {
  readonly model: string | null
  readonly owner: string
  readonly turn: number | null
}

/**
 * The records of a call, by its receipt. Their keys sort by the end of the call. None if the clock did not
 * tell how long it took.
 */
export function callRecords(receipt: KeptReceipt, { model, owner, turn }: CallRowFacts): readonly NewRecord[] {
  const { id, time, outcome, tokens, truncated, verdicts } = receipt
  const ended = time && Date.parse(time.started) + time.total
  if (time === undefined || ended === undefined || !(ended >= 0)) return []
  const { outlined = 0, omitted = 0, clipped = 0 } = verdicts
  const read = tokensRead(tokens.reported)
  const { completion } = tokens.reported
  const row: CallRow = {
    receipt: id,
    ended,
    ...(time.firstToken !== undefined && { firstToken: time.firstToken }),
    total: time.total,
    turn,
    model,
    owner,
    outcome,
    sent: tokens.predicted,
    reused: Math.min(tokens.reused, tokens.predicted),
    ...(read !== undefined && { read }),
    ...(completion !== undefined && { answer: completion }),
    omitted: outlined + omitted,
    clipped,
    cut: truncated === 'yes',
  }
  // The same for each attempt to write it.
  const key = `${callRowKey(ended)}_${id.slice(0, 16)}`
  const names = isBadCall(row) ? [recordNames.call, recordNames.badCall] : [recordNames.call]
  return names.map((name) => ({ name, key, value: row }))
}
