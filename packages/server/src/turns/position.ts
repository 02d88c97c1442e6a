import { MinutebookError, type WatchPosition } from 'minutebook'
import type { Standing } from 'minutebook/store'

/** A place in a stream. */
export interface StreamPosition extends WatchPosition {
  /** Whether it was told there that a turn is over: what stands last in a log may have the same place. */
  readonly isEnd?: boolean
}

/**
 * A position as the `id` of an event.
 *
 * @example
 * positionText({ seq: 3, term: 1, offset: 24 }) // '3.1.24'
 */
export function positionText({ seq, term, offset, isEnd = false }: StreamPosition): string {
  return `${seq}.${term}.${offset}${isEnd ? end : ''}`
}

/** Throws `invalid_position` where a text is none. */
export function positionFrom(text: string): StreamPosition {
  const isEnd = text.endsWith(end)
  const numbers = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(isEnd ? text.slice(0, -end.length) : text)
  if (!numbers)
    throw new MinutebookError(
      'invalid_position',
      'This is no position of a stream.',
      'Pass the id of an event of that stream, or nothing.',
    )
  const [, seq, term, offset] = numbers.map(Number)
  return { seq: seq ?? 0, term: term ?? 0, offset: offset ?? 0, ...(isEnd && { isEnd }) }
}

/** The same. Throws `invalid_position` also where a thread that stands so has not come as far. */
export function positionWithin(text: string, { length, term }: Pick<Standing, 'length' | 'term'>): StreamPosition {
  const position = positionFrom(text)
  if (position.seq <= length && position.term <= term) return position
  throw new MinutebookError(
    'invalid_position',
    'This thread has not come as far as this position, so it is of another one.',
    'Pass the id of an event of its own stream, or nothing.',
  )
}

const end = '.end'
