import type { Value } from '@minutebook/experiment/run'
import { z } from 'zod'

/** Plain data that a variable, an option or a message can hold. */
export const plainValue: z.ZodType<Value, unknown> = z
  .unknown()
  .refine((value) => isPlain(value, deepest), {
    error: 'must be plain data; write numbers, texts, true, false, lists and maps, at most 32 deep',
  })
  .transform((value) => value as Value)

/** What JSON can say, and not too deep; nothing that a prototype could be reached by. */
export function isPlain(value: unknown, levels: number = deepest): value is Value {
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

const deepest = 32
