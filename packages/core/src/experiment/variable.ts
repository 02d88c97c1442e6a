import type { Value } from './value.ts'

/** Something that an experiment keeps track of. */
export interface Variable {
  readonly type: VariableType
  readonly initial: Value
  /** Told to whoever sees it, behind its value. */
  readonly description?: string | undefined
}

export type VariableType = 'number' | 'integer' | 'text' | 'boolean' | 'list' | 'map'

/** Whether a value is of a type; a number that JSON cannot say is of none. */
export function isOfType(type: VariableType, value: Value | undefined): boolean {
  return value !== undefined && tests[type](value)
}

const tests: Readonly<Record<VariableType, (value: Value) => boolean>> = {
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}
