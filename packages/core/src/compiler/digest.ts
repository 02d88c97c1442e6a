import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { parseJson, wellFormed } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, type Call } from '../log/message.ts'
import { checkedCount, type TokenCounter } from '../tokens/tokens.ts'

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

/** The digest of an exchange that is finished. Never fails. */
export function finishedDigest(
  { asked, title, outcome }: DigestDraft,
  open: readonly Call[],
  digesting: Digesting,
): Digest {
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
  const open = eachPlace(
    entries,
    (entry, before) => (outcome = withOutcome(outcome, entry, before, digesting.digesters)),
  )
  const calls = entries.flatMap((entry) => entry.calls)
  const title = calls.length ? calls.map((call) => gist(call.name, 32)).join(', ') : 'text'
  return { ...bounded(`Earlier: ${joined(outcome, open.map(interrupted)) || 'no answer'}`, digesting), title }
}

/** Visits the entries with the calls that are open before each; returns those that are open in the end. */
function eachPlace(entries: readonly Entry[], visit: (entry: Entry, open: readonly Call[]) => void): readonly Call[] {
  return entries.reduce<readonly Call[]>((open, entry) => {
    visit(entry, open)
    return matchCall(entry, open).open
  }, [])
}

function bounded(content: string, { counter, line }: Digesting): { text: string; tokens: number } {
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

/** JSON objects and lists only, and only where parsing them is cheap. */
export function readJson(text: string): unknown {
  const start = text.trimStart().charAt(0)
  if (text.length > 262_144 || (start !== '{' && start !== '[')) return undefined
  return parseJson(text)
}

/**
 * Renders one JSON shape, or one tool's results, in a few words. The version is part of its id, so that a policy says
 * which rendering it means.
 *
 * Contract: pure, and undefined for a value that is not its shape. One that throws is taken to mean undefined. What it
 * returns is put on one line, so that a value cannot write lines of its own.
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
  /** Only for results of this tool; without it, for answers and results of any. */
  readonly tool?: string
  digest(value: unknown): string | undefined
}

/** The first rendering that a digester has for the value. */
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

/** The digesters that a policy names, in its order; all of them when it names none. */
export function chooseDigesters(
  digesters: readonly Digester[],
  names: readonly string[] | undefined,
): readonly Digester[] {
  for (const digester of digesters) {
    if (typeof digester?.digest === 'function' && typeof digester.id === 'string' && digester.id.includes('@')) continue
    throw new MinutebookError(
      'invalid_digester',
      'This is not a digester; pass { id, digest(value) } with an id such as weather@1.',
    )
  }
  if (!names) return digesters
  return names.map((name) => {
    const found = digesters.find((digester) => digester.id === name)
    if (found) return found
    throw new MinutebookError('unknown_digester', `The policy names the digester ${name}; pass it in digesters.`, {
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

/** How much of a text is looked at: a gist is short, its text may be 10 MB. */
const looked = 4096

/**
 * The beginning of a text on one line, cut between words to `limit` characters and an ellipsis. Double quotes become
 * single, for we quote with double ones.
 */
export function gist(text: string, limit: number): string {
  const line = oneLine(text, limit).replaceAll('"', "'")
  if (line.length <= limit) return text.length > looked ? `${line}…` : line
  const cut = line.lastIndexOf(' ', limit)
  return `${wellFormed(line.slice(0, cut > limit / 2 ? cut : limit))}…`
}

/** The gist of prose, with code blocks named instead of quoted. */
export function gistOfText(text: string, limit: number): string {
  const fence = text.slice(0, looked).indexOf('```')
  if (fence < 0) return gist(text, limit)
  const end = text.indexOf('```', fence + 3)
  const code = text.slice(fence + 3, end < 0 ? text.length : end).trimEnd()
  const language = gist(code.slice(0, Math.max(0, code.indexOf('\n'))), 16)
  const lines = countLines(code)
  const said = gist(text.slice(0, fence), limit - 24)
  return `${said ? `${said} ` : ''}(${language || 'code'}, ${lines} ${lines === 1 ? 'line' : 'lines'})`
}

/** The outermost shape of a JSON value: names, short values, sizes of lists. */
export function gistOfJson(value: unknown, limit: number): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  if (typeof value !== 'object' || value === null) return gist(String(value), limit)
  const shown: string[] = []
  let length = 0
  for (const [key, field] of Object.entries(value)) {
    const part = `${gist(key, 24)}: ${gistOfField(field)}`
    length += part.length + 2
    if (length > limit) return `${[...shown, '…'].join(', ')}`
    shown.push(part)
  }
  return shown.join(', ') || 'nothing'
}

/**
 * A line in brackets that nothing in it can close, with its price. A text that costs too much loses a quarter of itself
 * until it does not; at the least an ellipsis is left.
 */
export function fitLine(
  said: string,
  limit: number,
  count: (line: string) => number,
): { readonly text: string; readonly tokens: number } {
  const text = unbracketed(said)
  for (
    let length = text.length, kept = text;
    ;
    length = Math.floor(length * 0.75), kept = `${wellFormed(text.slice(0, length))}…`
  ) {
    const line = `[${kept}]`
    const tokens = count(`${line}\n`)
    if (tokens <= limit || length <= 1) return { text: line, tokens }
  }
}

/** Square brackets become round ones, for we set our own words in square ones. So do those that look like them. */
export function unbracketed(text: string): string {
  return text
    .replaceAll(/[[\uff3b\u3010\u3014\u3016\u301a\u27e6\u2045\u2772]/g, '(')
    .replaceAll(/[\]\uff3d\u3011\u3015\u3017\u301b\u27e7\u2046\u2773]/g, ')')
}

function gistOfField(field: unknown): string {
  if (Array.isArray(field)) return `${field.length} ${field.length === 1 ? 'item' : 'items'}`
  if (typeof field === 'object' && field !== null) return '{…}'
  return typeof field === 'string' ? `"${gist(field, 32)}"` : String(field)
}

/**
 * The beginning of a text on one line: white space and control characters become one blank. No more is read than shows
 * that it is longer than `limit`.
 */
export function oneLine(text: string, limit: number = Infinity): string {
  let line = ''
  for (const character of wellFormed(text.slice(0, looked))) {
    if (!isBlank(character)) {
      line += character
      if (line.length > limit) return line
    } else if (line !== '' && !line.endsWith(' ')) line += ' '
  }
  return line.trimEnd()
}

function isBlank(character: string): boolean {
  const code = character.charCodeAt(0)
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return true
  return code >= 0x1680 && /[\p{Zs}\p{Zl}\p{Zp}\p{Cf}]/u.test(character)
}

function countLines(code: string): number {
  let lines = 0
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) lines++
  return Math.max(1, lines)
}
