import { canonicalJson, wellFormed } from 'minutebook/store'
import type { Value } from './experiment.ts'

/** A field that two values differ in; the side that has no such field is left out. */
export interface FieldDifference {
  /** Such as `participants.judge.model.temperature`, or `rounds[0].ask`. */
  readonly path: string
  readonly left?: Value
  readonly right?: Value
}

/**
 * All fields that two values differ in, also if only the order of fields does: in a definition that has a meaning.
 * Lists of different lengths differ as a whole.
 *
 * @example
 * differencesOf({ limits: { rounds: 3 } }, { limits: { rounds: 5 } }) // [{ path: 'limits.rounds', left: 3, right: 5 }]
 */
export function differencesOf(left: Value, right: Value): readonly FieldDifference[] {
  return differingFields([left, right]).map(({ path, values: [before, after] }) => ({
    path,
    ...(before !== undefined && { left: before }),
    ...(after !== undefined && { right: after }),
  }))
}

/** A field that several values differ in. */
export interface DifferingField {
  readonly path: string
  /** Of each, in their order; undefined for those without such a field. */
  readonly values: readonly (Value | undefined)[]
}

/**
 * The same of any number of values.
 *
 * @example
 * differingFields([{ a: 1 }, { a: 2 }, {}]) // [{ path: 'a', values: [1, 2, undefined] }]
 */
export function differingFields(
  values: readonly (Value | undefined)[],
  path = '',
  depth = 0,
): readonly DifferingField[] {
  if (depth < deepest && values.every(isMap)) return mapFields(values, path, depth)
  if (depth < deepest && values.every(isList) && values.every(({ length }) => length === values[0]?.length))
    return (values[0] ?? []).flatMap((_, index) =>
      differingFields(
        values.map((list) => list[index]),
        `${path}[${index}]`,
        depth + 1,
      ),
    )
  const texts = new Set(values.map((value) => (value === undefined ? undefined : canonicalJson(value))))
  return texts.size <= 1 ? [] : [{ path, values }]
}

const deepest = 16

function mapFields(maps: readonly Fields[], path: string, depth: number): readonly DifferingField[] {
  const orders = maps.map((map) => Object.keys(map))
  const names = [...new Set(orders.flat())]
  const found = names.flatMap((name) =>
    differingFields(
      maps.map((map) => own(map, name)),
      path === '' ? name : `${path}.${name}`,
      depth + 1,
    ),
  )
  const isReordered =
    orders.every(({ length }) => length === names.length) &&
    orders.some((order) => order.some((name, index) => name !== orders[0]![index]))
  return isReordered ? [...found, { path: `${path} (order)`.trim(), values: orders }] : found
}

/**
 * Two texts, each as short as `most` characters, such that what differs first is in them.
 *
 * @example
 * differingParts('a'.repeat(90) + 'b', 'a'.repeat(90) + 'c', 20) // ['…aaaaab', '…aaaaac']
 */
export function differingParts(left: string, right: string, most: number): readonly [left: string, right: string] {
  if (left.length <= most && right.length <= most) return [left, right]
  const part = differingWindow([left, right], most)
  return [part(left), part(right)]
}

/** Cuts each of these texts to `most` characters, such that what differs first is in them. */
export function differingWindow(texts: readonly string[], most: number): (text: string) => string {
  const [first = '', ...others] = texts
  const at = others.reduce((shared, text) => sharedLength(first, text, shared), first.length)
  const before = Math.max(0, at - Math.floor(most / 4))
  // Not from the middle of a surrogate pair.
  const from = wellFormed(first.slice(0, before)).length
  return (text) => {
    const room = most - (from > 0 ? 1 : 0)
    const isCut = text.length - from > room
    return `${from > 0 ? '…' : ''}${wellFormed(text.slice(from, from + room - (isCut ? 1 : 0)))}${isCut ? '…' : ''}`
  }
}

function sharedLength(left: string, right: string, most: number): number {
  let at = 0
  while (at < most && at < right.length && left[at] === right[at]) at++
  return at
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
