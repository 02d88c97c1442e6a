import fc from 'fast-check'
import { MinutebookError } from 'minutebook'
import { seeded, type Value } from '@minutebook/experiment/run'
import { describe, expect, test } from 'vitest'
import { Mistake, readExpression } from '../src/expression/expression.ts'
import { typeOf } from '../src/expression/type.ts'
import { canBeDoneIn } from '../../../tests/support/stopwatch.ts'

const values: Readonly<Record<string, Value>> = {
  cash: 12.5,
  lemons: 3,
  round: 7,
  weather: 'sunny',
  open: true,
  prices: [1, 2.5, 4],
  names: ['ann', 'bob'],
  stock: { lemons: 3, deep: { ice: 1 } },
  nothing: null,
}
const variables = new Map(
  Object.entries(values).map(([name, value]) => [
    name,
    { type: name === 'nothing' ? ('unknown' as const) : typeOf(value) },
  ]),
)

const evaluate = (text: string): Value =>
  readExpression(text, { variables, chance: true }).evaluate(values, seeded(7, 'here'))

/** The outcome, or the problem that is found before it runs, or the code of what happens when it does. */
function outcomeOf(text: string): Value {
  try {
    return evaluate(text)
  } catch (error) {
    if (error instanceof Mistake) return `mistake: ${error.finding.problem}`
    if (MinutebookError.isInstance(error)) return error.code
    throw error
  }
}

const meanings: readonly (readonly [expression: string, outcome: Value])[] = [
  // There is one kind of number.
  ['cash - 10', 2.5],
  ['cash >= 10', true],
  ['lemons + 1', 4],
  ['7 / 2', 3.5],
  ['7 % 4', 3],
  ['-7 % 4', -3],
  ['2 * 3 + 4', 10],
  ['2 * (3 + 4)', 14],
  ['-lemons', -3],
  ['0x10', 16],
  ['1e3', 1000],
  ['lemons == 3.0', true],
  ['3 == 3.0', true],
  ['0.1 + 0.2', 0.1 + 0.2],
  ['9007199254740993', 9007199254740992],
  ['-0', 0],
  ['0 * -1', 0],
  ['round(2.5)', 3],
  ['round(-2.5)', -3],
  ['round(2.345, 2)', 2.35],
  ['round(round / 2)', 4],
  ['floor(2.9)', 2],
  ['ceil(2.1)', 3],
  ['abs(-2)', 2],
  ['sqrt(9)', 3],
  ['int(2.9)', 2],
  ['int("7")', 7],
  ['double("2.5")', 2.5],
  ['min(3, 1, 2)', 1],
  ['max(3, 1, 2)', 3],
  ['min(prices)', 1],
  ['max(prices)', 4],
  ['sum(prices)', 7.5],
  ['clamp(15, 0, 10)', 10],
  ['clamp(-1, 0, 10)', 0],
  // Texts.
  ['"a" + \'b\'', 'ab'],
  ['string(lemons) + " lemons"', '3 lemons'],
  ['string(12.5)', '12.5'],
  ['string(open)', 'true'],
  ['weather == "sunny"', true],
  ['"a" < "b"', true],
  ['size("añ😀")', 3],
  ['weather.contains("unn")', true],
  ['weather.startsWith("s")', true],
  ['weather.endsWith("x")', false],
  ['"Ab".lowerAscii() + "Ab".upperAscii()', 'abAB'],
  ['" a ".trim()', 'a'],
  ['"a,b".split(",")', ['a', 'b']],
  ['names.join(" and ")', 'ann and bob'],
  // Conditions.
  ['open && lemons > 5', false],
  ['open || missing_is_not_asked', 'mistake: there is no variable "missing_is_not_asked"'],
  ['!open', false],
  ['lemons > 2 ? "many" : "few"', 'many'],
  ['false && 1 / 0 > 1', false],
  ['true || 1 / 0 > 1', true],
  // Lists and maps.
  ['prices[0]', 1],
  ['prices[lemons - 1]', 4],
  ['2.5 in prices', true],
  ['"ann" in names', true],
  ['"lemons" in stock', true],
  ['stock.lemons', 3],
  ['stock["lemons"]', 3],
  ['stock.deep.ice', 1],
  ['has(stock.ice)', false],
  ['has(stock.lemons)', true],
  ['prices + [5]', [1, 2.5, 4, 5]],
  ['{"a": 1, "b": [lemons]}', { a: 1, b: [3] }],
  ['prices.map(price, price * 2)', [2, 5, 8]],
  ['prices.map(price, price > 2, price * 2)', [5, 8]],
  ['prices.filter(price, price > 2)', [2.5, 4]],
  ['prices.all(price, price > 0)', true],
  ['prices.exists(price, price > 3)', true],
  ['prices.exists_one(price, price > 2)', false],
  ['stock.map(name, name)', ['lemons', 'deep']],
  ['size(prices) + prices.size()', 6],
  ['prices == [1, 2.5, 4]', true],
  ['stock == {"deep": {"ice": 1}, "lemons": 3}', true],
  [
    'prices.map(a, prices.map(b, a * b))',
    [
      [1, 2.5, 4],
      [2.5, 6.25, 10],
      [4, 10, 16],
    ],
  ],
  ['prices.map(a, [a].map(a, a + 1)[0] + a)', [3, 6, 9]],
  ['nothing == null', true],
  ['null == 1', false],
  ['put(stock, "ice", lemons)', { lemons: 3, deep: { ice: 1 }, ice: 3 }],
  ['put(stock, "lemons", stock.lemons - 1).lemons', 2],
  ['put({}, names[0], cash)', { ann: 12.5 }],
  ['[put(stock, "lemons", 0), stock][1].lemons', 3],
  // Chance.
  ['random()', seeded(7, 'here').next()],
  ['random.integer(1, 6)', seeded(7, 'here').integer(1, 6)],
  ['random.pick(names)', seeded(7, 'here').pick(['ann', 'bob'])],
  ['random() == random()', false],
]

test.each(meanings)('%s is %j', (expression, outcome) => {
  expect(outcomeOf(expression)).toEqual(outcome)
})

const failures: readonly (readonly [expression: string, outcome: string])[] = [
  ['cash + weather', 'mistake: "+" needs two numbers, two texts or two lists, not a number and a text'],
  ['cash == weather', 'mistake: "==" compares a number with a text, which are never the same'],
  ['cash && open', 'mistake: needs true or false, and this is a number'],
  ['-weather', 'mistake: needs a number, and this is a text'],
  ['round(weather)', 'mistake: round cannot be asked with a text'],
  ['round()', 'mistake: round cannot be asked with nothing'],
  ['clamp(1, 2)', 'mistake: clamp cannot be asked with a number and a number'],
  ['weather.shout()', 'mistake: there is no function "shout" behind a value'],
  ['weather.map(x, x)', 'mistake: cannot go through a text'],
  ['prices.filter(price, price)', 'expression_failed'],
  ['prices.filter(price, 1)', 'mistake: "filter" needs true or false for each item, and this is a number'],
  ['prices.map(1, 2)', 'mistake: names no item to go through the list with'],
  ['prices.map(price)', 'mistake: "map" needs a name for the item, and an expression'],
  ['prices.first', 'mistake: there is no field "first" in a list'],
  ['price', 'mistake: there is no variable "price"'],
  ['prices.all(price, price > 1) && price > 1', 'mistake: there is no variable "price"'],
  ['{a: 1}', 'mistake: the name of a field must be a text'],
  ['b"bytes"', 'mistake: holds a value of a kind that JSON does not have'],
  ['2u', 'mistake: holds a value of a kind that JSON does not have'],
  ['1e999', 'mistake: cannot be read from "1e999" on'],
  ['timestamp("2026-01-01T00:00:00Z")', 'mistake: there is no function "timestamp"'],
  ['weather.matches("(a+)+$")', 'mistake: there is no function "matches" behind a value'],
  ['cel.bind(x, 1, x)', 'mistake: there is no function "bind" behind a value'],
  ['type(1)', 'mistake: there is no function "type"'],
  ['1 / 0', 'expression_failed'],
  ['0 % 0', 'expression_failed'],
  ['sqrt(-1)', 'expression_failed'],
  ['1e308 * 10', 'expression_failed'],
  ['double("x")', 'expression_failed'],
  ['double("")', 'expression_failed'],
  ['int("1e400")', 'expression_failed'],
  ['put(nothing, "a", 1)', 'expression_failed'],
  ['put(stock, "__proto__", stock)', 'expression_failed'],
  ['put(prices, 0, 1)', 'mistake: put cannot be asked with a list and a number and a number'],
  ['prices[3]', 'expression_failed'],
  ['prices[-1]', 'expression_failed'],
  ['prices[0.5]', 'expression_failed'],
  ['stock.ice', 'expression_failed'],
  ['random.pick([])', 'expression_failed'],
  ['random.integer(6, 1)', 'expression_failed'],
  ['min([])', 'expression_failed'],
  ['round(1, 99)', 'expression_failed'],
]

test('a name that is used again in an inner list keeps its value outside of it', () => {
  expect(evaluate('[1].map(x, [2].map(x, [3].map(y, x)))')).toEqual([[[2]]])
  expect(evaluate('[1].map(x, [[2].map(x, x), [3].map(y, [4].map(z, x + y + z))])')).toEqual([[[2], [[8]]]])
})

test.each(failures)('%s fails: %s', (expression, outcome) => {
  expect(outcomeOf(expression)).toBe(outcome)
})

describe('an expression that means harm', () => {
  const reach = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf']

  test.each(reach)('finds no %s', (name) => {
    for (const text of [
      name,
      `${name}()`,
      `stock.${name}`,
      `stock["${name}"]`,
      `stock[string("${name}")]`,
      `weather.${name}`,
      `prices.${name}`,
      `stock.deep.${name}`,
      `weather.${name}()`,
      `random.${name}()`,
    ]) {
      expect([text, outcomeOf(text)]).toEqual([text, expect.stringMatching(/^(?:mistake|expression_failed)/)])
    }
    for (const text of [`has(stock.${name})`, `"${name}" in stock`])
      expect([text, outcomeOf(text)]).toEqual([
        text,
        expect.toSatisfy((outcome: unknown) => outcome === false || String(outcome).startsWith('mistake')),
      ])
  })

  test('makes no field that is a prototype', () => {
    expect(outcomeOf('{"__proto__": {"polluted": true}}')).toBe('mistake: "__proto__" cannot be the name of a field')
    expect('polluted' in {}).toBe(false)
  })

  const long = `[${Array.from({ length: 1000 }, (_, index) => index).join(',')}]`
  test.each([
    ['is too long', `1${' + 1'.repeat(1000)}`, 'mistake: is longer than 4000 characters'],
    ['nests deep', `${'('.repeat(100)}1${')'.repeat(100)}`, 'mistake: is nested too deep'],
    ['negates often', `${'!'.repeat(3000)}open`, 'mistake: is nested too deep'],
    ['adds often', `1${'+1'.repeat(1900)}`, 'mistake: is nested too deep'],
    [
      'goes through a list in a list in a list',
      'many.map(a, many.map(b, many.map(c, many.map(d, a + b + c + d))))',
      'expression_failed',
    ],
    [
      'doubles a list',
      Array.from({ length: 40 }).reduce<string>((text) => `[${text}].map(x, x + x)[0]`, 'many'),
      'expression_failed',
    ],
    [
      'doubles a text',
      Array.from({ length: 40 }).reduce<string>((text) => `[${text}].map(x, x + x)[0]`, '"ab"'),
      'expression_failed',
    ],
    ['compares long lists often', 'many.filter(a, many.filter(b, many == many + [1]) == [])', 'expression_failed'],
    ['splits a long text often', 'many.map(a, text.split(""))', 'expression_failed'],
  ])('%s, and ends soon', (_, text, outcome) => {
    const many = JSON.parse(long) as Value
    const scope = {
      variables: new Map([...variables, ['many', { type: 'list' as const }], ['text', { type: 'text' as const }]]),
      chance: true,
    }
    const found = (): unknown => {
      try {
        return readExpression(text, scope).evaluate({ ...values, many, text: 'x'.repeat(10_000) }, seeded(1, ''))
      } catch (error) {
        return error instanceof Mistake
          ? `mistake: ${error.finding.problem}`
          : MinutebookError.isInstance(error)
            ? error.code
            : error
      }
    }
    expect(canBeDoneIn(1000, () => expect(found()).toBe(outcome))).toBe(true)
  })

  test('whatever it is: an outcome that JSON can say, a mistake or a failure', () => {
    const piece = fc.constantFrom(
      'cash',
      'weather',
      'stock',
      'prices',
      '.lemons',
      '[0]',
      '(',
      ')',
      '+',
      '-',
      '/',
      '==',
      '<',
      'in',
      '&&',
      '!',
      '?',
      ':',
      '"a"',
      '1',
      '0.5',
      ',',
      '.map(x, x)',
      '.size()',
      'round(',
      'random()',
      '{',
      '}',
      '[',
      ']',
      'null',
      '__proto__',
      '.constructor',
      '\\',
      "'",
      '`',
      '\u0000',
      '😀',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const outcome = outcomeOf(pieces.join(' '))
        expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
      }),
    )
  })
})

/** Arithmetic as text, and as a function. */
interface Sum {
  readonly text: string
  readonly value: (cash: number, lemons: number) => number
}

const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(
        fc.integer({ min: 0, max: 1000 }),
        fc.double({ min: 0, max: 1000, noNaN: true }).map((value) => Number(value.toFixed(3))),
      )
      .map((value): Sum => ({ text: String(value), value: () => value })),
    fc.constant<Sum>({ text: 'cash', value: (cash) => cash }),
    fc.constant<Sum>({ text: 'lemons', value: (_, lemons) => lemons }),
    fc.tuple(tie('sum'), fc.constantFrom('+', '-', '*'), tie('sum')).map(([left, sign, right]): Sum => ({
      text: `(${left.text} ${sign} ${right.text})`,
      value: (...given) =>
        sign === '+'
          ? left.value(...given) + right.value(...given)
          : sign === '-'
            ? left.value(...given) - right.value(...given)
            : left.value(...given) * right.value(...given),
    })),
    fc.tuple(tie('sum'), tie('sum')).map(([left, right]): Sum => ({
      text: `max(${left.text}, ${right.text})`,
      value: (...given) => Math.max(left.value(...given), right.value(...given)),
    })),
    fc.tuple(tie('sum'), tie('sum'), tie('sum')).map(([one, yes, no]): Sum => ({
      text: `(${one.text} > 10 ? ${yes.text} : floor(${no.text}))`,
      value: (...given) => (one.value(...given) > 10 ? yes.value(...given) : Math.floor(no.value(...given))),
    })),
  ),
}))

test('arithmetic is what a function written by hand makes of it', () => {
  const scope = {
    variables: new Map([
      ['cash', { type: 'number' as const }],
      ['lemons', { type: 'number' as const }],
    ]),
    chance: false,
  }
  fc.assert(
    fc.property(
      sum,
      fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0),
      fc.integer({ min: -1000, max: 1000 }),
      ({ text, value }, cash, lemons) => {
        fc.pre(text.length < 4000 && Number.isFinite(value(cash, lemons)))
        const { type, evaluate: found } = readExpression(text, scope)
        expect(type).toBe('number')
        expect(found({ cash, lemons })).toBe(value(cash, lemons) + 0)
      },
    ),
  )
})
