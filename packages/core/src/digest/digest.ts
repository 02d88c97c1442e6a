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

/** The digest of a whole exchange. Never fails, and knows nothing of its notes. */
export function digestExchange(entries: readonly Entry[], digesting: Digesting): Digest {
  const user = entries.find((entry) => entry.kind === 'user')
  const asked = user ? `"${gist(user.text, 60)}"${images(user)}` : ''
  const answered = outcome(entries.filter((entry) => entry !== user), digesting.digesters)
  const title = gist(user?.text || (entries.find((entry) => entry.text && traits[entry.kind].chained)?.text ?? ''), 32) || 'no text'
  return { ...bounded(`Previous: ${[asked, answered].filter(Boolean).join(' → ')}`, digesting), title }
}

/** The digest of one step of the current turn: what was called and what came back. */
export function digestStep(entries: readonly Entry[], digesting: Digesting): Digest {
  const calls = entries.flatMap((entry) => entry.calls)
  const title = calls.length ? calls.map((call) => gist(call.name, 32)).join(', ') : 'text'
  return { ...bounded(`Earlier: ${outcome(entries, digesting.digesters)}`, digesting), title }
}

function bounded(content: string, { counter, line }: Digesting): { text: string; tokens: number } {
  return fitLine(content, line, (candidate) => checkedCount(counter, candidate))
}

function outcome(entries: readonly Entry[], digesters: readonly Digester[]): string {
  const parts: string[] = []
  let open: readonly Call[] = []
  for (const entry of entries) {
    const place = placeOf(entry, open)
    if (place.startsStep) parts.push(...open.map(interrupted))
    open = place.open
    if (entry.kind === 'tool') parts.push(resultDigest(entry, place.answers, digesters))
    else if (entry.kind === 'assistant' && entry.text) parts.push(answerDigest(entry.text, digesters))
  }
  parts.push(...open.map(interrupted))
  return parts.join('; ') || 'no answer'
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
