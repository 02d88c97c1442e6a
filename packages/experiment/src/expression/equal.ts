import type { Value } from '@minutebook/experiment/run'
import type { Frame } from './frame.ts'

/** Whether two values are the same, however deep they are. */
export function equal(left: Value, right: Value, frame: Frame): boolean {
  frame.spend(1)
  if (typeof left === 'string' && typeof right === 'string') frame.spend(Math.min(left.length, right.length))
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => equal(item, right[index] ?? null, frame))
    )
  }
  const fields = Object.keys(left)
  return (
    fields.length === Object.keys(right).length &&
    fields.every((name) => Object.hasOwn(right, name) && equal(left[name] ?? null, right[name] ?? null, frame))
  )
}

/** `Array.isArray` does not know readonly lists. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}
