import { MinutebookError } from 'minutebook'
import { digesterOf } from 'minutebook/inspect'
import type { DigesterData } from 'minutebook/compile'

/** What is wrong with one setting. Never contains its value, which may be a secret. */
export interface Problem {
  /** `upstreams[1].url` */
  readonly field: string
  /** What is wrong and how to fix it, in one line. */
  readonly text: string
}

export function problemText({ field, text }: Problem): string {
  return field === '' ? text : `${field}: ${text}`
}

/** A path as people write it: `upstreams[1].url`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    const text = String(part)
    const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
    if (!isPlain) return `${name}["${text}"]`
    return name === '' ? text : `${name}.${text}`
  }, '')
}

/** What is wrong with the address of an upstream; undefined if nothing is. */
export function upstreamProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value))
    return 'must be the address of a server. Write one such as http://127.0.0.1:11434.'
  const { protocol, username, password, search, hash } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://. Correct the address.'
  if (username !== '' || password !== '')
    return 'contains a user name or password. Write the key into the field key, next to url.'
  if (search !== '' || hash !== '') return 'contains a query. Remove everything from "?" or "#" on.'
  return undefined
}

/** What is wrong with the address of another service; undefined if nothing is. */
export function serviceProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value))
    return 'must be the address of a service. Write one such as https://tools.example/search.'
  const { protocol, username, password } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://. Correct the address.'
  return username !== '' || password !== ''
    ? 'contains a user name or password. Remove them, and write secrets into headers.'
    : undefined
}

/** A host without scheme, port or path; an IPv6 address with or without brackets. */
export function isHostName(value: string): boolean {
  const host = value.includes(':') && !value.startsWith('[') ? `[${value}]` : value
  if (!URL.canParse(`http://${host}`)) return false
  const url = new URL(`http://${host}`)
  return url.host === host.toLowerCase() && url.port === '' && url.pathname === '/' && url.username === ''
}

/** What a browser sends as Origin: of a web page, or of an app with a scheme of its own. */
export function isOrigin(value: string): boolean {
  if (value === 'null') return true
  if (/^https?:/.test(value)) return !value.includes('*') && URL.canParse(value) && new URL(value).origin === value
  return /^[a-z][a-z0-9+.-]*:\/\/(\*|[A-Za-z0-9._-]*)$/.test(value)
}

/** What is wrong with a digester as data; undefined if nothing is. */
export function digesterProblem(data: unknown): string | undefined {
  try {
    digesterOf(data as DigesterData)
    return undefined
  } catch (error) {
    if (MinutebookError.isInstance(error)) return error.message
    throw error
  }
}
