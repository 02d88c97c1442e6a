import { canonicalJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import type { Plan } from '../plan/plan.ts'
import { isTold, isWhole, type Verdict } from '../plan/span.ts'
import type { ContextOverflow } from '../models/overflow.ts'
import type { WindowSource } from '../models/window-source.ts'
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
  readonly verdicts: VerdictCounts
  /** What became of the turn that it belongs to, if not all of that was sent whole. */
  readonly turn?: TurnVerdicts
  /** The window that was asked for, if the prompt got a smaller one. */
  readonly window?: WindowShortfall
  /** How the call ended: as the model says, or cut short. `refused`: the server had a smaller window, and the question was sent again in one that fits. */
  readonly outcome: Finish | 'cancelled' | 'failed' | 'refused'
  /** Of a call that was refused: what the server said. */
  readonly told?: ContextOverflow
  /** Who said how large the window is; `assumed`: nobody. Undefined: whoever opened the thread. */
  readonly windowSource?: WindowSource
  /** Of a relay: whether the client's messages were sent as they came, or a prompt of ours in their place. */
  readonly path?: Path
  /** Whether the server left out a part of what it was sent, by its own counts; of turns only if somebody looked. */
  readonly truncated?: Truncated
  /** The client's own id for the request. */
  readonly key?: string
  /** What was sent as it came. */
  readonly sent?: Sent
}

export type VerdictCounts = Readonly<Partial<Record<Verdict, number>>>

/** What a prompt has of its own turn. */
export interface TurnVerdicts {
  /** What became of the question. */
  readonly question: Verdict
  /** How many entries of the turn had each verdict, the question among them. */
  readonly verdicts: VerdictCounts
}

/** A window that is smaller than the one that was asked for, in tokens. */
export interface WindowShortfall {
  readonly asked: number
  readonly given: number
  /** Who says that there is no more. */
  readonly source: string
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

/** A call whose prompt the server took: what a cache may hold. */
export function isTaken(entry: Entry): boolean {
  return isReceipt(entry) && receiptFrom(entry).outcome !== 'refused'
}

/** How many entries of a plan have each verdict. */
export function verdictCounts(plan: Pick<Plan, 'spans'>): VerdictCounts {
  const counts: Partial<Record<Verdict, number>> = {}
  const count = (verdict: Verdict, entries: number): void => {
    if (entries > 0) counts[verdict] = (counts[verdict] ?? 0) + entries
  }
  for (const { verdict, from, to, notes } of plan.spans) {
    const omitted = isTold(verdict) ? notes : 0
    count(verdict, to - from - omitted)
    count('omitted', omitted)
  }
  return counts
}

/** How many messages the prompt does not have in full: clipped, digested, outlined or omitted. Notes are no messages. */
export function countNotWhole({ spans }: Pick<Plan, 'spans'>): number {
  return spans.reduce((sum, { verdict, from, to, notes }) => (isWhole(verdict) ? sum : sum + to - from - notes), 0)
}

/** What became of the newest exchange; undefined if all of it was sent whole, or hidden for good. */
export function turnVerdicts({ spans, exchanges }: Pick<Plan, 'spans' | 'exchanges'>): TurnVerdicts | undefined {
  const own = spans.filter(({ last }) => last === exchanges - 1)
  const [first] = own
  return !first || own.every(({ verdict }) => isWhole(verdict)) ? undefined : { question: first.verdict, verdicts: verdictCounts({ spans: own }) }
}
