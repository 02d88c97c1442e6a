import type { Entry } from '../log/entry.ts'
import type { CallMatch } from '../log/exchange.ts'
import { parseJson } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, type Call } from '../log/message.ts'
import type { Steps } from '../log/time.ts'
import {
  attachedTokens,
  checkedCount,
  countInSteps,
  overheadOf,
  sealedTokens,
  type TokenCounter,
} from '../tokens/tokens.ts'
import { countLines, framing, quoted, recalledHead, type FoldedEntry } from './framing.ts'
import { systemOnlyFirst, type Profile } from './profile.ts'

/** What does everything cost? All prices under one counter and one profile. */
export interface Prices {
  readonly counter: TokenCounter
  readonly profile: Profile
  readonly message: number
  /**
   * A message that Minutebook adds, with the text that some templates need around it to keep it apart from a user's
   * words.
   */
  readonly ours: number
  readonly prompt: number
  readonly call: number
  readonly image: number
  /** The placeholder for a missing result. */
  readonly interrupted: number
  /** What each block that Minutebook adds costs before its first line. */
  readonly outline: number
  readonly steps: number
  readonly recall: number
  readonly pins: number
  readonly notes: number
  /** What each note costs in addition to its text, under one heading with others. */
  readonly note: number
  /** The mark of a quoted line, and the mark of a further line of a note. */
  readonly mark: number
  readonly item: number
}

/** An entry's tokens. Only text can be clipped and only reasoning can be dropped, so they are counted separately. */
export interface Cost {
  readonly text: number
  readonly reasoning: number
  readonly rest: number
  /** Of a pinned entry: what it costs if it is quoted. */
  readonly pinned?: PinCost | undefined
}

/** What parts, lines or entries cost together. */
export function totalTokens(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** What entries cost if they are quoted: whole, and as their smallest clips. */
export interface PinCost {
  readonly whole: number
  readonly least: number
}

export function pricesOf(counter: TokenCounter, profile: Profile): Prices {
  const { message, prompt, call, image } = overheadOf(counter)
  const count = (text: string): number => checkedCount(counter, text)
  // If messages are merged, the blank line between them may cost more than the message overhead that it saves.
  const merged = message + Math.max(0, count('\n\n') - message)
  const opening = profile.mustAlternate || profile.needsUser ? merged + count(framing.opening) : 0
  const theirs = profile.noSystem ? count(framing.theirs) : 0
  const each = systemOnlyFirst(profile) ? merged : message
  const isApart = profile.mustAlternate || profile.onlyTheirSystem
  const ours = isApart ? each + merged + count(framing.pause) + count(framing.theirs) : each
  return {
    counter,
    profile,
    message: each,
    ours,
    prompt: prompt + opening + theirs,
    call,
    image,
    outline: ours + count(framing.outline),
    steps: ours + count(framing.steps),
    recall: ours + count(framing.recall) + count(framing.recallEnd),
    pins: ours + count(framing.pins) + count(framing.pinsEnd),
    notes: ours + Math.max(count(framing.notes), count(framing.journal)),
    note: count('\n\n> - '),
    // Counted with a line break, because a mark after it may split what was one token before.
    mark: count('\n>'),
    item: count('\n>  '),
    interrupted: each + count(framing.interrupted) + (profile.noTools ? count('\n>') : 0),
  }
}

/**
 * Counts an entry at its place in the log. This is the only place that counts an entry's whole text. `known`: what the
 * text costs, if it was counted before.
 */
export function* costOf(
  entry: Entry,
  place: CallMatch,
  afterCalls: boolean,
  prices: Prices,
  known?: number,
): Steps<Cost> {
  const { counter, profile } = prices
  const count = (text: string): number => checkedCount(counter, text)
  let rest = prices.message
  rest += attachedTokens(entry, prices)
  for (const { text } of entry.attachments) rest += yield* countInSteps(counter, text)
  for (const call of entry.calls) rest += callCost(call, prices)
  if (profile.oneCallAtATime) rest += Math.max(0, entry.calls.length - 1) * prices.message
  if (profile.callsWithoutText && entry.calls.length > 0)
    rest += prices.message + count(framing.said) + count(framing.rest)
  if (place.orphan) rest += count(framing.orphan(entry.answers?.name)) + prices.ours - prices.message
  if (!traits[entry.kind].chained) rest += prices.notes + prices.note - prices.message
  if (afterCalls && wantsAnswer(entry, place, profile)) rest += prices.message + count(framing.unanswered)
  const text = known ?? (yield* countInSteps(counter, entry.text)) + markCost(entry, entry.text, place.orphan, prices)
  const reasoning = (yield* countInSteps(counter, entry.reasoning)) + sealedTokens(entry.sealed)
  return { text, reasoning, rest }
}

/**
 * What an entry costs if it is quoted: the few characters around it are added to its counts. The text itself is not
 * counted again.
 */
export function quotedCost(
  entry: FoldedEntry,
  { text, rest }: Pick<Cost, 'text' | 'rest'>,
  { counter, mark }: Prices,
): number {
  const count = (words: string): number => checkedCount(counter, words)
  const lines = entry.calls.reduce((sum, call) => sum + countLines(argumentsText(call)), countLines(entry.text) - 1)
  const calls = entry.calls.length === 0 ? 0 : rest + entry.calls.length * count(`\n${framing.call('')}`)
  return text + calls + lines * mark + count(recalledHead(entry)) + count('\n')
}

/**
 * The price of the marks before the lines of a quoted text. 0 if the text is not quoted. It is part of the text's
 * price, because a clip has fewer lines.
 */
export function markCost(entry: Entry, text: string, orphan: boolean, { profile, mark, item }: Prices): number {
  if (!traits[entry.kind].chained) return (countLines(text) - 1) * item
  const asText = profile.noTools && entry.kind === 'tool'
  // If two answers are joined into one, the first is quoted, too.
  const besideCalls =
    profile.callsWithoutText && (entry.calls.length > 0 || (profile.mustAlternate && entry.kind === 'assistant'))
  return orphan || asText || besideCalls ? countLines(text) * mark : 0
}

/**
 * True if the template needs an answer between a result and this entry: because the entry has the user role, or because
 * it is an empty answer that is left out.
 */
function wantsAnswer(entry: Entry, place: CallMatch, profile: Profile): boolean {
  if (!profile.answerAfterTool && !profile.mustAlternate) return false
  if (entry.kind === 'user' || place.orphan) return true
  // A note may have the user role, if the policy or the profile says so.
  return !traits[entry.kind].chained || (profile.normalized === true && entry.text === '')
}

/**
 * A call with everything around it. For templates without tools that includes the heading of its result: every call
 * gets a result or a placeholder.
 */
function callCost(call: Call, { counter, profile, call: overhead, ours }: Prices): number {
  const count = (text: string): number => checkedCount(counter, text)
  if (!profile.noTools) return count(call.name) + count(printedArguments(call, profile)) + overhead
  return ours + count(framing.call(call.name) + quoted(argumentsText(call))) + count(framing.result(call.name))
}

/** A call's arguments in the form that the profile wants. Without such a wish they stay as they are. */
export function argumentsAs(call: Call, { argumentsAs: form }: Profile): unknown {
  if (form === 'string') return argumentsText(call)
  if (form !== 'object' || typeof call.arguments !== 'string') return call.arguments
  const value = parseJson(call.arguments)
  return typeof value === 'object' && value !== null ? value : { value: call.arguments }
}

/**
 * The arguments as a template prints them: an object is printed as Python's JSON does, with a blank after each comma
 * and colon.
 */
export function printedArguments(call: Call, profile: Profile): string {
  const sent = argumentsAs(call, profile)
  if (typeof sent === 'string') return sent
  const indented = JSON.stringify(sent, null, 1) ?? '{}'
  return indented.replaceAll(/(?<=[{[])\n *|\n *(?=[}\]])/g, '').replaceAll(/\n */g, ' ')
}
