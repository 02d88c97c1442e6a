import { checkedCount, type TokenCounter } from '../count/tokens.ts'
import { fitLine, gist } from './gist.ts'

/** A line of an outline: the digest of one exchange, or the titles of a chapter, a part, … */
export interface OutlineLine {
  /** The exchanges it stands for. */
  readonly from: number
  readonly to: number
  readonly text: string
  readonly tokens: number
}

/** Where an outline finds what it shows. */
export interface OutlineSource {
  /** The digest of an exchange, and the few words that stand for it in a chapter. */
  digest(exchange: number): { readonly text: string; readonly tokens: number }
  title(exchange: number): string
  readonly counter: TokenCounter
  /** No line costs more, as far as a line can be cut to it. */
  readonly line: number
  /** Lines of chapters made before: whole chapters never change. */
  readonly memory: Map<string, OutlineLine>
}

/** Exchanges gathered under one line. Level 0 gathers exchanges, level 1 chapters of eight, level 2 parts of eight chapters, … */
interface Gathering {
  readonly level: number
  readonly from: number
  readonly to: number
}

const fan = 8

/**
 * A table of contents of the first `exchanges` exchanges in at most `room` tokens, oldest first: the newest as
 * digests, older ones as chapters, still older ones as parts. All of them in one line if need be; none if not even that fits.
 */
export function outlineOf(source: OutlineSource, exchanges: number, room: number): OutlineLine[] {
  if (exchanges === 0) return []
  let gatherings = spine(exchanges)
  let spent = sum(source, gatherings)
  while (spent > room && gatherings.length > 1) {
    gatherings = [{ ...gatherings[0]!, to: gatherings[1]!.to }, ...gatherings.slice(2)]
    spent = sum(source, gatherings)
  }
  if (spent > room) return oneLine(source, exchanges, room)
  return opened(source, gatherings, room - spent).map((gathering) => lineOf(source, gathering))
}

/** Opens the newest, and what it is made of, as long as `left` lasts. The first that cannot be opened whole is opened as far as it can, from its newest part on; nothing older is. */
function opened(source: OutlineSource, gatherings: readonly Gathering[], left: number): Gathering[] {
  const unopened = [...gatherings]
  const newest: Gathering[] = []
  for (let next = unopened.pop(); next; next = unopened.pop()) {
    const parts = open(next)
    const more = sum(source, parts) - lineOf(source, next).tokens
    if (parts.length === 0) newest.unshift(next)
    else if (more <= left) {
      unopened.push(...parts)
      left -= more
    } else return [...unopened, ...openedInPart(source, next, parts, left), ...newest]
  }
  return newest
}

function openedInPart(source: OutlineSource, gathering: Gathering, parts: readonly Gathering[], left: number): Gathering[] {
  let best: Gathering[] = [gathering]
  for (let first = parts.length - 1; first > 0; first--) {
    const peeled = [{ ...gathering, to: parts[first]!.from }, ...parts.slice(first)]
    if (sum(source, peeled) - lineOf(source, gathering).tokens > left) break
    best = peeled
  }
  return best
}

/** What outlines of so many exchanges, or more, can still show. */
export interface OutlineReach {
  /** The first exchange whose digest can stand in one. */
  readonly digests: number
  /** The first exchange from which on any title can; and of older ones, those that can. */
  readonly titles: number
  readonly older: readonly number[]
}

/**
 * What must be known of the exchanges so that every outline of the first `exchanges`, or of more, can be made in `room`
 * or less. Right before the digests that fit stands what is opened last, and is not: a chapter, or a part, or …
 */
export function outlineReach({ digest }: Pick<OutlineSource, 'digest'>, exchanges: number, room: number): OutlineReach {
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

/** Everything under one line, as short as need be. */
function oneLine(source: OutlineSource, exchanges: number, room: number): OutlineLine[] {
  const line = gathered({ ...source, line: room }, { level: 0, from: 0, to: exchanges }, [source.title(0)])
  return line.tokens > room ? [] : [line]
}

/** The coarsest aligned cover: the digits of the number of exchanges in base eight, a gathering each. */
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

/** What a gathering is made of, one level down. */
function open({ level, from, to }: Gathering): Gathering[] {
  if (to - from === 1) return []
  const parts: Gathering[] = []
  for (let at = from; at < to; at += fan ** level) {
    parts.push({ level: Math.max(0, level - 1), from: at, to: Math.min(to, at + fan ** level) })
  }
  return parts
}

function sum(source: OutlineSource, gatherings: readonly Gathering[]): number {
  return gatherings.reduce((total, gathering) => total + lineOf(source, gathering).tokens, 0)
}

function lineOf(source: OutlineSource, { level, from, to }: Gathering): OutlineLine {
  if (to - from === 1) return { from, to, ...source.digest(from) }
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
  // Shorter titles for all of them say more than long ones for the first few.
  const lists = [32, 20, 12].map((width) => head + titles.map((title) => gist(title, width)).join(' · '))
  const list = lists.find((each) => count(`[${each}]\n`) <= line) ?? lists.at(-1)!
  return { from, to, ...fitLine(list, line, count) }
}
