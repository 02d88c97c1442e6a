/** JSON with sorted keys and no white space: one text for one value. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${Array.from(value, (item) => canonicalJson(item)).join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON())
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

/** The parsed value, or undefined where the text is not JSON or is nested too deeply to be walked. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/**
 * Levels of nesting: what goes deeper, or in a circle, would overflow the stack of whoever walks it, in one runtime
 * sooner than in another.
 */
export const deepest = 500

export function isTooDeep(value: unknown, levels: number = deepest): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return levels === 0 || Object.values(value).some((field) => isTooDeep(field, levels - 1))
}

/** Whether the last character is only half there. */
export function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Without half a surrogate pair at its end. */
export function wellFormed(text: string): string {
  return endsInHalf(text) ? text.slice(0, -1) : text
}
