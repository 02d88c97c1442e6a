import { unknownEntry } from '../log/log.ts'
import { entryOf } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import {
  checkFeedback,
  checkWriter,
  feedbackKey,
  feedbackText,
  filterRecords,
  isEmptyFeedback,
  type Feedback,
  type KeptFeedback,
} from '../log/feedback.ts'
import { traits } from '../log/kind.ts'
import type { NewRecord, Store, StoredEntry } from '../log/store.ts'
import type { ThreadHandle } from './turn-run.ts'
import { recordNames } from '../log/record-names.ts'

type Rated = Pick<ThreadHandle, 'store' | 'thread' | 'feed' | 'clock'>

/**
 * How is a message rated? With an entry that hangs off it, and records by which it is found, in one transaction. Reads
 * only the message, however long the log is. Returns false if the same was recorded already.
 */
export async function rate(
  { store, thread, feed, clock }: Rated,
  id: string,
  given: Feedback,
  by: string,
): Promise<boolean> {
  const feedback = checkFeedback(given)
  const key = feedbackKey(id, checkWriter(by))
  for (;;) {
    const rated = ratable((await store.read(thread, { id }))[0], id)
    const [record] = await store.records.find({ name: recordNames.feedback, key, thread })
    const before = record?.value as KeptFeedback | undefined
    if (isSameFeedback(before ?? { tags: [] }, feedback)) return false
    const content = feedbackText(feedback, by, before?.id ?? (await newestId(store, thread)))
    const entry = entryOf({ role: 'system', content }, rated, {
      kind: 'feedback',
      ...(clock && { time: clock.now() }),
    })
    const kept: KeptFeedback = { id: entry.id, by, ...feedback, ...(entry.time !== undefined && { time: entry.time }) }
    const records = filterRecords(key, kept)
    const isListed = ({ name }: NewRecord): boolean => records.some((listed) => listed.name === name)
    const removed = filterRecords(key, before).filter((listed) => !isListed(listed))
    const appended = await store.append(thread, [entry], {
      records: [
        { name: recordNames.feedback, key, value: kept, expected: record?.version ?? 0 },
        ...records,
        ...removed.map((listed) => ({ ...listed, remove: true })),
      ],
    })
    if (!appended.ok) continue
    await checkStill(store, thread, { rated, feedback: entry.id })
    feed.publish(thread, { type: 'grown' })
    return true
  }
}

/**
 * What feedback without a record replaces: everything so far. The log may have the same feedback already, erased, taken
 * back, or copied without its record. With the id of the newest entry, this is another entry, and it counts.
 */
async function newestId(store: Store, thread: string): Promise<string | null> {
  return (await store.read(thread, { last: 1 }))[0]?.id ?? null
}

/** Erases the feedback, and throws `not_ratable`, if the message was erased while the feedback was written. */
async function checkStill(
  store: Store,
  thread: string,
  { rated, feedback }: { readonly rated: StoredEntry; readonly feedback: string },
): Promise<void> {
  const [now] = await store.read(thread, { id: rated.id })
  if (now?.status === 'erased') await store.erase(thread, [feedback])
  ratable(now, rated.id)
}

function ratable(entry: StoredEntry | undefined, id: string): StoredEntry {
  if (!entry) throw unknownEntry(id)
  const { chained, pinned } = traits[entry.kind]
  if (!chained || pinned || entry.status === 'erased')
    throw new MinutebookError(
      'not_ratable',
      `The entry cannot be rated: it is ${entry.status === 'erased' ? 'erased' : `of the kind ${entry.kind}`}.`,
      'Rate a message of a user, a model or a tool.',
    )
  return entry
}

function isSameFeedback(one: Feedback, other: Feedback): boolean {
  if (isEmptyFeedback(one) || isEmptyFeedback(other)) return isEmptyFeedback(one) && isEmptyFeedback(other)
  const said = ({ rating, comment, tags }: Feedback): string => JSON.stringify([rating, comment, tags])
  return said(one) === said(other)
}
