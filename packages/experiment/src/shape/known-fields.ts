import { z } from 'zod'
import type { Path } from '../problem.ts'

/** The names that fields have at a place. None where names are free. */
export function knownAt(schema: z.core.$ZodType, path: Path): readonly string[] {
  const at = path.reduce<readonly z.core.$ZodType[]>(
    (within, part) => within.flatMap((one) => inside(one, part)),
    forms(schema),
  )
  return [...new Set(at.flatMap((found) => (found instanceof z.ZodObject ? Object.keys(found.shape) : [])))]
}

function inside(schema: z.core.$ZodType, part: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject)
    return forms((schema.shape as Readonly<Record<string, z.core.$ZodType>>)[String(part)])
  if (schema instanceof z.ZodArray) return forms(schema.element)
  return schema instanceof z.ZodRecord ? forms(schema.valueType) : []
}

/** All that a schema can be, without what says that it may be missing or becomes something else. */
function forms(schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] {
  if (!schema) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return forms(schema.unwrap())
  if (schema instanceof z.ZodPipe) return forms(schema.in)
  return schema instanceof z.ZodUnion ? schema.options.flatMap(forms) : [schema]
}
