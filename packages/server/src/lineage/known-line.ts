import { pairAt, type Chain } from './chain.ts'
import { linesUnder } from './directory.ts'
import type { Asked, FoundThread } from './found-thread.ts'
import { isEndOf, isLine, type Line } from './line.ts'

/** The thread whose line the messages hold. First the newest answer is looked up, then the others at once. */
export async function knownLine(asked: Asked, chain: Chain): Promise<Omit<FoundThread, 'chain'> | undefined> {
  const [newest, ...earlier] = chain.answers.toReversed()
  if (newest === undefined) return undefined
  const known = lineUpTo(newest, await linesUnder(asked, pairAt(chain, newest)), chain, asked.model)
  if (known) return known === 'ambiguous' ? undefined : { ...known, kind: 'continuation' }
  const places = within(earlier)
  const lists = await Promise.all(places.map((at) => linesUnder(asked, pairAt(chain, at))))
  for (const [index, at] of places.entries()) {
    const shared = lineUpTo(at, lists[index] ?? [], chain, asked.model)
    if (shared) return shared === 'ambiguous' ? undefined : { ...shared, kind: 'branch' }
  }
  return undefined
}

/** Of the lines, the one that the messages up to a place are; else the one that they are the end of. */
export function lineUpTo(
  at: number,
  lines: readonly Line[],
  chain: Chain,
  model: string,
): Pick<FoundThread, 'thread' | 'isWhole'> | 'ambiguous' | undefined {
  const same = chosen(
    lines.filter((line) => isLine(line, chain, at)),
    model,
  )
  if (typeof same === 'object') return { thread: same.thread, isWhole: true }
  const ending = chosen(
    lines.filter((line) => isEndOf(line, chain, at)),
    model,
  )
  return typeof ending === 'object' ? { thread: ending.thread, isWhole: false } : ending
}

/** Of several threads, the newest that the same model answered. */
export function chosen(lines: readonly Line[], model: string): Line | 'ambiguous' | undefined {
  const [newest] = lines
  if (!newest || lines.every(({ thread }) => thread === newest.thread)) return newest
  return lines.find((line) => line.model === model) ?? 'ambiguous'
}

/** Some of the newest and some of the oldest: whoever rewrites what was said leaves one end as it was. */
function within(places: readonly number[]): readonly number[] {
  return places.length <= 2 * mostPlaces ? places : [...places.slice(0, mostPlaces), ...places.slice(-mostPlaces)]
}

const mostPlaces = 16
