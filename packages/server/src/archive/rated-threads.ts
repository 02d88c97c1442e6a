import type { Store } from 'minutebook'
import {
  checkMetadata,
  filterName,
  recordNames,
  type FeedbackQuery,
  type KeptFeedback,
  type StoredRecord,
} from 'minutebook/store'
import { isReserved } from '../matching/directory.ts'
import type { ArchivePage, ThreadList, ThreadSummary } from './thread-list.ts'
import { checkLimit, threadSummary } from './list.ts'

/** Whether a list is of threads with some feedback. */
export function isRatedPage({ rating, tag }: ArchivePage): boolean {
  return rating !== undefined || tag !== undefined
}

/**
 * Which threads have a message with this rating or tag? The one whose feedback was written last first. What a page costs
 * depends on how much feedback fits, not on the number of threads. A page may be short and still have a `next`.
 */
export async function listRatedThreads(
  store: Store,
  { limit = 100, after, rating, tag, marks = [], metadata = {} }: ArchivePage,
): Promise<ThreadList> {
  checkLimit(limit)
  const pairs = Object.entries(checkMetadata(metadata))
  const filter = { rating, tag }
  const name = filterName(filter)
  const isWanted = (summary: ThreadSummary): boolean =>
    (marks.length === 0 || summary.marks.some((mark) => marks.includes(mark))) &&
    pairs.every(([key, value]) => summary.metadata[key] === value)
  const threads: ThreadSummary[] = []
  let place = after
  for (let looked = 0; looked < most; looked += pageSize) {
    const found = await store.records.find({
      name,
      limit: pageSize,
      ...(place !== undefined && { after: place }),
    })
    for (const record of found) {
      place = record.position
      if (!(await isFirstOf(store, record, filter))) continue
      const summary = await threadSummary(store, record.thread!)
      if (isWanted(summary)) threads.push(summary)
      if (threads.length === limit) return { threads, next: place }
    }
    if (found.length < pageSize) return { threads }
  }
  return { threads, ...(place !== undefined && { next: place }) }
}

const pageSize = 100
/** How many records are read for one page. */
const most = 2000

/** Whether this is the newest feedback of its thread that fits: there the thread is listed, and nowhere else. */
async function isFirstOf(
  store: Pick<Store, 'records'>,
  { thread, position }: StoredRecord,
  filter: FeedbackQuery,
): Promise<boolean> {
  if (thread === null || isReserved(thread)) return false
  const isOne = filter.tag === undefined || filter.rating === undefined
  const own = await store.records.find({ name: filterName(filter), thread, limit: isOne ? 1 : pageSize })
  if (isOne) return own[0]?.position === position
  for (const record of own) {
    const [kept] = await store.records.find({ name: recordNames.feedback, key: record.key, thread })
    if ((kept?.value as KeptFeedback | undefined)?.rating === filter.rating) return record.position === position
  }
  return false
}
