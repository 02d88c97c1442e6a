import { MinutebookError } from '../log/error.ts'
import type { Standing } from '../log/store.ts'

/**
 * How far has a watcher seen a thread? The seq of the next entry, and the number of characters (`offset`) that it has
 * seen of the model call that runs there under `term`. Clients get it as a text.
 */
export interface WatchPosition {
  readonly seq: number
  readonly term: number
  readonly offset: number
  /** True if the end of a turn was told there. The last entry of the turn may have the same numbers. */
  readonly isEnd?: boolean
}

/** The position before the first event of an entry. */
export function positionAt(seq: number): string {
  return positionText({ seq, term: 0, offset: 0 })
}

/**
 * A place as the position of an event.
 *
 * @example
 * positionText({ seq: 3, term: 1, offset: 24 }) // '3.1.24'
 */
export function positionText({ seq, term, offset, isEnd = false }: WatchPosition): string {
  return `${seq}.${term}.${offset}${isEnd ? end : ''}`
}

/** The place of a position, which may come from a client. Throws `invalid_position` if the text has another form. */
export function readPosition(position: string): WatchPosition {
  const isEnd = position.endsWith(end)
  const numbers = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(isEnd ? position.slice(0, -end.length) : position)
  if (!numbers) throw invalidPositionError('This is not a position of a stream.')
  const [, seq, term, offset] = numbers.map(Number)
  return { seq: seq ?? 0, term: term ?? 0, offset: offset ?? 0, ...(isEnd && { isEnd }) }
}

/** Throws `invalid_position` if this is no position, or if it is after the end of the thread. */
export function checkPosition(position: string, standing: Standing): void {
  checkReached(readPosition(position), standing)
}

/** Throws `invalid_position` if the place is after the end of the thread. */
export function checkReached({ seq, term }: Pick<WatchPosition, 'seq' | 'term'>, standing: Standing): void {
  if (seq > standing.length || term > standing.term)
    throw invalidPositionError('This position is after the end of this thread, so it belongs to another thread.')
}

function invalidPositionError(problem: string): MinutebookError {
  return new MinutebookError(
    'invalid_position',
    problem,
    'Pass the position of an event of the stream of this thread, or nothing.',
  )
}

const end = '.end'
