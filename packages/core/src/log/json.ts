/** JSON with sorted keys and no white space: one text for one value. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${Array.from(value, (item) => canonicalJson(item)).join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON())
  // Every message of every request comes through here: without lists of lists, it takes half as long.
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const field = (value as Readonly<Record<string, unknown>>)[key]
    if (field !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `{${text}}`
}

/** Returns the parsed value. Undefined if the text is not JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/**
 * The text in a code fence, which small models put around JSON: from the line after the first fence to the last one, or
 * to the end if the fence was never closed. A text that does not begin with a fence is returned without blanks around it.
 */
export function unfenced(text: string): string {
  const said = text.trim()
  if (!said.startsWith(fence)) return said
  const begin = said.indexOf('\n') + 1
  return said.slice(begin, said.endsWith(fence) ? Math.max(begin, said.length - fence.length) : said.length)
}

const fence = '```'

/**
 * The deepest nesting that is allowed. Deeper or circular values would overflow the stack, at a depth that differs
 * between runtimes.
 */
export const maxJsonDepth = 500

export function isTooDeep(value: unknown, levels: number = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return levels === 0 || Object.values(value).some((field) => isTooDeep(field, levels - 1))
}

/** True if the text ends with half a surrogate pair. */
export function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Removes half a surrogate pair from the end of a text. */
export function wellFormed(text: string): string {
  return endsInHalf(text) ? text.slice(0, -1) : text
}
