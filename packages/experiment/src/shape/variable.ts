import type { Variable, VariableType, Value } from '@minutebook/experiment/run'
import { z } from 'zod'
import { isPlain } from '../plain-value.ts'
import { oneOf, plainValue } from './wording.ts'

const types = ['number', 'integer', 'text', 'boolean', 'list', 'map'] as const

const long = z.strictObject(
  {
    type: oneOf(types).optional().describe('What it may hold. Default: the type of the initial value.'),
    initial: plainValue.describe('What it is when a run begins.'),
    description: z
      .string({ error: 'must be a text; put it in quotes' })
      .optional()
      .describe('Shown to participants that see it.'),
  },
  { error: 'must have initial; write it such as { type: number, initial: 100 }' },
)

/** So that a mistake is reported for the form that was meant. */
const otherForm = { abort: true }

/** A value alone: its type is that of the variable. A map with `type` or `initial` is the long form. */
const short = z.union([
  z.number(),
  z.string(),
  z.boolean(),
  z.array(z.unknown()).refine((value) => isPlain(value), otherForm),
  z
    .record(z.string(), z.unknown())
    .refine((value) => isPlain(value) && !Object.hasOwn(value, 'type') && !Object.hasOwn(value, 'initial'), otherForm),
])

/** A variable of the environment, short or long. */
export const variable: z.ZodType<Variable, unknown> = z
  .union([long, short], {
    error:
      'must be a value, or a variable with type and initial; write it such as 100, or { type: number, initial: 100 }',
  })
  .transform((given): Variable => {
    if (!isLong(given)) return { type: typeOfValue(given as Value) ?? 'map', initial: given as Value }
    const { type, initial, description } = given
    return { type: type ?? typeOfValue(initial) ?? 'map', initial, ...(description !== undefined && { description }) }
  })

function isLong(given: unknown): given is z.output<typeof long> {
  return (
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    (Object.hasOwn(given, 'initial') || Object.hasOwn(given, 'type'))
  )
}

function typeOfValue(value: Value): VariableType | undefined {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return Array.isArray(value) ? 'list' : undefined
}
