export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; empty for any other value. */
export function asObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** True if a field has a value: JSON has null for none. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The fields of a JSON object; undefined if the text is not one. */
export function parseObject(json: string): Fields | undefined {
  try {
    return asObject(JSON.parse(json))
  } catch {
    return undefined
  }
}

/**
 * The arguments of a call as one text, whether they came as a JSON text or as a value. Missing arguments equal empty
 * ones.
 */
export function canonicalArguments(given: unknown): string {
  if (given === undefined || given === null) return '{}'
  if (typeof given !== 'string') return canonicalJson(given)
  const text = given.trim()
  if (text === '') return '{}'
  try {
    return canonicalJson(JSON.parse(text))
  } catch {
    return text
  }
}

/**
 * JSON with sorted keys and no white space. What is nested deeper than any real data is left out, so no stack
 * overflows.
 */
export function canonicalJson(value: unknown, levels = 500): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (levels === 0) return '…'
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, levels - 1)).join(',')}]`
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field, levels - 1)}`).join(',')}}`
}
