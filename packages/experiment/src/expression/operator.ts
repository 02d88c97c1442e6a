import type { Value } from '@minutebook/experiment/run'
import { finite, list, number } from './assert.ts'
import { evaluationError, type Frame } from './code.ts'
import { mayBe, type Type, typeName, typeOf } from './type.ts'

/** An operator between two values. */
interface Operator {
  /** What comes of two types; or what is wrong with them. */
  type(left: Type, right: Type): Type | { readonly problem: string; readonly fix: string }
  run(left: Value, right: Value, frame: Frame): Value
}

const calculates = (sign: string, run: (left: number, right: number) => number): Operator => ({
  type: (left, right) =>
    mayBe(left, 'number') && mayBe(right, 'number')
      ? 'number'
      : {
          problem: `"${sign}" needs two numbers, not ${typeName(left)} and ${typeName(right)}`,
          fix: hint(left, right),
        },
  run: (left, right) => finite(run(number(left), number(right))),
})

const compares = (sign: string, run: <T extends string | number>(left: T, right: T) => boolean): Operator => ({
  type: (left, right) => {
    const fits = (['number', 'text'] as const).some((type) => mayBe(left, type) && mayBe(right, type))
    return fits
      ? 'boolean'
      : {
          problem: `"${sign}" compares two numbers or two texts, not ${typeName(left)} and ${typeName(right)}`,
          fix: hint(left, right),
        }
  },
  run: (left, right, frame) => {
    if (typeof left !== 'string' || typeof right !== 'string') return run(number(left), number(right))
    frame.spend(Math.min(left.length, right.length))
    return run(left, right)
  },
})

const equates = (sign: string, run: (left: Value, right: Value, frame: Frame) => boolean): Operator => ({
  type: (left, right) => {
    const fits = mayBe(left, right) || left === 'nothing' || right === 'nothing'
    return fits
      ? 'boolean'
      : {
          problem: `"${sign}" compares ${typeName(left)} with ${typeName(right)}, which are never the same`,
          fix: hint(left, right),
        }
  },
  run,
})

export const operators: Readonly<Record<string, Operator>> = {
  '+': {
    type: (left, right) => {
      const type = (['number', 'text', 'list'] as const).find((one) => mayBe(left, one) && mayBe(right, one))
      if (type !== undefined)
        return left === 'unknown' && right === 'unknown' ? 'unknown' : left === 'unknown' ? right : left
      return {
        problem: `"+" needs two numbers, two texts or two lists, not ${typeName(left)} and ${typeName(right)}`,
        fix: hint(left, right),
      }
    },
    run: plus,
  },
  '-': calculates('-', (left, right) => left - right),
  '*': calculates('*', (left, right) => left * right),
  '/': calculates('/', (left, right) => left / right),
  '%': calculates('%', (left, right) => left % right),
  '<': compares('<', (left, right) => left < right),
  '<=': compares('<=', (left, right) => left <= right),
  '>': compares('>', (left, right) => left > right),
  '>=': compares('>=', (left, right) => left >= right),
  '==': equates('==', equal),
  '!=': equates('!=', (left, right, frame) => !equal(left, right, frame)),
  in: {
    type: (left, right) => {
      if (mayBe(right, 'list') || (right === 'map' && mayBe(left, 'text'))) return 'boolean'
      return {
        problem: `"in" looks into a list, or for a field of a map, not for ${typeName(left)} in ${typeName(right)}`,
        fix: right === 'text' ? 'write "whole.contains(part)"' : 'give a list',
      }
    },
    run: (left, right, frame) => {
      if (typeof left === 'string' && typeOf(right) === 'map') return Object.hasOwn(Object(right) as object, left)
      return list(right).some((item) => equal(left, item, frame))
    },
  },
}

function plus(left: Value, right: Value, frame: Frame): Value {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right)
  if (typeof left === 'string' && typeof right === 'string') {
    frame.spend(left.length + right.length)
    return left + right
  }
  if (isList(left) && isList(right)) {
    frame.spend(left.length + right.length)
    return [...left, ...right]
  }
  throw evaluationError(
    `"+" needs two numbers, two texts or two lists, not ${typeName(typeOf(left))} and ${typeName(typeOf(right))}`,
    'see what the variables hold',
  )
}

function hint(left: Type, right: Type): string {
  if (left === right) return 'see which of them is meant'
  if (left === 'text' || right === 'text')
    return 'write "string(x)" to make a text of a number, "double(x)" to make a number of a text'
  return 'make both the same'
}

/** Whether two values are the same, however deep they are. */
function equal(left: Value, right: Value, frame: Frame): boolean {
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
function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}
