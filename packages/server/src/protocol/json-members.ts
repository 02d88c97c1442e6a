import { Buffer } from 'node:buffer'

/** The position of a value in a JSON text, in bytes. */
export interface Span {
  /** Where its name begins. */
  readonly start: number
  readonly from: number
  readonly to: number
  /** For a list of objects: how many members these have together, duplicates included. */
  readonly inner: number
}

/** The members of a JSON object, by their names. */
export interface ObjectSpans {
  readonly members: ReadonlyMap<string, Span>
  /** Names that occur more than once, as `folded` returns them: servers differ in which one they take. */
  readonly doubled: ReadonlySet<string>
  /** The position of the closing brace. */
  readonly close: number
}

export interface SpanLimits {
  readonly depth: number
  /** Values of all kinds, at all depths. */
  readonly values: number
}

export type SpanFault = 'not an object' | 'too deep' | 'too many values'

/** Tool schemas nest some twenty levels; 64 MB of messages hold far fewer values. */
const spanLimits: SpanLimits = { depth: 200, values: 2_000_000 }

/**
 * Finds the members of a JSON object in one pass without recursion. It reports their positions, not that they are
 * well-formed: for a text that `JSON.parse` refuses, the result means nothing.
 *
 * @example
 * const spans = scanObject(Buffer.from('{"model":"m","messages":[]}'))
 */
export function scanObject(bytes: Uint8Array, limits: SpanLimits = spanLimits): ObjectSpans | SpanFault {
  const members = new Map<string, Span>()
  const names = new Set<string>()
  const doubled = new Set<string>()
  let [depth, values, inner, from, nameStart] = [0, 0, 0, -1, -1]
  let name: string | undefined

  const start = skipped(bytes, 0)
  if (bytes[start] !== openBrace) return 'not an object'
  for (let at = start; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote: {
        const end = stringEnd(bytes, at)
        if (end < 0) return 'not an object'
        if (depth === 1 && name === undefined) [name, nameStart] = [nameIn(bytes, at, end), at]
        at = end - 1
        break
      }
      case openBrace:
      case openBracket:
        if (++depth > limits.depth) return 'too deep'
        if (++values > limits.values) return 'too many values'
        break
      case colon:
        if (depth === 3) inner++
        if (depth === 1 && from < 0) at = (from = skipped(bytes, at + 1)) - 1
        break
      case comma:
        if (++values > limits.values) return 'too many values'
        if (depth === 1) take(at)
        break
      case closeBrace:
      case closeBracket:
        if (depth === 1) take(at)
        if (--depth === 0) return { members, doubled, close: at }
        break
    }
  }
  return 'not an object'

  function take(end: number): void {
    if (name === undefined || from < 0) return
    const known = folded(name)
    if (names.has(known)) doubled.add(known)
    names.add(known)
    members.set(name, { start: nameStart, from, to: trimmed(bytes, end), inner })
    ;[name, from, inner] = [undefined, -1, 0]
  }
}

/**
 * How many names the objects of a JSON text have, at all depths, including duplicates. `JSON.parse` keeps one of these.
 *
 * @example
 * countNames(Buffer.from('{"a":{"b":1,"b":2}}')) // 3
 */
export function countNames(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === colon) count++
    if (bytes[at] !== quote) continue
    const end = stringEnd(bytes, at)
    if (end < 0) return count
    at = end - 1
  }
  return count
}

/**
 * The text with these members changed, each to a JSON text, or added before the closing brace; undefined removes one.
 * All other bytes stay.
 *
 * @example
 * replaced(bytes, spans, { messages: '[]', truncate: 'false', conversation: undefined })
 */
export function replaced(
  bytes: Uint8Array,
  { members, close }: ObjectSpans,
  changes: Readonly<Record<string, string | undefined>>,
): Buffer {
  const goes = (name: string): boolean => name in changes && changes[name] === undefined
  const edits = removals([...members].map(([name, span]) => ({ ...span, goes: goes(name) })))
  let separator = [...members.keys()].every(goes) ? '' : ','
  for (const [name, text] of Object.entries(changes)) {
    if (text === undefined) continue
    const span = members.get(name)
    edits.push(
      span ? { ...span, text } : { from: close, to: close, text: `${separator}${JSON.stringify(name)}:${text}` },
    )
    if (!span) separator = ','
  }
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { from, to, text } of edits.toSorted((left, right) => left.from - right.from)) {
    pieces.push(bytes.subarray(at, from), Buffer.from(text))
    at = to
  }
  return Buffer.concat([...pieces, bytes.subarray(at)])
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The bytes of the members that go, each with one comma: that before it if a member before it stays. */
function removals(members: readonly (Span & { readonly goes: boolean })[]): Edit[] {
  let hasBefore = false
  return members.flatMap(({ start, to, goes }, index) => {
    if (!goes) hasBefore = true
    if (!goes) return []
    const [before, next] = [members[index - 1], members[index + 1]]
    return [{ from: hasBefore && before ? before.to : start, to: hasBefore || !next ? to : next.start, text: '' }]
  })
}

/** A name as the most tolerant server compares it: without letter case, as Go folds it. */
export function folded(name: string): string {
  return name.replaceAll('ſ', 's').replaceAll('\u212a', 'k').toLowerCase()
}

/** Whether a name is one of these in another letter case: some servers read it as that name, others ignore it. */
export function isDisguised(name: string, known: ReadonlySet<string>): boolean {
  return !known.has(name) && known.has(folded(name))
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * The index after the closing quote; -1 if it is missing. Byte by byte at first, since most texts are short; then in
 * leaps, since images are long.
 */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length;) {
    for (const stop = Math.min(at + 256, bytes.length); at < stop; at++) {
      if (bytes[at] === quote) return at + 1
      if (bytes[at] === backslash) at++
    }
    const end = bytes.indexOf(quote, at)
    if (end < 0) return -1
    let slashes = 0
    while (end - slashes > at && bytes[end - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
  return -1
}

function nameIn(bytes: Uint8Array, from: number, to: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
  if (!text.includes('\\')) return text.slice(1, -1)
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

function skipped(bytes: Uint8Array, at: number): number {
  while (isSpace(bytes[at])) at++
  return at
}

function trimmed(bytes: Uint8Array, end: number): number {
  while (isSpace(bytes[end - 1])) end--
  return end
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
