export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * The value as a log can keep it. Bytes, URLs and dates become objects with one key that names the type. Undefined
 * values are left out, as by `JSON.stringify`.
 */
export function toJson(value: unknown): Json {
  if (typeof value !== 'object' || value === null) return isJson(value) ? value : null
  if (value instanceof Uint8Array) return { $bytes: base64Of(value) }
  if (value instanceof ArrayBuffer) return { $buffer: base64Of(new Uint8Array(value)) }
  if (value instanceof URL) return { $url: value.href }
  if (value instanceof Date) return { $date: value.toJSON() }
  if (Array.isArray(value)) return value.map(toJson)
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON())
  const fields = toFields(value)
  return tagOf(fields) === undefined ? fields : { $plain: fields }
}

/** An object's fields as JSON; those that are undefined are left out. */
export function toFields(value: object): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (isKept(field) ? [[key, toJson(field)]] : [])),
  )
}

/** The value that `toJson` was given. */
export function fromJson(json: Json | undefined): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (isList(json)) return json.map(fromJson)
  const tag = tagOf(json)
  if (tag === undefined) return fromFields(json)
  return readers[tag]!(json[tag] as Json)
}

/** The value of a JSON text. An unreadable text is returned as it is. */
export function readJson(text: string): unknown {
  try {
    return fromJson(JSON.parse(text) as Json)
  } catch {
    return text
  }
}

export function fromFields(json: JsonObject | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json ?? {}).map(([key, field]) => [key, fromJson(field)]))
}

const readers: Readonly<Record<string, (json: Json) => unknown>> = {
  $bytes: (json) => bytesOf(json as string),
  $buffer: (json) => bytesOf(json as string).buffer,
  $url: (json) => new URL(json as string),
  $date: (json) => new Date(json === null ? Number.NaN : (json as string)),
  $plain: (json) => fromFields(json as JsonObject),
}

/** The key of an object that represents something else. */
function tagOf(json: JsonObject): string | undefined {
  const [key, ...others] = Object.keys(json)
  return key !== undefined && others.length === 0 && Object.hasOwn(readers, key) ? key : undefined
}

function isJson(value: unknown): value is null | boolean | number | string {
  return value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
}

function isKept(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

/** True for an object that is not a list. */
export function isFields(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !isList(json)
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}

/** In pieces: a function call has a limit of arguments. */
const piece = 0x8000

export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece))
  return btoa(text)
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
