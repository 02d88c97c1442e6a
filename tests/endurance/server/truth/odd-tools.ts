import type { Dice } from '../../../support/dice.ts'

const names = ['weather', 'lookUp', 'zähle', 'a', 'Ω', 'very_long_name_of_a_tool_that_does_something'] as const
const numbers = [0, -0, 1e21, 1.5e-7, 1.2345678901234567e19, 0.1, -9007199254740991, 1e300, 42] as const
const texts = [
  'The weather of a place.',
  'Zählt Dinge.',
  '“quoted” — and more',
  '',
  '天気を調べる',
  'x'.repeat(120),
  'line\nline',
  '\u0000',
  '👩‍💻',
  '<b>',
] as const

/** Tools as clients send them: some schemas, some names twice, with fields that nobody knows. */
export function oddTools(dice: Dice): readonly object[] {
  return Array.from({ length: dice.below(5) }, () => ({
    type: 'function',
    function: {
      name: dice.pick(names),
      description: dice.pick(texts),
      parameters: oddSchema(dice, 3),
      ...(dice.isLucky(0.3) && { strict: dice.isLucky(0.5) }),
      ...(dice.isLucky(0.2) && { [dice.pick(['x-own', '0', '10', 'zeta', '__own'])]: oddValue(dice, 2) }),
    },
    ...(dice.isLucky(0.2) && { cache_control: { type: 'ephemeral' } }),
  }))
}

function oddSchema(dice: Dice, depth: number): object {
  const properties = Object.fromEntries(
    Array.from({ length: 1 + dice.below(5) }, () => [
      dice.pick(['place', 'a', 'Z', '10', '9', 'unit', 'über', 'when', '\u2028']),
      depth > 0 && dice.isLucky(0.3)
        ? oddSchema(dice, depth - 1)
        : {
            type: dice.pick(['string', 'number', ['string', 'null']]),
            ...(dice.isLucky(0.4) && { enum: [dice.pick(texts), dice.pick(numbers)] }),
            ...(dice.isLucky(0.3) && { maximum: dice.pick(numbers) }),
            ...(dice.isLucky(0.4) && { description: dice.pick(texts) }),
          },
    ]),
  )
  return {
    type: 'object',
    properties,
    ...(dice.isLucky(0.5) && { required: Object.keys(properties).slice(0, 1) }),
    ...(dice.isLucky(0.2) && { additionalProperties: false }),
  }
}

/** Arguments of a call. */
export function oddArguments(dice: Dice): object {
  return Object.fromEntries(
    Array.from({ length: dice.below(4) }, () => [dice.pick(['place', 'unit', 'a', '10', '9', 'Z']), oddValue(dice, 2)]),
  )
}

export function oddValue(dice: Dice, depth: number): unknown {
  if (depth > 0 && dice.isLucky(0.3))
    return { b: oddValue(dice, depth - 1), a: oddValue(dice, depth - 1), 7: oddValue(dice, 0) }
  if (depth > 0 && dice.isLucky(0.2)) return [oddValue(dice, depth - 1), null]
  return dice.pick([null, true, dice.pick(numbers), dice.pick(texts)])
}

/** The same value with the fields of every object in another order. */
export function shuffled<T>(value: T, dice: Dice): T {
  if (Array.isArray(value)) return value.map((item: unknown) => shuffled(item, dice)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [dice.roll(), name, shuffled(field, dice)] as const)
      .toSorted(([left], [right]) => left - right)
      .map(([, name, field]) => [name, field]),
  ) as T
}
