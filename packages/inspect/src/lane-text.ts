import type { Verdict } from 'minutebook/compile'
import type { LaneCall, RecallQuery } from './lane.ts'

/** How is a lane said in words? Console and command use these. */
const verdictWords: Readonly<Record<Verdict, string>> = {
  verbatim: 'whole',
  clipped: 'clipped',
  recalled: 'recalled',
  digested: 'in brief',
  outlined: 'folded into a chapter line',
  omitted: 'omitted',
  hidden: 'not meant for the prompt',
}

/** What happened to an entry in a call. Null: its prompt cannot be derived. */
export function verdictText(verdict: Verdict | null): string {
  return verdict === null ? 'unknown' : verdictWords[verdict]
}

/** The turns of all calls of a lane with the same verdict. */
export interface VerdictTurns {
  readonly verdict: Verdict | null
  /** As text, such as `2–21, 24`. */
  readonly turns: string
}

/**
 * Each verdict of a lane with its turns, in the order in which they come first.
 *
 * @example
 * laneSummary(calls) // [{ verdict: 'verbatim', turns: '2–21' }, { verdict: 'omitted', turns: '22, 23, 26' }]
 */
export function laneSummary(calls: readonly Pick<LaneCall, 'verdict' | 'turn'>[]): readonly VerdictTurns[] {
  const ranges = new Map<Verdict | null, [from: number, to: number][]>()
  for (const { verdict, turn } of calls) {
    const own = ranges.get(verdict) ?? []
    ranges.set(verdict, own)
    const last = own.at(-1)
    if (last && turn <= last[1] + 1) last[1] = turn
    else own.push([turn, turn])
  }
  return [...ranges].map(([verdict, own]) => ({
    verdict,
    turns: [
      ...own.slice(0, mostRanges).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)),
      ...(own.length > mostRanges ? [`and ${own.length - mostRanges} more`] : []),
    ].join(', '),
  }))
}

const mostRanges = 12

/** Why a call was answered without the entry, as sentences. */
export function withoutText({ reason, recall }: Pick<LaneCall, 'reason' | 'recall'>): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.${recall ? ` ${recallText(recall)}` : ''}`
}

function recallText({ words, shared }: RecallQuery): string {
  if (words.length === 0) return 'The question has no words that recall could look for.'
  const few = words.length > mostShown ? `${words.slice(0, mostShown).join(', ')}, …` : words.join(', ')
  return shared.length === 0
    ? `Recall looked for ${few}; this message has none of these words.`
    : `Recall looked for ${few}; this message has ${shared.slice(0, mostShown).join(', ')}, but other messages matched better, or there was no room.`
}

const mostShown = 12
