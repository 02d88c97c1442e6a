import { createHash } from 'node:crypto'
import type { Book, TokenCounter } from 'minutebook'
import type { Overhead } from 'minutebook/inspect'

/** What a counter counted when the prompts of a thread were made: by the beginning of the SHA-256 of each text. */
export interface Counts {
  /** Null where the prompts were made with the estimator, which is at hand everywhere. */
  readonly counter: { readonly name: string; readonly overhead: Overhead } | null
  readonly counts: Readonly<Record<string, number>>
}

/** Makes all prompts of the newest branch once more, and keeps what was counted on the way. */
export async function countsOf(book: Book, thread: string, counter: TokenCounter | undefined): Promise<Counts> {
  if (!counter) return { counter: null, counts: {} }
  const counts: Record<string, number> = {}
  const listening: TokenCounter = {
    ...counter,
    count: (text) => (counts[keyOf(text)] ??= counter.count(text)),
  }
  await book.thread(thread, { counter: listening }).replay({})
  return { counter: { name: counter.name, overhead: counter.overhead }, counts }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, keyLength)
}

const keyLength = 16
