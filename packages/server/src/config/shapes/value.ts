import { z } from 'zod'

export const text = (wanted: string): z.ZodString => z.string({ error: wanted }).min(1, { error: wanted })
export const count = (wanted: string, least: number, most: number): z.ZodNumber =>
  z.number({ error: wanted }).int({ error: wanted }).min(least, { error: wanted }).max(most, { error: wanted })
export const tokens = (least: number): z.ZodNumber =>
  count(`must be a whole number of tokens, ${least} or more. Write a number.`, least, 2 ** 31)
export const milliseconds = (most: number): z.ZodNumber =>
  count(`must be a whole number of milliseconds, ${most} at most. Write a number.`, 0, most)
export const yesOrNo: z.ZodBoolean = z.boolean({ error: 'must be true or false. Write one of them.' })
export const oneOf = <const T extends readonly string[]>(names: T): z.ZodEnum<{ [K in T[number]]: K }> =>
  z.enum(names, { error: `must be ${names.join(' or ')}. Write one of them.` })
export const list = <T extends z.ZodType>(of: T): z.ZodArray<T> =>
  z.array(of, { error: 'must be a list. Write one value per line, each after "- ".' })

/** An address that `problemOf` finds nothing wrong with. */
export const address = (problemOf: (value: unknown) => string | undefined): z.ZodType<string> =>
  z
    .unknown()
    .superRefine((value, context) => {
      const problem = problemOf(value)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
    .transform(String)

/** Names and values of HTTP headers. */
export const headers: z.ZodRecord<z.ZodString, z.ZodString> = z.record(
  z.string().regex(/^[A-Za-z0-9-]+$/, { error: 'holds what is no name of a header. Write letters, digits and "-".' }),
  z
    .string({ error: 'must be the value of a header, as text. Put it in quotes.' })
    .regex(/^[\x20-\x7e]*$/, { error: 'holds a character that no header has. Copy it again, without line breaks.' }),
  { error: 'must be headers by name, such as "authorization: Bearer …".' },
)
