import { outlineOf, type OutlineLine } from '../digest/outline.ts'
import { at } from '../fold/column.ts'
import { exchangeOf } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import type { DigestPart, Tier } from './part.ts'
import { stepLines } from './steps.ts'

/** The outline of the first exchanges, where it has room. */
export function outlineParts(fold: Fold, exchanges: number, room: number): DigestPart[] {
  if (room === 0) return []
  const { columns: { digests, titles, memory }, settings: { digesting, prices } } = fold
  const source = { ...digesting, digest: (exchange: number) => at(digests, exchange), title: (exchange: number) => at(titles, exchange), memory: memory.outline }
  return digestParts('outline', 'exchanges', outlineOf(source, exchanges, room - prices.outline), prices.outline)
}

/** The steps of a turn between two indexes in brief, where they have room. */
export function stepsParts(fold: Fold, from: number, to: number, room: number): DigestPart[] {
  if (room === 0 || from >= to) return []
  const { prices } = fold.settings
  const tier = exchangeOf(fold, from) === fold.exchanges - 1 ? 'current' : 'verbatim'
  return digestParts(tier, 'steps', stepLines(fold, from, to, room - prices.steps), prices.steps)
}

function digestParts(tier: Tier, of: DigestPart['of'], lines: readonly OutlineLine[], head: number): DigestPart[] {
  if (lines.length === 0) return []
  return [{ shape: 'digest', tier, of, lines, tokens: lines.reduce((sum, line) => sum + line.tokens, head) }]
}
