// What do the calls in a log add up to? Counted from the entries alone, to be compared with the figures that a store keeps.
import type { Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'

export type Sums = Readonly<Record<string, number>>

/** What each call in the logs of some threads should have added to the figures. */
export async function* figuresIn(
  store: Store,
  threads: Iterable<string>,
): AsyncGenerator<{ readonly thread: string; readonly entry: StoredEntry; readonly figures: Sums }> {
  for (const thread of threads) {
    const log = await store.read(thread)
    for (const [place, entry] of log.entries()) {
      const figures = figuresOf(log, place)
      if (figures) yield { thread, entry, figures }
    }
  }
}

/** What an entry of a log should have added: written again, so that a mistake is not made twice. */
function figuresOf(log: readonly StoredEntry[], place: number): Sums | undefined {
  const entry = log[place]!
  if (entry.kind === 'stop') {
    const { code } = JSON.parse(entry.text) as { code: string }
    const last = log
      .slice(0, place)
      .findLast(({ kind, parent }) => parent === entry.parent && ['receipt', 'stop'].includes(kind))
    const hasFailed = last?.kind === 'receipt' && receiptIn(last).outcome === 'failed'
    return ['window_overflow', 'context_overflow'].includes(code) && !hasFailed ? { unsent: 1 } : undefined
  }
  if (entry.kind !== 'receipt') return undefined
  const { outcome, truncated, verdicts, turn, tokens } = receiptIn(entry)
  const { predicted, reused, reported } = tokens
  const { prompt = 0, cached = 0, completion = 0 } = reported
  const read = cached > prompt ? prompt + cached : prompt
  const { hidden: _, ...told } = verdicts
  const isCut = truncated === 'yes'
  const sums: Record<string, number> = { ...told, calls: 1, sentTokens: predicted, reusedTokens: reused }
  const ends: Readonly<Record<string, string>> = {
    failed: 'failed',
    cancelled: 'cancelled',
    refused: 'resent',
    unfit: 'resent',
  }
  if (ends[outcome]) sums[ends[outcome]] = 1
  if (isCut) Object.assign(sums, { cutCalls: 1, cutTokens: Math.max(0, predicted - read) })
  if (verdicts['omitted'] || verdicts['outlined']) sums['omittedCalls'] = 1
  if (verdicts['clipped']) sums['clippedCalls'] = 1
  if (turn && !['verbatim', 'recalled', 'hidden'].includes(turn.question)) sums['clippedQuestions'] = 1
  return { ...sums, readTokens: read, cachedTokens: cached, answerTokens: completion }
}

interface ReceiptText {
  readonly outcome: string
  readonly truncated?: string
  readonly verdicts: Sums
  readonly turn?: { readonly question: string }
  readonly tokens: {
    readonly predicted: number
    readonly reused: number
    readonly reported: { readonly prompt?: number; readonly cached?: number; readonly completion?: number }
  }
}

function receiptIn({ text }: StoredEntry): ReceiptText {
  return JSON.parse(text) as ReceiptText
}
