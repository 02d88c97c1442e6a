import { z } from '@hono/zod-openapi'

/**
 * Connects a schema with a type of ours. A test checks every answer against the document, so that both agree: the type
 * has exact optional fields, which a schema cannot express.
 */
export function shape<T>(name: string, schema: z.ZodType): z.ZodType<T> {
  return schema.openapi(name) as z.ZodType<T>
}

export const text: z.ZodString = z.string()
export const whole: z.ZodNumber = z.number().int()
export const id: z.ZodString = z.string().openapi({ description: 'The id of an entry.', example: '9f2c4e…' })

/** The deepest nesting of a value that is recorded. */
const deepest = 100

/** True if the JSON of a value has at most `longest` characters, and nests at most 100 levels deep. */
export function isShortJson(value: unknown, longest: number): boolean {
  const isFlat = (inner: unknown, levels: number): boolean =>
    typeof inner !== 'object' ||
    inner === null ||
    (levels > 0 && Object.values(inner).every((it) => isFlat(it, levels - 1)))
  return isFlat(value, deepest) && JSON.stringify(value).length <= longest
}

/** A whole number in a query. */
export function countIn(least: number, most: number, description: string): z.ZodType<number | undefined> {
  const message = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: message })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: message })
    .optional()
    .openapi({
      param: { schema: { type: 'integer', minimum: least, maximum: most } },
      description,
      type: 'integer',
    }) as unknown as z.ZodType<number | undefined>
}

/** Yes or no in a query. */
export function flagIn(description: string): z.ZodType<boolean> {
  return z
    .enum(['0', '1'])
    .optional()
    .transform((value) => value === '1')
    .openapi({ description, type: 'string', enum: ['0', '1'] }) as unknown as z.ZodType<boolean>
}
