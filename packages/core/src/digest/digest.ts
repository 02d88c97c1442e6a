import { checkedCount, type TokenCounter } from '../count/tokens.ts'
import { parseJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import { placeOf } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, type Call } from '../log/message.ts'
import { digestValue, type Digester } from './digester.ts'
import { fitLine, gist, gistOfJson, gistOfText } from './gist.ts'

/** A deterministic one-line rendering of an exchange, with the few words that stand for it in a chapter. */
export interface Digest {
  readonly text: string
  readonly title: string
  readonly tokens: number
}

/** How digests are made: typed digesters first, and no line above so many tokens. */
export interface Digesting {
  readonly digesters: readonly Digester[]
  readonly counter: TokenCounter
  readonly line: number
}

/** A digest that is being made, entry by entry. */
export interface DigestDraft {
  /** What the user entry asks; empty where there is none. */
  readonly asked: string
  /** The first words that were said; null while nothing was. */
  readonly title: string | null
  /** What came of it so far. */
  readonly outcome: string
}

export const emptyDigest: DigestDraft = { asked: '', title: null, outcome: '' }

/** More of an outcome than this is not looked at: a line holds little of it. */
const longestOutcome = 4096

/** The digest with one more entry of the exchange, given the calls that were open before it. Knows nothing of notes. */
export function withEntry(draft: DigestDraft, entry: Entry, open: readonly Call[], digesters: readonly Digester[]): DigestDraft {
  if (!traits[entry.kind].chained) return draft
  const title = draft.title ?? (entry.text === '' ? null : gist(entry.text, 32) || 'no text')
  if (entry.kind === 'user') return { ...draft, title, asked: `"${gist(entry.text, 60)}"${images(entry)}` }
  return { ...draft, title, outcome: withOutcome(draft.outcome, entry, open, digesters) }
}

/** The digest of an exchange that is finished. Never fails. */
export function finishedDigest({ asked, title, outcome }: DigestDraft, open: readonly Call[], digesting: Digesting): Digest {
  const told = joined(outcome, open.map(interrupted)) || 'no answer'
  return { ...bounded(`Previous: ${[asked, told].filter(Boolean).join(' → ')}`, digesting), title: title ?? 'no text' }
}

/** The digest of a whole exchange. */
export function digestExchange(entries: readonly Entry[], digesting: Digesting): Digest {
  let draft = emptyDigest
  const open = eachPlace(entries, (entry, before) => (draft = withEntry(draft, entry, before, digesting.digesters)))
  return finishedDigest(draft, open, digesting)
}

/** The digest of one step of the current turn: what was called and what came back. */
export function digestStep(entries: readonly Entry[], digesting: Digesting): Digest {
  let outcome = ''
  const open = eachPlace(entries, (entry, before) => (outcome = withOutcome(outcome, entry, before, digesting.digesters)))
  const calls = entries.flatMap((entry) => entry.calls)
  const title = calls.length ? calls.map((call) => gist(call.name, 32)).join(', ') : 'text'
  return { ...bounded(`Earlier: ${joined(outcome, open.map(interrupted)) || 'no answer'}`, digesting), title }
}

/** Visits the entries with the calls that are open before each; returns those that are open in the end. */
function eachPlace(entries: readonly Entry[], visit: (entry: Entry, open: readonly Call[]) => void): readonly Call[] {
  return entries.reduce<readonly Call[]>((open, entry) => {
    visit(entry, open)
    return placeOf(entry, open).open
  }, [])
}

function bounded(content: string, { counter, line }: Digesting): { text: string; tokens: number } {
  return fitLine(content, line, (candidate) => checkedCount(counter, candidate))
}

function withOutcome(outcome: string, entry: Entry, open: readonly Call[], digesters: readonly Digester[]): string {
  if (outcome.length > longestOutcome) return outcome
  const { startsStep, answers } = placeOf(entry, open)
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

/** JSON objects and lists only, and only where parsing them is cheap. */
export function readJson(text: string): unknown {
  const start = text.trimStart().charAt(0)
  if (text.length > 262_144 || (start !== '{' && start !== '[')) return undefined
  return parseJson(text)
}
