import { MinutebookError } from './error.ts'
import { checkMetadata, metadataFrom, type Metadata, type MetadataChanges } from './metadata.ts'
import type { NewRecord, Store } from './store.ts'
import { recordNames } from './record-names.ts'

// How are the metadata of a thread read and changed?

/** Metadata as records of its thread. */
export function metadataRecords(metadata: Metadata): readonly NewRecord[] {
  return Object.entries(checkMetadata(metadata)).map(([key, value]) => ({ name: recordNames.metadata, key, value }))
}

/** The metadata of a thread, with its keys in order. */
export async function readMetadata(store: Pick<Store, 'records'>, thread: string): Promise<Metadata> {
  const found = await store.records.find({ name: recordNames.metadata, thread })
  return metadataFrom(found.map(({ key, value }) => [key, String(value)]))
}

/**
 * Changes some pairs of a thread's metadata and returns all of it. Throws `unknown_thread` if the thread has no entries:
 * then nothing would ever list, export or remove the pairs.
 */
export async function changeMetadata(store: Store, thread: string, changes: MetadataChanges): Promise<Metadata> {
  const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)) as Metadata
  const removed = Object.keys(changes).filter((key) => changes[key] === null)
  checkMetadata(set)
  for (;;) {
    const { length, term } = await store.standing(thread)
    if (length === 0)
      throw new MinutebookError(
        'unknown_thread',
        'There is no such thread.',
        'Pass the metadata with the first message: book.thread(id, { metadata }).',
      )
    const kept = Object.entries(await readMetadata(store, thread)).filter(([key]) => !removed.includes(key))
    const metadata = checkMetadata({ ...Object.fromEntries(kept), ...set })
    // Under the term: not in a thread that was removed meanwhile.
    const records = [
      ...metadataRecords(set),
      ...removed.map((key) => ({ name: recordNames.metadata, key, value: null, remove: true })),
    ]
    const written = await store.append(thread, [], { term, records })
    if (written.ok) return metadataFrom(Object.entries(metadata))
  }
}
