import { feedbackKey, feedbackOf, filterName, ratedEntry, type FeedbackQuery, type KeptFeedback } from './feedback.ts'
import { wellFormed } from './json.ts'
import type { SearchResult, Store, StoredRecord } from './store.ts'
import { fewAtATime } from './thread-list.ts'
import { holdsPhrases, searchPhrases, visible, type VisibleEntry } from './visible.ts'
import { recordNames } from './record-names.ts'

/** Which messages have feedback? What a page costs depends on how many fit the filter, not on the number of threads. */
export interface FeedbackPage extends FeedbackQuery {
  /** Default: all threads. */
  readonly thread?: string | undefined
  /** Only messages that have every word of it, themselves or in the comment. */
  readonly query?: string | undefined
  /** Default: 20. */
  readonly limit?: number | undefined
  /** The `next` of the previous page. */
  readonly after?: string | undefined
}

/** A message as people see it, with the feedback of one writer. */
export interface FeedbackResult extends Pick<VisibleEntry, 'id' | 'seq' | 'kind' | 'text'> {
  readonly thread: string
  /** Its first 1,000 characters. */
  readonly text: string
  readonly feedback: KeptFeedback
}

/** One page of the messages with feedback. */
export interface FeedbackList {
  readonly found: readonly FeedbackResult[]
  /** Set if there may be more: a page with words looks through a part of what fits its filter. */
  readonly next?: string
}

/** How many records one page looks at. */
const looked = 500
/** Characters of a message that are shown. */
const shownText = 1000

/** One page of the messages with feedback, what was written last first. */
export async function listFeedback(store: Store, asked: FeedbackPage = {}): Promise<FeedbackList> {
  const { limit = 20, query = '', after } = asked
  const name = filterName(asked)
  const phrases = searchPhrases(query)
  const fits = ({ text }: VisibleEntry, { rating, comment = '' }: KeptFeedback): boolean =>
    (asked.rating === undefined || rating === asked.rating) &&
    (phrases.length === 0 || holdsPhrases(`${text}\n${comment}`, phrases))
  const found: FeedbackResult[] = []
  let place = after
  for (let count = 0; count < looked; count += limit) {
    const records = await store.records.find({
      name,
      thread: asked.thread,
      limit,
      ...(place !== undefined && { after: place }),
    })
    const loaded = await fewAtATime(records, (record) => ratedMessage(store, record, fits))
    for (const [index, message] of loaded.entries()) {
      place = records[index]!.position
      if (message) found.push(message)
      if (found.length === limit) return { found, next: place }
    }
    if (records.length < limit) return { found }
  }
  return { found, ...(place !== undefined && { next: place }) }
}

/** The message of a record, and what was said of it. Undefined if either was erased, or if they do not fit. */
async function ratedMessage(
  store: Pick<Store, 'read'>,
  { thread, key, value }: Pick<StoredRecord, 'thread' | 'key' | 'value'>,
  fits: (entry: VisibleEntry, feedback: KeptFeedback) => boolean,
): Promise<FeedbackResult | undefined> {
  const [[entry], [said]] = await Promise.all([
    store.read(thread!, { id: ratedEntry(key) }),
    store.read(thread!, { id: String(value) }),
  ])
  const feedback = said && feedbackOf(said)
  const [shown] = entry && entry.status !== 'erased' ? visible([entry]) : []
  if (!feedback || !shown || !fits(shown, feedback)) return undefined
  const { id, seq, kind, text } = shown
  return { thread: thread!, id, seq, kind, text: wellFormed(text.slice(0, shownText)), feedback }
}

/** What a search found, without feedback that was corrected or taken back since. */
export async function searchCurrent(
  store: Pick<Store, 'records'>,
  results: readonly SearchResult[],
): Promise<SearchResult[]> {
  const current = await fewAtATime(results, async ({ thread, id, about, by }) => {
    if (about === undefined || by === undefined) return true
    const [record] = await store.records.find({ name: recordNames.feedback, key: feedbackKey(about, by), thread })
    return (record?.value as KeptFeedback | undefined)?.id === id
  })
  return results.filter((_, index) => current[index])
}
