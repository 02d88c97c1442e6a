import type { Value } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'

/** What JSON can say, and not too deep; nothing that a prototype could be reached by. */
export function isPlain(value: unknown, levels: number = deepestValue): value is Value {
  if (levels < 0) return false
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, levels - 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.entries(value).every(([name, item]) => name !== '__proto__' && isPlain(item, levels - 1))
  )
}

const deepestValue = 32

export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The size of a value. Throws if it is too large to be kept with every round. What shares parts is counted as it is
 * written: in full.
 */
export function checkedSize(name: string, value: Value): number {
  const size = sizeWithin(value)
  if (size !== undefined) return size
  throw new MinutebookError(
    'expression_failed',
    `The variable ${name} grows too large: it may hold ${mostHeld} characters and items together, at most ${deepestValue} deep.`,
    'Keep less in it.',
    { variable: name },
  )
}

/** How many characters and items a value holds together; undefined if these are more than `most`, or it is too deep. */
export function sizeWithin(value: unknown, most: number = mostHeld, levels: number = deepestValue): number | undefined {
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
