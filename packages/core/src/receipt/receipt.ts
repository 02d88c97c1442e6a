import { canonicalJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import type { Plan } from '../plan/plan.ts'
import type { Verdict } from '../plan/span.ts'
import type { Truncated } from '../truncation/truncation.ts'
import type { Finish, Usage } from '../wire/model.ts'
import type { Sent } from './sent.ts'

/** What is kept of a model call: enough to say what the model saw and to derive it again, and nothing that was said. */
export interface Receipt {
  readonly version: 1
  /** The entry that the prompt ends with. */
  readonly head: string
  /** The newest entry that could be in the prompt when it was compiled. */
  readonly upto: string
  /** How many entries the log had then: it tells calls apart that are alike in all else. */
  readonly length: number
  /** SHA-256 of the settings entry's text that the prompt was compiled under. */
  readonly settings: string
  /** SHA-256 of the canonical JSON of the request's messages and tools. */
  readonly hash: string
  readonly tokens: {
    readonly predicted: number
    /** How many of them stood at the beginning of the prompt before, byte for byte. */
    readonly reused: number
    readonly reported: Usage
    /** Between these the model's own count was expected; neither where the counter did not know its margin. */
    readonly low?: number
    readonly high?: number
    /** What the counter under a calibration predicted. */
    readonly uncalibrated?: number
  }
  /** The number of the epoch that the prompt was of. */
  readonly epoch: number
  /** How many entries had each verdict. */
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>
  /** How the call ended: as the model says, or cut short. */
  readonly outcome: Finish | 'cancelled' | 'failed'
  /** Of a relay: whether the client's messages were sent as they came, or a prompt of ours in their place. */
  readonly path?: Path
  /** Whether the server left out a part of what it was sent, by its own counts; of turns only if somebody looked. */
  readonly truncated?: Truncated
  /** The client's own id for the request. */
  readonly key?: string
  /** What was sent as it came. */
  readonly sent?: Sent
}

export type Path = 'as it came' | 'rewritten'

/** A receipt with the entry that keeps it. */
export interface KeptReceipt extends Receipt {
  readonly id: string
  readonly seq: number
}

export function receiptText(receipt: Receipt): string {
  return canonicalJson(receipt)
}

export function receiptFrom(entry: Entry): KeptReceipt {
  return { ...(JSON.parse(entry.text) as Receipt), id: entry.id, seq: entry.seq }
}

/** The receipts among these entries, oldest first. Erased ones are gone. */
export function receiptsOf(entries: readonly Entry[]): KeptReceipt[] {
  return entries.filter(isReceipt).map(receiptFrom).toSorted((left, right) => left.seq - right.seq)
}

export function isReceipt({ kind, status }: Entry): boolean {
  return kind === 'receipt' && status !== 'erased'
}

export function verdictCounts(plan: Plan): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {}
  for (const { verdict, from, to } of plan.spans) counts[verdict] = (counts[verdict] ?? 0) + to - from
  return counts
}
