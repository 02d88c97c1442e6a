import type { Value } from '@minutebook/experiment/run'
import { nearestName } from 'minutebook/inspect'
import { z } from 'zod'
import { isPlain } from '../plain-value.ts'

/** All messages here consist of what is wrong and, after "; ", what to do about it. */
export const text = (wanted: string): z.ZodString => z.string({ error: wanted }).min(1, { error: wanted })
/** A name that is kept, and shown in one line. */
export const name = (wanted: string): z.ZodString =>
  text(wanted).max(200, { error: 'is longer than 200 characters; shorten it' })
export const whole = (wanted: string, least: number, most: number = Number.MAX_SAFE_INTEGER): z.ZodNumber =>
  z.number({ error: wanted }).int({ error: wanted }).min(least, { error: wanted }).max(most, { error: wanted })
export const yesOrNo: z.ZodBoolean = z.boolean({ error: 'must be true or false; write one of them' })
export const list = <T extends z.ZodType>(of: T, example: string): z.ZodArray<T> =>
  z.array(of, { error: `must be a list; write it such as ${example}` })
export const oneOf = <const T extends readonly string[]>(names: T): z.ZodEnum<{ [K in T[number]]: K }> =>
  z.enum(names, { error: ({ input }) => `must be ${names.join(' or ')}; ${nearFix(input, names)}` })

function nearFix(given: unknown, names: readonly string[]): string {
  const near = typeof given === 'string' ? nearestName(given, names) : undefined
  return near === undefined ? 'write one of them' : `did you mean "${near}"?`
}

/** Of tools, as models call them. */
export const toolName: z.ZodString = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
  error: 'cannot be a name; write a letter, and up to 63 letters, digits, "_" or "-" behind it',
})

/** Of variables and participants: a word that is valid in texts, names of threads and expressions. */
export const word: z.ZodString = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, {
  error: 'cannot be a name; write a letter, and up to 39 letters, digits or "_" behind it',
})

/** A number or a truth value is an expression, too. */
export const expression: z.ZodType<string, string | number | boolean> = z
  .union([z.string(), z.number(), z.boolean()], {
    error: 'must be an expression; write it in quotes, such as "cash >= 1000"',
  })
  .transform(String)

export const headers: z.ZodRecord<z.ZodString, z.ZodString> = z.record(
  z.string().regex(/^[A-Za-z0-9-]+$/, { error: 'is not a valid header name; write letters, digits and "-"' }),
  z
    .string({ error: 'must be the value of a header; write it in quotes' })
    .regex(/^[\x20-\x7e]*$/, { error: 'holds a character that no header has; copy it again, without line breaks' }),
  { error: 'must be headers by name; write them such as "authorization: Bearer ${KEY}"' },
)

/** Plain data that a variable, an option or a message can hold. */
export const plainValue: z.ZodType<Value, unknown> = z
  .unknown()
  .refine((value) => isPlain(value), {
    error: 'must be plain data; write numbers, texts, true, false, lists and maps, at most 32 deep',
  })
  .transform((value) => value as Value)
