import { MinutebookError } from 'minutebook'
import { isReserved } from './directory.ts'

/** Where names of new threads come from. */
export interface Chance {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly random: (bytes: number) => Uint8Array
}

/**
 * The name of a new thread: sorted by time, random, and short enough to be typed.
 *
 * @example
 * newThread('app', { now: Date.now(), random: randomBytes }) // 'app/20261115-124649123-k3v9x2m4p1'
 */
export function newThread(scope: string, { now, random }: Chance): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T')
  const letters = Array.from(random(10), (byte) => alphabet.charAt(byte % 32)).join('')
  return `${prefixOf(scope)}${digits(date)}-${digits(time)}-${letters}`
}

/**
 * The thread that a client names. Every API key has names of its own, so that none reaches another's threads; with and
 * without the key's prefix, which our answers have, it is the same thread. Throws `invalid_thread`.
 */
export function namedThread(scope: string, name: string): string {
  const prefix = prefixOf(scope)
  const own = name.startsWith(prefix) ? name.slice(prefix.length) : name
  if (!isName.test(own)) throw invalid('it must be 1 to 200 printable ASCII characters without spaces')
  if (isReserved(own)) throw invalid('names that begin with "minutebook:" are kept for our own records')
  return prefix + own
}

function prefixOf(scope: string): string {
  return scope === '' ? '' : `${encodeURIComponent(scope)}/`
}

function digits(text: string): string {
  return text.replace(/\D/g, '')
}

function invalid(why: string): MinutebookError {
  return new MinutebookError('invalid_thread', `The header minutebook-thread names no thread: ${why}. Send another name, or leave the header out.`)
}

const isName = /^[\x21-\x7e]{1,200}$/
/** Without letters that are easily taken for others. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
