import { z } from 'zod'

/** The names that settings have at a place: `['upstreams', 1]` is a list's second. None where no settings are. */
export function knownAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<z.core.$ZodType | undefined>((within, part) => within && inside(bare(within), part), schema)
  const found = at && bare(at)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function inside(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as Readonly<Record<string, z.core.$ZodType>>)[String(part)]
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodRecord ? schema.valueType : undefined
}

/** Without what says that it may be missing, or is read in another form first. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap())
  if (!(schema instanceof z.ZodPipe)) return schema
  return bare(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
}
