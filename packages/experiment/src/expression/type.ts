import type { Value, VariableType } from '@minutebook/experiment/run'

/** The type of an expression's result, as far as it is known before it runs. */
export type Type = 'number' | 'text' | 'boolean' | 'list' | 'map' | 'nothing' | 'unknown'

/** As people say it: `a number`. */
export function typeName(type: Type): string {
  return names[type]
}

export function typeOf(value: Value): Type {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'number':
      return 'number'
    case 'string':
      return 'text'
    case 'boolean':
      return 'boolean'
    default:
      return 'map'
  }
}

/** A whole number is a number: what it may not be is seen when it is kept. */
export function typeOfVariable(type: VariableType): Type {
  return type === 'integer' ? 'number' : type
}

export function mayBe(type: Type, wanted: Type): boolean {
  return type === wanted || type === 'unknown' || wanted === 'unknown'
}

const names: Readonly<Record<Type, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
  nothing: 'null',
  unknown: 'something',
}
