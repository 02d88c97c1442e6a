import { MinutebookError, visible, type Book, type Store } from 'minutebook'
import type { ThreadDump } from 'minutebook/inspect'
import type { FeedbackQuery, FeedbackResult } from 'minutebook/store'
import { countersAtHand, type CountersAtHand } from './counters.ts'
import { isReserved } from '../matching/directory.ts'

/** Which rated messages are exported. */
export interface RatedChoice extends FeedbackQuery {
  readonly thread?: string | undefined
}

/** A rated message as a line of a dataset: the prompt as it was sent, what was said, and what a person thinks of it. */
interface RatedLine extends Pick<FeedbackResult, 'thread' | 'kind'> {
  readonly entry: string
  /** Null if no call made the message, or if its prompt cannot be derived any more. */
  readonly prompt: Pick<ThreadDump, 'messages' | 'tools' | 'hash' | 'same' | 'erased'> | null
  readonly text: string
  readonly calls: readonly unknown[]
  readonly feedback: FeedbackResult['feedback']
}

/** What the prompts are derived from. */
interface RatedSource {
  readonly store: Store
  readonly book: Pick<Book, 'feedback' | 'thread'>
  readonly options: CountersAtHand
}

/**
 * Yields a line of JSON for each piece of feedback that fits, what was written last first. One prompt is held at a time.
 * `before`: called before the log of a thread is read.
 */
export async function* ratedLines(
  source: RatedSource,
  { rating, tag, thread }: RatedChoice,
  before: (thread: string) => Promise<void> = async () => undefined,
): AsyncGenerator<string, void, void> {
  let after: string | undefined
  do {
    const { found, next } = await source.book.feedback({ rating, tag, thread, limit: pageSize, after })
    for (const one of found) {
      if (isReserved(one.thread)) continue
      await before(one.thread)
      const line = await lineOf(source, one)
      if (line) yield JSON.stringify(line)
    }
    after = next
  } while (after !== undefined)
}

const pageSize = 20

async function lineOf(
  source: RatedSource,
  { thread, id, seq, kind, feedback }: FeedbackResult,
): Promise<RatedLine | undefined> {
  const [entry, ...next] = await source.store.read(thread, { from: seq, to: seq + nearby })
  const [shown] = entry ? visible([entry]) : []
  if (!shown) return undefined
  const receipt = next.find((one) => one.kind === 'receipt' && one.parent === id && one.status !== 'erased')
  const prompt = receipt ? await promptOf(source, thread, receipt.id) : null
  return { thread, entry: id, kind, prompt, text: shown.text, calls: shown.calls, feedback }
}

/** A receipt is written together with its answer, and perhaps a note. */
const nearby = 64

async function promptOf(
  { store, book, options }: RatedSource,
  thread: string,
  receipt: string,
): Promise<RatedLine['prompt']> {
  try {
    const counter = countersAtHand(await store.read(thread, { last: nearby }), options, receipt)
    const { messages, tools, hash, same, erased } = await book.thread(thread, { counter }).dump({ receipt })
    return { messages, tools, hash, same, erased }
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'cannot_derive') return null
    throw error
  }
}
