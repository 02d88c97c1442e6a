import { MinutebookError, type WatchPosition } from 'minutebook'

/**
 * A position as the `id` of an event.
 *
 * @example
 * positionText({ seq: 3, term: 1, offset: 24 }) // '3.1.24'
 */
export function positionText({ seq, term, offset }: WatchPosition): string {
  return `${seq}.${term}.${offset}`
}

/** Throws `invalid_position` where a text is none. */
export function positionFrom(text: string): WatchPosition {
  const numbers = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (!numbers) throw new MinutebookError('invalid_position', 'This is no position of a stream; pass the id of an event of that stream, or nothing.')
  const [, seq, term, offset] = numbers.map(Number)
  return { seq: seq ?? 0, term: term ?? 0, offset: offset ?? 0 }
}
