import { memoryStore, openBook, type Book, type Store, type TokenCounter } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'

export interface Recorded {
  readonly store: Store
  readonly book: Book
}

/** A store with threads in it: each a list of questions, answered by the lines in their order. */
export async function recorded(
  threads: Readonly<Record<string, readonly string[]>>,
  lines: readonly ScriptedLine[] = [],
  options: RecordedOptions = {},
): Promise<Recorded> {
  const store = memoryStore()
  const questions = Object.values(threads).flat().length
  const model = scriptedModel([...lines, ...Array.from({ length: questions }, (_, index) => `answer ${index + 1}`)], {
    model: 'strict',
    wire: 'ollama',
  })
  const { window = 4096, counter } = options
  const book = openBook({ store, model, window, clock: ticking(), journal: false, ...(counter && { counter }) })
  for (const [thread, asked] of Object.entries(threads))
    for (const question of asked) await book.thread(thread).send(question).done
  return { store, book }
}

export interface RecordedOptions {
  readonly window?: number
  readonly counter?: TokenCounter
}

/** A second later each time. */
function ticking(): Clock {
  let seconds = 0
  return {
    now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
    after: () => new Promise(() => undefined),
  }
}

export async function gathered<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}
