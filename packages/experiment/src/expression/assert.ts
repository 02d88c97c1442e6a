import type { MinutebookError } from 'minutebook'
import type { Value } from '@minutebook/experiment/run'
import { evaluationError } from './code.ts'
import { typeName, typeOf, type Type } from './type.ts'

/** For values whose type could not be known before. */
export function number(value: Value): number {
  return typeof value === 'number' ? value : fail(wrongTypeError(value, 'number'))
}

export function text(value: Value): string {
  return typeof value === 'string' ? value : fail(wrongTypeError(value, 'text'))
}

export function truth(value: Value): boolean {
  return typeof value === 'boolean' ? value : fail(wrongTypeError(value, 'boolean'))
}

export function list(value: Value): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : fail(wrongTypeError(value, 'list'))
}

export function map(value: Value): Readonly<Record<string, Value>> {
  return typeOf(value) === 'map' ? (value as Readonly<Record<string, Value>>) : fail(wrongTypeError(value, 'map'))
}

export function whole(value: Value): number {
  const found = number(value)
  return Number.isSafeInteger(found)
    ? found
    : fail(evaluationError('a whole number is needed', 'round it, such as "floor(x)"'))
}

/** JSON has no infinity. */
export function finite(value: number): number {
  // No minus before a zero: it is invisible, and the record would lose it.
  return Number.isFinite(value)
    ? value + 0
    : fail(evaluationError('a number has no value', 'see that nothing is divided by zero or grows without end'))
}

function wrongTypeError(value: Value, wanted: Type): MinutebookError {
  return evaluationError(
    `${typeName(wanted)} is needed, and there is ${typeName(typeOf(value))}`,
    'see what the variable or field holds',
  )
}

function fail(error: MinutebookError): never {
  throw error
}
