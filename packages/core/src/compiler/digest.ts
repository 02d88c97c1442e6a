// How is an exchange put into one line? This file only words digests. Which exchanges become a digest is decided in
// layout.ts (`layoutOf`, `addFinishedExchanges`), and how many get a line of their own in outline.ts.

import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { parseJson } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, type Call } from '../log/message.ts'
import { checkedCount, type TokenCounter } from '../tokens/tokens.ts'
import { fitLine, gist, gistOfJson, gistOfText, oneLine } from './framing.ts'

/** An exchange in one line, always the same for the same entries. `title`: a few words for the line of a chapter. */
export interface Digest {
  readonly text: string
  readonly title: string
  readonly tokens: number
}

/** How digests are written: typed digesters are asked first, and no line may cost more than `line` tokens. */
export interface DigestOptions {
  readonly digesters: readonly Digester[]
  readonly counter: TokenCounter
  readonly line: number
}

/** A digest in progress: it grows entry by entry. */
export interface DigestDraft {
  /** What the user asked. Empty if the exchange has no user entry. */
  readonly asked: string
  /** The first words of the exchange. Null until there is a text. */
  readonly title: string | null
  /** The results and answers so far. */
  readonly outcome: string
}

export const emptyDigest: DigestDraft = { asked: '', title: null, outcome: '' }

/** Once an outcome is longer than this, nothing is added to it: a line has no room for more. */
const longestOutcome = 4096

/**
 * Adds one more entry of the exchange to its digest. `open`: the calls that were waiting before it. Notes are ignored.
 */
export function withEntry(
  draft: DigestDraft,
  entry: Entry,
  open: readonly Call[],
  digesters: readonly Digester[],
): DigestDraft {
  if (!traits[entry.kind].chained) return draft
  const title = draft.title ?? (entry.text === '' ? null : gist(entry.text, 32) || 'no text')
  if (entry.kind === 'user') return { ...draft, title, asked: `"${gist(entry.text, 60)}"${images(entry)}` }
  return { ...draft, title, outcome: withOutcome(draft.outcome, entry, open, digesters) }
}

/** The digest of a finished exchange. Never throws. */
export function finishedDigest(
  { asked, title, outcome }: DigestDraft,
  open: readonly Call[],
  digesting: DigestOptions,
): Digest {
  const told = joined(outcome, open.map(interrupted)) || 'no answer'
  return { ...bounded(`Previous: ${[asked, told].filter(Boolean).join(' → ')}`, digesting), title: title ?? 'no text' }
}

/** The digest of a whole exchange. */
export function digestExchange(entries: readonly Entry[], digesting: DigestOptions): Digest {
  let draft = emptyDigest
  const open = eachPlace(entries, (entry, before) => (draft = withEntry(draft, entry, before, digesting.digesters)))
  return finishedDigest(draft, open, digesting)
}

/** The digest of one step of a turn: what was called and what came back. */
export function digestStep(entries: readonly Entry[], digesting: DigestOptions): Digest {
  let outcome = ''
  const open = eachPlace(
    entries,
    (entry, before) => (outcome = withOutcome(outcome, entry, before, digesting.digesters)),
  )
  const calls = entries.flatMap((entry) => entry.calls)
  const title = calls.length ? calls.map((call) => gist(call.name, 32)).join(', ') : 'text'
  return { ...bounded(`Earlier: ${joined(outcome, open.map(interrupted)) || 'no answer'}`, digesting), title }
}

/** Visits each entry with the calls that were waiting before it. Returns the calls that still wait at the end. */
function eachPlace(entries: readonly Entry[], visit: (entry: Entry, open: readonly Call[]) => void): readonly Call[] {
  return entries.reduce<readonly Call[]>((open, entry) => {
    visit(entry, open)
    return matchCall(entry, open).open
  }, [])
}

function bounded(content: string, { counter, line }: DigestOptions): { text: string; tokens: number } {
  return fitLine(content, line, (candidate) => checkedCount(counter, candidate))
}

function withOutcome(outcome: string, entry: Entry, open: readonly Call[], digesters: readonly Digester[]): string {
  if (outcome.length > longestOutcome) return outcome
  const { startsStep, answers } = matchCall(entry, open)
  const cutShort = startsStep ? open.map(interrupted) : []
  if (entry.kind === 'tool') return joined(outcome, [...cutShort, resultDigest(entry, answers, digesters)])
  const answered = entry.kind === 'assistant' && entry.text !== ''
  return joined(outcome, answered ? [...cutShort, answerDigest(entry.text, digesters)] : cutShort)
}

function joined(outcome: string, parts: readonly string[]): string {
  if (outcome.length > longestOutcome) return outcome
  const told = [outcome, ...parts].filter(Boolean).join('; ')
  return told.length > longestOutcome ? `${told}; …` : told
}

function resultDigest(entry: Entry, call: Call | undefined, digesters: readonly Digester[]): string {
  const name = call?.name ?? entry.answers?.name
  const value = readJson(entry.text) ?? entry.text
  const typed = digestValue(value, name, digesters)
  const told = typed ?? (typeof value === 'string' ? `"${gist(value, 60)}"` : gistOfJson(value, 80))
  return `${call ? callGist(call) : gist(name ?? 'a tool', 32)} returned ${told}`
}

function answerDigest(text: string, digesters: readonly Digester[]): string {
  const value = readJson(text)
  if (value === undefined) return gistOfText(text, 110)
  return digestValue(value, undefined, digesters) ?? gistOfJson(value, 110)
}

function interrupted(call: Call): string {
  return `${callGist(call)} was interrupted`
}

function callGist(call: Call): string {
  const given = typeof call.arguments === 'string' ? readJson(argumentsText(call)) : call.arguments
  const told = typeof given === 'object' && given !== null ? gistOfJson(given, 48) : gist(argumentsText(call), 48)
  return argumentsText(call) === '{}' ? gist(call.name, 32) : `${gist(call.name, 32)} with ${told}`
}

function images({ images }: Entry): string {
  return images.length ? ` (${images.length} ${images.length === 1 ? 'image' : 'images'})` : ''
}

/** Parses a text only if it is a JSON object or list, and at most 256 KiB long. Returns undefined if not. */
export function readJson(text: string): unknown {
  const start = text.trimStart().charAt(0)
  if (text.length > 262_144 || (start !== '{' && start !== '[')) return undefined
  return parseJson(text)
}

/**
 * Puts one JSON shape, or the results of one tool, into a few words. The version is part of its id, so that a policy
 * says exactly which rendering it means.
 *
 * Contract: pure. Returns undefined for a value of another shape; throwing means the same. What it returns is put on
 * one line, so that a value cannot write lines of its own.
 *
 * @example
 * const weather: Digester = {
 *   id: 'weather@1',
 *   tool: 'get_weather',
 *   digest: (value) => (isWeather(value) ? `${value.city}, ${value.degrees} °C` : undefined),
 * }
 */
export interface Digester {
  readonly id: `${string}@${number}`
  /** Only for results of this tool. Default: for answers, and for results of every tool. */
  readonly tool?: string | undefined
  digest(value: unknown): string | undefined
}

/** Returns the text of the first digester that has one for the value. */
export function digestValue(
  value: unknown,
  tool: string | undefined,
  digesters: readonly Digester[],
): string | undefined {
  for (const digester of digesters) {
    if (digester.tool !== undefined && digester.tool !== tool) continue
    const text = attempt(digester, value)
    if (text !== undefined) return text
  }
  return undefined
}

/** The digesters that a policy names, in the policy's order. If it names none, all of them. */
export function chooseDigesters(
  digesters: readonly Digester[],
  names: readonly string[] | undefined,
): readonly Digester[] {
  for (const digester of digesters) {
    if (typeof digester?.digest === 'function' && typeof digester.id === 'string' && digester.id.includes('@')) continue
    throw new MinutebookError(
      'invalid_digester',
      'This is not a digester.',
      'Pass { id, digest(value) } with an id such as weather@1.',
    )
  }
  if (!names) return digesters
  return names.map((name) => {
    const found = digesters.find((digester) => digester.id === name)
    if (found) return found
    throw new MinutebookError('unknown_digester', `The policy names the digester ${name}.`, 'Pass it in digesters.', {
      name,
    })
  })
}

function attempt(digester: Digester, value: unknown): string | undefined {
  try {
    const text = digester.digest(value)
    return typeof text === 'string' ? oneLine(text) || undefined : undefined
  } catch {
    return undefined
  }
}
