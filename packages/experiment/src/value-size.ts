import { MinutebookError } from 'minutebook'
import type { Value } from '@minutebook/experiment/run'

/**
 * The size of a value. Throws if it is too large to be kept with every round. What shares parts is counted as it is
 * written: in full.
 */
export function checkedSize(name: string, value: Value): number {
  const size = sizeWithin(value)
  if (size !== undefined) return size
  throw new MinutebookError(
    'expression_failed',
    `The variable ${name} grows too large: it may hold ${mostHeld} characters and items together, at most ${deepest} deep.`,
    'Keep less in it.',
    { variable: name },
  )
}

/** How many characters and items a value holds together; undefined if these are more than `most`, or it is too deep. */
export function sizeWithin(value: unknown, most: number = mostHeld, levels: number = deepest): number | undefined {
  let left = most
  const fits = (part: unknown, depth: number): boolean => {
    left -= typeof part === 'string' ? part.length + 1 : 1
    if (left < 0 || depth > levels) return false
    if (typeof part !== 'object' || part === null) return true
    for (const name of Object.keys(part)) {
      left -= name.length
      if (!fits((part as Readonly<Record<string, unknown>>)[name], depth + 1)) return false
    }
    return true
  }
  return fits(value, 0) ? most - left : undefined
}

const mostHeld = 100_000
const deepest = 32
