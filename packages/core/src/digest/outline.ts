import { checkedCount, type TokenCounter } from '../count/tokens.ts'
import type { Digest } from './digest.ts'
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
  readonly digests: readonly Digest[]
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

  const lines: OutlineLine[] = []
  for (let newest = gatherings.pop(); newest; newest = gatherings.pop()) {
    const line = lineOf(source, newest)
    const parts = open(newest)
    const opened = spent - line.tokens + sum(source, parts)
    if (parts.length > 0 && opened <= room) {
      gatherings.push(...parts)
      spent = opened
    } else lines.push(line)
  }
  return lines.reverse()
}

/** Everything under one line, as short as need be. */
function oneLine(source: OutlineSource, exchanges: number, room: number): OutlineLine[] {
  const line = gathered({ ...source, line: room }, { level: 0, from: 0, to: exchanges }, [source.digests[0]?.title ?? ''])
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
  const single = source.digests[from]
  if (to - from === 1 && single) return { from, to, text: single.text, tokens: single.tokens }
  const key = `${level}:${from}:${to}`
  const known = source.memory.get(key)
  if (known) return known
  const titles: string[] = []
  for (let at = from; at < to; at += fan ** level) titles.push(source.digests[at]?.title ?? '')
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
