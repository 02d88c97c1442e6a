/**
 * Takes every occurrence of these values out of a text: what a server says in an error may repeat the key it was given.
 * Works on the whole text, so cut it to length afterwards.
 */
export function redactor(values: Iterable<unknown>): (text: string) => string {
  const secrets = new Set([...values].filter((value) => typeof value === 'string').flatMap(formsOf))
  const longestFirst = [...secrets].toSorted((left, right) => right.length - left.length)
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text)
}

/** The value, what in it could be a secret by itself (`Bearer …`, cookies), and both as they stand in an address. */
function formsOf(value: string): string[] {
  const parts = value.split(/[\s;,=]/).filter((part) => part.length >= 8)
  const forms = [value.trim(), ...parts].filter((form) => form.length >= shortest)
  return forms.flatMap((form) => [form, attempted(encodeURIComponent, form)])
}

/** A shorter value is no secret, and its letters stand in every other word. */
const shortest = 4

/** The values of headers in any form that a client takes them in, but for those that say nothing of the caller. */
export function headerValues(headers: unknown): unknown[] {
  if (typeof headers !== 'object' || headers === null) return []
  const list: readonly unknown[] = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers)
  return list.flatMap((entry) => {
    const [name, ...values] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (plain.has(String(name).toLowerCase())) return []
    return values.flat().flatMap((value) => (typeof value === 'object' ? headerValues(value) : [value]))
  })
}

const plain: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent'])

/** User name and password of an address such as `http://user:password@host`. */
export function credentialsIn(address: unknown): string[] {
  if (typeof address !== 'string') return []
  const start = address.indexOf('://') + 3
  const end = address.lastIndexOf('@')
  if (start < 3 || end < start) return []
  const pair = address.slice(start, end)
  return [pair, ...pair.split(':')].flatMap((value) => [value, attempted(decodeURIComponent, value)])
}

/** Host and port of an address, without all else that it may hold; undefined where it is not plain which part they are. */
export function hostIn(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined
  const start = address.indexOf('://') + 3
  if (start < 3) return undefined
  const rest = address.slice(start)
  const end = rest.search(/[/?#]/)
  const place = end < 0 ? rest : rest.slice(0, end)
  // A slash in a password that was not encoded: what stands before it is no host.
  if (rest.lastIndexOf('@') > place.length) return undefined
  const host = place.slice(place.lastIndexOf('@') + 1)
  return host.length <= 255 && /^[A-Za-z0-9._:[\]-]+$/.test(host) ? host : undefined
}

/** What cannot be converted stays as it is. */
function attempted(convert: (value: string) => string, value: string): string {
  try {
    return convert(value)
  } catch {
    return value
  }
}
