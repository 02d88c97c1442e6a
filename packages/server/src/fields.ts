export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** The fields of a JSON text; undefined where it is none. */
export function fieldsFrom(json: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(json))
  } catch {
    return undefined
  }
}
