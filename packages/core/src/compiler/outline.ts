import { checkedCount, type TokenCounter } from '../tokens/tokens.ts'
import type { DigestLine, DigestOrigin } from './digest.ts'
import { fitLine, gist } from './framing.ts'
import { totalTokens } from './cost.ts'

/** A line of an outline: the digest of one exchange, or the titles of a chapter, a part, … */
export interface OutlineLine {
  /** The exchanges that the line covers. */
  readonly from: number
  readonly to: number
  /** True if the line is the digest of a single exchange or step. False if it counts several, with a few titles. */
  readonly own: boolean
  readonly text: string
  readonly tokens: number
  /** Of a digest that digesters wrote parts of. */
  readonly typed?: DigestOrigin
}

/** Where an outline gets its lines from. */
export interface OutlineSource {
  /** The digest of an exchange, and its title: a few words for the line of a chapter. */
  digest(exchange: number): DigestLine
  title(exchange: number): string
  readonly counter: TokenCounter
  /** The most that a line may cost, as far as a line can be shortened to it. */
  readonly line: number
  /** A cache of chapter lines. Whole chapters never change. */
  readonly memory: Map<string, OutlineLine>
}

/**
 * Exchanges gathered under one line. Level 0 gathers exchanges into a chapter of eight, level 1 gathers eight chapters
 * into a part, and so on.
 */
interface Gathering {
  readonly level: number
  readonly from: number
  readonly to: number
}

const fan = 8

/**
 * Writes a table of contents of the first `exchanges` exchanges in at most `room` tokens, oldest first. The newest get
 * a digest each, older ones are gathered into chapters, still older ones into parts. If there is not enough room, one
 * line covers all. If not even that fits, the outline is empty. Room that is left lengthens the digests.
 */
export function outlineOf(source: OutlineSource, exchanges: number, room: number): OutlineLine[] {
  return lengthened(shortLines(source, exchanges, room), room)
}

/** An outline line that may have a longer form. */
export type LineDraft = OutlineLine & Pick<DigestLine, 'longer'>

/**
 * Gives lines their longer form as long as that fits into `room`, newest first. Which lines there are is decided
 * before, with their short form: so a long digest costs no other exchange its line.
 */
export function lengthened(lines: readonly LineDraft[], room: number): OutlineLine[] {
  let left = room - totalTokens(lines)
  return lines
    .toReversed()
    .map(({ longer, ...line }) => {
      if (!longer || longer.tokens - line.tokens > left) return line
      left -= longer.tokens - line.tokens
      return { ...line, ...longer }
    })
    .toReversed()
}

function shortLines(source: OutlineSource, exchanges: number, room: number): LineDraft[] {
  if (exchanges === 0) return []
  const first = firstDigest(source, exchanges, room)
  const digests = Array.from({ length: exchanges - first }, (_, place) =>
    lineOf(source, { level: 0, from: first + place, to: first + place + 1 }),
  )
  const left = room - totalTokens(digests)
  const gatherings = spine(first)
  const spent = sum(source, gatherings)
  if (spent > left) return coarsened(source, gatherings, room)
  return [...opened(source, gatherings, left - spent).map((gathering) => lineOf(source, gathering)), ...digests]
}

/**
 * Returns the first exchange from which on every exchange has its own digest. If all digests fit, that is 0. If not, as
 * many get one as fit together with the coarsest lines for the rest; the digests may then take half of the room, or
 * more if even the finest lines for the rest fit. With fewer exchanges or more room each of these tests passes at least
 * as often. So an exchange never loses its digest to a larger window.
 */
function firstDigest(source: OutlineSource, exchanges: number, room: number): number {
  let [first, some] = [exchanges, exchanges]
  for (let spent = 0; first > 0; first--) {
    spent += source.digest(first - 1).tokens
    if (spent > room) return some
    if (some > first) continue
    const rest = spine(first - 1)
    const fits =
      spent + sum(source, rest) <= room && (spent <= room / 2 || spent + sum(source, rest.flatMap(finest)) <= room)
    if (fits) some--
  }
  return first
}

/** Joins the oldest gatherings under one line, as many as it takes to fit. */
function coarsened(source: OutlineSource, gatherings: readonly Gathering[], room: number): LineDraft[] {
  let coarser = gatherings
  while (coarser.length > 1) {
    coarser = [{ ...coarser[0]!, to: coarser[1]!.to }, ...coarser.slice(2)]
    if (sum(source, coarser) <= room) return coarser.map((gathering) => lineOf(source, gathering))
  }
  return oneLine(source, gatherings.at(-1)!.to, room)
}

/**
 * Opens parts into chapters, newest first, while `left` tokens allow it. The first that cannot be opened fully is
 * opened as far as possible, from its newest chapter on. Nothing older is opened.
 */
function opened(source: OutlineSource, gatherings: readonly Gathering[], left: number): Gathering[] {
  const newest: Gathering[] = []
  for (const [place, next] of [...gatherings.entries()].toReversed()) {
    const parts = open(next)
    const more = sum(source, parts) - lineOf(source, next).tokens
    if (parts.length === 0) newest.unshift(next)
    else if (more <= left) {
      newest.unshift(...parts)
      left -= more
    } else return [...gatherings.slice(0, place), ...openedInPart(source, next, parts, left), ...newest]
  }
  return newest
}

function openedInPart(
  source: OutlineSource,
  gathering: Gathering,
  parts: readonly Gathering[],
  left: number,
): Gathering[] {
  let best: Gathering[] = [gathering]
  for (let first = parts.length - 1; first > 0; first--) {
    const peeled = [{ ...gathering, to: parts[first]!.from }, ...parts.slice(first)]
    if (sum(source, peeled) - lineOf(source, gathering).tokens > left) break
    best = peeled
  }
  return best
}

/** What outlines of this number of exchanges, or of more, can still show. */
export interface OutlineRange {
  /** The first exchange whose digest an outline can show. */
  readonly digests: number
  /**
   * From this exchange on, an outline can show any title. Of older exchanges it can show only the titles of `older`.
   */
  readonly titles: number
  readonly older: readonly number[]
}

/**
 * Returns what must be known of the exchanges to write any outline of the first `exchanges` exchanges, or of more, in
 * at most `room` tokens. A chapter comes right before the digests that fit. Older gatherings are opened at most one
 * level: parts into chapters, and so on.
 */
export function outlineReach({ digest }: Pick<OutlineSource, 'digest'>, exchanges: number, room: number): OutlineRange {
  if (room <= 0) return { digests: Infinity, titles: Infinity, older: [] }
  let last = exchanges
  for (let spent = 0; last > 0 && spent <= room; last--) spent += digest(last - 1).tokens
  const aligned = (level: number): number => last - (last % fan ** level)
  const older: number[] = []
  for (let level = 1, end = aligned(2); end > 0; level++) {
    const from = aligned(level + 2)
    for (let at = from; at < end; at += fan ** level) older.push(at)
    end = from
  }
  return { digests: aligned(1), titles: aligned(2), older: older.sort((one, other) => one - other) }
}

/** One line for all exchanges, shortened to fit. */
function oneLine(source: OutlineSource, exchanges: number, room: number): OutlineLine[] {
  const line = gathered({ ...source, line: room }, { level: 0, from: 0, to: exchanges }, [source.title(0)])
  return line.tokens > room ? [] : [line]
}

/** The coarsest cover by aligned gatherings: one for each non-zero digit of `exchanges` in base eight. */
function spine(exchanges: number): Gathering[] {
  const gatherings: Gathering[] = []
  let to = exchanges
  for (let level = 0; to > 0; level++) {
    const size = fan ** level
    const from = to - (to % (size * fan))
    if (from < to) gatherings.unshift({ level, from, to })
    to = from
  }
  return gatherings
}

/** The gatherings one level down. A chapter returns none: which exchanges have a digest is decided before. */
function open({ level, from, to }: Gathering): Gathering[] {
  if (level === 0) return []
  const parts: Gathering[] = []
  for (let at = from; at < to; at += fan ** level)
    parts.push({ level: level - 1, from: at, to: Math.min(to, at + fan ** level) })
  return parts
}

function finest(gathering: Gathering): Gathering[] {
  const parts = open(gathering)
  return parts.length === 0 ? [gathering] : parts
}

function sum(source: OutlineSource, gatherings: readonly Gathering[]): number {
  return totalTokens(gatherings.map((gathering) => lineOf(source, gathering)))
}

function lineOf(source: OutlineSource, { level, from, to }: Gathering): LineDraft {
  if (to - from === 1) return { from, to, own: true, ...source.digest(from) }
  const key = `${level}:${from}:${to}`
  const known = source.memory.get(key)
  if (known) return known
  const titles: string[] = []
  for (let at = from; at < to; at += fan ** level) titles.push(source.title(at))
  const line = gathered(source, { level, from, to }, titles)
  source.memory.set(key, line)
  return line
}

function gathered({ counter, line }: OutlineSource, { from, to }: Gathering, titles: readonly string[]): OutlineLine {
  const count = (candidate: string): number => checkedCount(counter, candidate)
  const head = `Previous: ${to - from} ${to - from === 1 ? 'exchange' : 'exchanges'}: `
  // Shorter titles for all exchanges say more than long titles for the first few.
  const lists = [32, 20, 12].map((width) => head + titles.map((title) => gist(title, width)).join(' · '))
  const list = lists.find((each) => count(`[${each}]\n`) <= line) ?? lists.at(-1)!
  const { text, tokens } = fitLine(list, line, count)
  return { from, to, own: false, text, tokens }
}
