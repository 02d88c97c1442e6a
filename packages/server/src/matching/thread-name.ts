import { placeOfThread } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'
import { isReserved } from './directory.ts'

/** The source of names for new threads. */
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
export function newThread(owner: string, { now, random }: Chance): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T')
  const letters = Array.from(random(10), (byte) => alphabet.charAt(byte % 32)).join('')
  return `${prefixOf(owner)}${digits(date)}-${digits(time)}-${letters}`
}

/**
 * The thread that a client names. Every API key has its own names, so no key reaches another's threads. With or without
 * the key's prefix, which our answers have, it is the same thread. Throws `invalid_thread`.
 */
export function namedThread(owner: string, name: string): string {
  const prefix = prefixOf(owner)
  const own = name.startsWith(prefix) ? name.slice(prefix.length) : name
  if (!isName.test(own)) throw invalidThreadError('it must be 1 to 200 printable ASCII characters without spaces')
  if (isReserved(own)) throw invalidThreadError('names that begin with "minutebook:" are reserved for Minutebook')
  if (placeOfThread(prefix + own))
    throw invalidThreadError('names such as "run/…/…" belong to the participants of experiments')
  return prefix + own
}

/** A name that a client gives a thread directly: all names of a tenant are one space. Throws `invalid_thread`. */
export function checkThreadName(name: string): string {
  if (!isName.test(name))
    throw new MinutebookError(
      'invalid_thread',
      'This is not a valid name for a thread.',
      'Use 1 to 200 printable ASCII characters without spaces.',
    )
  if (isReserved(name))
    throw new MinutebookError(
      'invalid_thread',
      'Names that begin with "minutebook:" are reserved for Minutebook.',
      'Use another name.',
    )
  if (placeOfThread(name))
    throw new MinutebookError(
      'invalid_thread',
      'Names such as "run/…/…" belong to the participants of experiments.',
      'Use another name.',
    )
  return name
}

/** What a key calls a thread of its own. */
export function ownName(owner: string, thread: string): string {
  const prefix = prefixOf(owner)
  return thread.startsWith(prefix) ? thread.slice(prefix.length) : thread
}

/** Returns whether a thread is one that a key may name. */
export function isOwnedBy(owner: string, thread: string): boolean {
  return thread.startsWith(prefixOf(owner))
}

function prefixOf(owner: string): string {
  return owner === '' ? '' : `${encodeURIComponent(owner)}/`
}

function digits(text: string): string {
  return text.replace(/\D/g, '')
}

function invalidThreadError(why: string): MinutebookError {
  return new MinutebookError(
    'invalid_thread',
    `The header minutebook-thread is not a valid name: ${why}.`,
    'Send another name, or leave the header out.',
  )
}

const isName = /^[\x21-\x7e]{1,200}$/
/** Without letters that are easily taken for others. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
