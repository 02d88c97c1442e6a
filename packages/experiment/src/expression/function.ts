import type { Value } from '@minutebook/experiment/run'
import { finite, list, map, number, text, whole } from './assert.ts'
import { evaluationError, type Frame } from './code.ts'
import type { Type } from './type.ts'

/** A function of expressions. */
export interface ExpressionFunction {
  /** One list of types for each way to call it. */
  readonly takes: readonly (readonly Type[])[]
  /** More of the last. */
  readonly more?: boolean
  readonly gives: Type
  readonly run: (given: readonly Value[], frame: Frame) => Value
}

const ofNumber = (run: (value: number) => number): ExpressionFunction => ({
  takes: [['number']],
  gives: 'number',
  run: ([value = null]) => finite(run(number(value))),
})

const ofNumbers = (run: (values: readonly number[]) => number): ExpressionFunction => ({
  takes: [['list'], ['number']],
  more: true,
  gives: 'number',
  run: (given, frame) => {
    const [first = null] = given
    const values = (given.length === 1 && Array.isArray(first) ? list(first) : given).map(number)
    frame.spend(values.length)
    return finite(run(values))
  },
})

const size: ExpressionFunction['run'] = ([value = null], frame) => {
  if (typeof value !== 'string')
    return Array.isArray(value) ? value.length : Object.keys(Object(value) as object).length
  frame.spend(value.length)
  return Array.from(value).length
}

/** Called as `round(x)`. */
export const functions: Readonly<Record<string, ExpressionFunction>> = {
  round: {
    takes: [['number'], ['number', 'number']],
    gives: 'number',
    run: ([value = null, digits = 0]) => rounded(number(value), whole(digits)),
  },
  floor: ofNumber(Math.floor),
  ceil: ofNumber(Math.ceil),
  abs: ofNumber(Math.abs),
  sqrt: ofNumber(Math.sqrt),
  min: ofNumbers((values) => values.reduce((least, value) => Math.min(least, value), Infinity)),
  max: ofNumbers((values) => values.reduce((most, value) => Math.max(most, value), -Infinity)),
  sum: { ...ofNumbers((values) => values.reduce((sum, value) => sum + value, 0)), takes: [['list']], more: false },
  clamp: {
    takes: [['number', 'number', 'number']],
    gives: 'number',
    run: ([value = null, low = null, high = null]) => Math.min(Math.max(number(value), number(low)), number(high)),
  },
  int: {
    takes: [['number'], ['text']],
    gives: 'number',
    run: ([value = null], frame) => finite(Math.trunc(numberIn(value, frame))),
  },
  double: {
    takes: [['number'], ['text']],
    gives: 'number',
    run: ([value = null], frame) => finite(numberIn(value, frame)),
  },
  string: {
    takes: [['number'], ['text'], ['boolean']],
    gives: 'text',
    run: ([value = null]) => (typeof value === 'object' ? text(value) : String(value)),
  },
  size: { takes: [['text'], ['list'], ['map']], gives: 'number', run: size },
  put: {
    takes: [['map', 'text', 'unknown']],
    gives: 'map',
    run: ([owner = null, name = null, value = null], frame) => {
      const fields = map(owner)
      if (text(name) === '__proto__')
        throw evaluationError('"__proto__" cannot be the name of a field', 'choose another name')
      frame.spend(Object.keys(fields).length + text(name).length)
      return { ...fields, [text(name)]: value }
    },
  },
}

/** Called as `name.contains("x")`: the first argument is before the dot. */
export const methods: Readonly<Record<string, ExpressionFunction>> = {
  size: { takes: [['text'], ['list'], ['map']], gives: 'number', run: size },
  contains: ofTexts('boolean', (whole, part) => whole.includes(part)),
  startsWith: ofTexts('boolean', (whole, part) => whole.startsWith(part)),
  endsWith: ofTexts('boolean', (whole, part) => whole.endsWith(part)),
  split: ofTexts('list', (whole, part) => whole.split(part)),
  lowerAscii: ofText((value) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  upperAscii: ofText((value) => value.replace(/[a-z]/g, (letter) => letter.toUpperCase())),
  trim: ofText((value) => value.trim()),
  join: {
    takes: [['list'], ['list', 'text']],
    gives: 'text',
    run: ([items = null, between = ''], frame) => {
      const texts = list(items).map(text)
      frame.spend(texts.reduce((length, part) => length + part.length + text(between).length, 0))
      return texts.join(text(between))
    },
  },
}

/** Asked of chance: `random.integer(1, 6)`. */
export const chances: Readonly<Record<string, ExpressionFunction>> = {
  integer: {
    takes: [['number', 'number']],
    gives: 'number',
    run: ([low = null, high = null], { random }) => {
      if (whole(low) > whole(high))
        throw evaluationError('random.integer has a low above its high', 'write the lower one first')
      return random?.integer(whole(low), whole(high)) ?? 0
    },
  },
  pick: {
    takes: [['list']],
    gives: 'unknown',
    run: ([items = null], { random }) => {
      if (list(items).length === 0)
        throw evaluationError('random.pick has nothing to pick from', 'see that the list is not empty')
      return random?.pick(list(items)) ?? null
    },
  },
}

function ofText(run: (value: string) => string): ExpressionFunction {
  return {
    takes: [['text']],
    gives: 'text',
    run: ([value = null], frame) => (frame.spend(text(value).length), run(text(value))),
  }
}

function ofTexts(gives: Type, run: (whole: string, part: string) => Value): ExpressionFunction {
  return {
    takes: [['text', 'text']],
    gives,
    run: ([whole = null, part = null], frame) => (
      frame.spend(text(whole).length + text(part).length),
      run(text(whole), text(part))
    ),
  }
}

/** Half goes away from zero, as people round. */
function rounded(value: number, digits: number): number {
  if (digits < 0 || digits > 15)
    throw evaluationError('a number is rounded to 0 to 15 digits', 'write such a number of digits')
  if (digits === 0) return finite(Math.sign(value) * Math.round(Math.abs(value)))
  return finite(Math.abs(value) >= 1e21 ? value : Number(value.toFixed(digits)))
}

function numberIn(value: Value, frame: Frame): number {
  if (typeof value !== 'string') return number(value)
  frame.spend(value.length)
  const found = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(found))
    throw evaluationError('a text that is not a number was to become one', 'see what it holds')
  return found
}
