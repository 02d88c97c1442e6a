import { isFields } from '../plain-value.ts'

/**
 * Why a call's input does not fit a tool, in words for the participant; undefined if it fits. It checks the usual
 * keywords of JSON Schema and ignores the rest. A pattern is shown to the model but not checked, since that could take
 * forever.
 */
export function inputProblem(input: unknown, schema: Readonly<Record<string, unknown>>): string | undefined {
  const found = problemIn(input, schema, '', 0)
  return found === undefined ? undefined : `This cannot be done: ${found}.`
}

const deepest = 16

function problemIn(value: unknown, schema: unknown, name: string, depth: number): string | undefined {
  if (!isFields(schema) || depth > deepest) return undefined
  const what = name === '' ? 'the input' : name
  const { type, enum: choices } = schema
  const wanted = typeof type === 'string' ? types.get(type) : undefined
  if (wanted && !wanted.is(value)) return value === undefined ? `${what} is missing` : `${what} must be ${wanted.name}`
  if (Array.isArray(choices) && !choices.includes(value))
    return `${what} must be one of ${choices
      .slice(0, 20)
      .map((choice) => JSON.stringify(choice))
      .join(', ')}`
  for (const [field, { isMet, text }] of Object.entries(bounds)) {
    const bound = schema[field]
    if (typeof bound === 'number' && !isMet(value, bound)) return `${what} must ${text} ${bound}${unitOf(value)}`
  }
  if (Array.isArray(value))
    return first(value, (item, index) => problemIn(item, schema['items'], `${name}[${index}]`, depth + 1))
  return isFields(value) ? problemInFields(value, schema, name, depth) : undefined
}

function problemInFields(
  value: Fields,
  { properties, required, additionalProperties }: Fields,
  name: string,
  depth: number,
): string | undefined {
  const known = isFields(properties) ? properties : {}
  const nameOf = (field: string): string => (name === '' ? field : `${name}.${field}`)
  const needed = Array.isArray(required) ? required.filter((field) => typeof field === 'string') : []
  const missing = needed.find((field) => !Object.hasOwn(value, field))
  if (missing !== undefined) return `${nameOf(missing)} is missing`
  const other =
    additionalProperties === false ? Object.keys(value).find((field) => !Object.hasOwn(known, field)) : undefined
  if (other !== undefined) return `there is no ${nameOf(other)}`
  return first(Object.keys(value), (field) =>
    Object.hasOwn(known, field) ? problemIn(value[field], known[field], nameOf(field), depth + 1) : undefined,
  )
}

type Fields = Readonly<Record<string, unknown>>

const types: ReadonlyMap<string, { readonly name: string; is(value: unknown): boolean }> = new Map([
  ['string', { name: 'a text', is: (value: unknown) => typeof value === 'string' }],
  ['number', { name: 'a number', is: (value: unknown) => typeof value === 'number' && Number.isFinite(value) }],
  ['integer', { name: 'a whole number', is: (value: unknown) => Number.isSafeInteger(value) }],
  ['boolean', { name: 'true or false', is: (value: unknown) => typeof value === 'boolean' }],
  ['array', { name: 'a list', is: (value: unknown) => Array.isArray(value) }],
  ['object', { name: 'a map', is: isFields }],
])

const ifNumber =
  (test: (value: number, bound: number) => boolean) =>
  (value: unknown, bound: number): boolean =>
    typeof value !== 'number' || test(value, bound)
const ifLong =
  (test: (length: number, bound: number) => boolean) =>
  (value: unknown, bound: number): boolean =>
    (typeof value !== 'string' && !Array.isArray(value)) || test(value.length, bound)

const bounds: Readonly<
  Record<string, { readonly text: string; readonly isMet: (value: unknown, bound: number) => boolean }>
> = {
  minimum: { text: 'be at least', isMet: ifNumber((value, bound) => value >= bound) },
  maximum: { text: 'be at most', isMet: ifNumber((value, bound) => value <= bound) },
  exclusiveMinimum: { text: 'be more than', isMet: ifNumber((value, bound) => value > bound) },
  exclusiveMaximum: { text: 'be less than', isMet: ifNumber((value, bound) => value < bound) },
  minLength: { text: 'have at least', isMet: ifLong((length, bound) => length >= bound) },
  maxLength: { text: 'have at most', isMet: ifLong((length, bound) => length <= bound) },
  minItems: { text: 'have at least', isMet: ifLong((length, bound) => length >= bound) },
  maxItems: { text: 'have at most', isMet: ifLong((length, bound) => length <= bound) },
}

function unitOf(value: unknown): string {
  if (typeof value === 'string') return ' characters'
  return Array.isArray(value) ? ' items' : ''
}

function first<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== undefined) return found
  }
  return undefined
}
