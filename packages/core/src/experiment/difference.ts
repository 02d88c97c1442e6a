import { canonicalJson, endsInHalf, wellFormed } from '../log/json.ts'
import type { Value } from './value.ts'

/** A field that two values differ in; the side that has no such field is left out. */
export interface FieldDifference {
  /** Such as `participants.judge.model.options.temperature`, or `steps[0].ask`. */
  readonly path: string
  readonly left?: Value
  readonly right?: Value
}

/**
 * All fields that two values differ in, also if only the order of fields does: in a definition that has a meaning. Lists of
 * different lengths differ as a whole.
 *
 * @example
 * differencesOf({ limits: { steps: 3 } }, { limits: { steps: 5 } }) // [{ path: 'limits.steps', left: 3, right: 5 }]
 */
export function differencesOf(left: Value | undefined, right: Value | undefined, path = '', depth = 0): readonly FieldDifference[] {
  if (depth < deepest && isMap(left) && isMap(right)) return mapDifferences(left, right, path, depth)
  if (depth < deepest && isList(left) && isList(right) && left.length === right.length) return left.flatMap((value, index) => differencesOf(value, right[index], `${path}[${index}]`, depth + 1))
  if (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right)) return []
  return left === right ? [] : [{ path, ...(left !== undefined && { left }), ...(right !== undefined && { right }) }]
}

const deepest = 16

function mapDifferences(left: Fields, right: Fields, path: string, depth: number): readonly FieldDifference[] {
  const [names, others] = [Object.keys(left), Object.keys(right)]
  const fields = [...new Set([...names, ...others])]
  const found = fields.flatMap((name) => differencesOf(own(left, name), own(right, name), path === '' ? name : `${path}.${name}`, depth + 1))
  const isReordered = fields.length === names.length && fields.length === others.length && names.some((name, index) => name !== others[index])
  return isReordered ? [...found, { path: `${path} (order)`.trim(), left: names, right: others }] : found
}

/**
 * Two texts, each as short as `most` characters, such that what differs first is in them.
 *
 * @example
 * differingParts('a'.repeat(90) + 'b', 'a'.repeat(90) + 'c', 20) // ['…aaaaab', '…aaaaac']
 */
export function differingParts(left: string, right: string, most: number): readonly [left: string, right: string] {
  if (left.length <= most && right.length <= most) return [left, right]
  let at = 0
  while (at < left.length && at < right.length && left[at] === right[at]) at++
  const before = Math.max(0, at - Math.floor(most / 4))
  // Not from the middle of a surrogate pair.
  const from = endsInHalf(left.slice(0, before)) ? before - 1 : before
  const part = (text: string): string => {
    const room = most - (from > 0 ? 1 : 0)
    const isCut = text.length - from > room
    return `${from > 0 ? '…' : ''}${wellFormed(text.slice(from, from + room - (isCut ? 1 : 0)))}${isCut ? '…' : ''}`
  }
  return [part(left), part(right)]
}

type Fields = { readonly [name: string]: Value }

function isMap(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !isList(value)
}

function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

function own(fields: Fields, name: string): Value | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
