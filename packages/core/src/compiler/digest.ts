// How is an exchange put into one line? This file only words digests. Which exchanges become a digest is decided in
// cut.ts (`layoutOf`, `addFinishedExchanges`), and how many get a line of their own in outline.ts.

import { attachedCounts } from '../log/attachment.ts'
import type { Entry } from '../log/entry.ts'
import { matchCall, type CallMatch } from '../log/exchange.ts'
import { parseJson, unfenced, wellFormed } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, type Call } from '../log/message.ts'
import { noCalls, type UnansweredCalls } from '../log/unanswered-calls.ts'
import { checkedCount, type TokenCounter } from '../tokens/tokens.ts'
import type { DigestContext, Digester } from './digester.ts'
import { fitLine, gist, gistOfJson, gistOfText, oneLine } from './framing.ts'

/** An exchange in one line, always the same for the same entries. `title`: a few words for the line of a chapter. */
export interface Digest extends DigestLine {
  readonly title: string
}

/** A line of at most the policy's length. */
export interface DigestLine {
  readonly text: string
  readonly tokens: number
  /** The same line, longer, as its digesters want it if there is room. */
  readonly longer?: { readonly text: string; readonly tokens: number }
  /** Undefined if no digester wrote any of it. */
  readonly typed?: DigestOrigin
}

/** What digesters have to do with a line. */
export interface DigestOrigin {
  /** The digesters that wrote parts of it, by id. */
  readonly by: readonly string[]
  /** What the line would cost uncut, and the most that its digesters let it take. */
  readonly uncut: number
  readonly longest: number
}

/** How digests are written: typed digesters are asked first, and no line may cost more than `line` tokens. */
export interface DigestOptions {
  readonly digesters: readonly Digester[]
  readonly counter: TokenCounter
  readonly line: number
}

/** A digest in progress: it grows entry by entry. */
export interface DigestDraft extends DigestOutcome {
  /** What the user asked. Empty if the exchange has no user entry. */
  readonly asked: string
  /** The same for digesters. Empty if there are none. */
  readonly question: string
  /** The first words of the exchange. Null until there is a text. */
  readonly title: string | null
}

/** The results and answers so far. */
interface DigestOutcome {
  readonly outcome: string
  /** The digesters that wrote parts of it, and how long their line may be. */
  readonly by: readonly string[]
  readonly line: number
}

const nothing: DigestOutcome = { outcome: '', by: [], line: 0 }
export const emptyDigest: DigestDraft = { ...nothing, asked: '', question: '', title: null }

/** Once an outcome is longer than this, nothing is added to it: a line has no room for more. */
const longestOutcome = 4096

/** The most characters of a question that digesters see. */
const longestQuestion = 1024

/**
 * Adds one more entry of the exchange to its digest. `open`: the calls that were waiting before it. Notes are ignored.
 */
export function withEntry(
  draft: DigestDraft,
  entry: Entry,
  place: CallMatch,
  open: UnansweredCalls,
  digesting: DigestOptions,
): DigestDraft {
  if (!traits[entry.kind].chained) return draft
  const title = draft.title ?? (entry.text === '' ? null : gist(entry.text, 32) || 'no text')
  if (entry.kind === 'user')
    return {
      ...draft,
      title,
      asked: `"${gist(entry.text, 60)}"${attached(entry)}`,
      question: digesting.digesters.length === 0 ? '' : questionOf(entry),
    }
  return { ...draft, ...withOutcome(draft, entry, place, open, draft.question, digesting), title }
}

/** What digesters see of a user entry. */
export function questionOf({ text }: Entry): string {
  return wellFormed(text.slice(0, longestQuestion))
}

/** The digest of a finished exchange. Never throws. */
export function finishedDigest(
  { asked, title, ...told }: DigestDraft,
  open: UnansweredCalls,
  digesting: DigestOptions,
): Digest {
  const outcome = joined(told.outcome, open.calls.map(interrupted)) || 'no answer'
  const text = `Previous: ${[asked, outcome].filter(Boolean).join(' → ')}`
  return { ...bounded(text, told, digesting), title: title ?? 'no text' }
}

/** The digest of one step of a turn: what was called and what came back. `question`: what the turn is about. */
export function digestStep(entries: readonly Entry[], question: string, digesting: DigestOptions): Digest {
  let told = nothing
  let open = noCalls
  for (const entry of entries) {
    const place = matchCall(entry, open)
    told = withOutcome(told, entry, place, open, question, digesting)
    open = place.open
  }
  const calls = entries.flatMap((entry) => entry.calls)
  const title = calls.length ? calls.map((call) => gist(call.name, 32)).join(', ') : 'text'
  const outcome = joined(told.outcome, open.calls.map(interrupted)) || 'no answer'
  return { ...bounded(`Earlier: ${outcome}`, told, digesting), title }
}

/** The line, cut to the policy's length; and, if digesters wrote parts of it, a longer one for prompts with room. */
function bounded(content: string, { by, line: wanted }: DigestOutcome, { counter, line }: DigestOptions): DigestLine {
  const count = (candidate: string): number => checkedCount(counter, candidate)
  const { uncut, ...short } = fitLine(content, line, count)
  if (by.length === 0) return short
  const { text, tokens } = short.tokens < uncut && wanted > line ? fitLine(content, wanted, count) : short
  const isLonger = tokens > short.tokens
  return {
    ...short,
    ...(isLonger && { longer: { text, tokens } }),
    typed: { by, uncut, longest: isLonger ? tokens : short.tokens },
  }
}

function withOutcome(
  told: DigestOutcome,
  entry: Entry,
  { startsStep, answers }: CallMatch,
  open: UnansweredCalls,
  question: string,
  { digesters, line }: DigestOptions,
): DigestOutcome {
  if (told.outcome.length > longestOutcome) return told
  const cutShort = startsStep ? open.calls.map(interrupted) : []
  const said = saidBy(entry, answers, question, digesters)
  const outcome = joined(told.outcome, said === undefined ? cutShort : [...cutShort, textOf(said)])
  if (said === undefined || typeof said === 'string') return { ...told, outcome }
  const { id, line: own = 2 * line } = said.digester
  return { outcome, by: told.by.includes(id) ? told.by : [...told.by, id], line: told.line + own }
}

/** What an entry adds to the outcome: the text of a digester, or a gist of its text. */
function saidBy(
  entry: Entry,
  answers: Call | undefined,
  question: string,
  digesters: readonly Digester[],
): DigestText | string | undefined {
  if (entry.kind === 'tool') {
    const name = answers?.name ?? entry.answers?.name
    const call = name === undefined ? undefined : { name, input: answers && inputOf(answers) }
    return resultDigest(entry, answers, { call, question }, digesters)
  }
  if (entry.kind !== 'assistant' || entry.text === '') return undefined
  return answerDigest(entry.text, { call: undefined, question }, digesters)
}

function textOf(said: DigestText | string): string {
  return typeof said === 'string' ? said : said.text
}

function joined(outcome: string, parts: readonly string[]): string {
  if (outcome.length > longestOutcome) return outcome
  const told = [outcome, ...parts].filter(Boolean).join('; ')
  return told.length > longestOutcome ? `${told}; …` : told
}

function resultDigest(
  entry: Entry,
  answers: Call | undefined,
  context: DigestContext,
  digesters: readonly Digester[],
): DigestText | string {
  const value = readJson(entry.text) ?? entry.text
  const typed = digestValue(value, context, digesters)
  if (typed) return typed
  const told = typeof value === 'string' ? `"${gist(value, 60)}"` : gistOfJson(value, 80)
  return `${answers ? callGist(answers) : gist(context.call?.name ?? 'a tool', 32)} returned ${told}`
}

function answerDigest(text: string, context: DigestContext, digesters: readonly Digester[]): DigestText | string {
  const value = readJson(unfenced(text))
  if (value === undefined) return gistOfText(text, 110)
  return digestValue(value, context, digesters) ?? gistOfJson(value, 110)
}

/** A text for a value, and the digester that wrote it. */
interface DigestText {
  readonly text: string
  readonly digester: Digester
}

/** Returns the text of the first digester that has one for the value. */
export function digestValue(
  value: unknown,
  context: DigestContext,
  digesters: readonly Digester[],
): DigestText | undefined {
  for (const digester of digesters) {
    if (digester.tool !== undefined && digester.tool !== context.call?.name) continue
    const text = attempt(digester, value, context)
    if (text !== undefined) return { text, digester }
  }
  return undefined
}

function attempt(digester: Digester, value: unknown, context: DigestContext): string | undefined {
  try {
    const text = digester.digest(value, context)
    return typeof text === 'string' ? oneLine(text) || undefined : undefined
  } catch {
    return undefined
  }
}

function interrupted(call: Call): string {
  return `${callGist(call)} was interrupted`
}

function callGist(call: Call): string {
  const given = inputOf(call)
  const told = typeof given === 'object' && given !== null ? gistOfJson(given, 48) : gist(argumentsText(call), 48)
  return argumentsText(call) === '{}' ? gist(call.name, 32) : `${gist(call.name, 32)} with ${told}`
}

/** The arguments of a call. Undefined if they are a text that is not a JSON object or list. */
function inputOf(call: Call): unknown {
  return typeof call.arguments === 'string' ? readJson(call.arguments) : call.arguments
}

function attached(entry: Entry): string {
  const counts = attachedCounts(entry)
  return counts && ` (${counts})`
}

/** Parses a text only if it is a JSON object or list, and at most 256 KiB long. Returns undefined if not. */
export function readJson(text: string): unknown {
  const start = text.trimStart().charAt(0)
  if (text.length > 262_144 || (start !== '{' && start !== '[')) return undefined
  return parseJson(text)
}
