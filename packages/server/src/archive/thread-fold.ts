import type { LRUCache } from 'lru-cache'
import type { Store } from 'minutebook'
import type { Standing, StoredEntry } from 'minutebook/store'

/** A value that is computed from the entries of a log in order. It is plain JSON. */
export interface ThreadFold<T> {
  readonly empty: T
  add(value: T, entry: StoredEntry): T
  /** The name of the snapshot in which the value of a long thread is kept. */
  readonly snapshot: string
}

/** The value of a thread, and how far it was read for it. */
export interface KnownFold<T> extends Pick<Standing, 'length' | 'erasures'> {
  readonly value: T
}

/** Entries that are read at a time. */
const page = 64
/** As many entries are read faster than a snapshot of them. */
const short = 32
const worthKeeping = 16

/** Computes the value of a thread. What is `known` is not read again, and the rest is read a page at a time. */
export async function foldThread<T>(
  store: Store,
  { thread, length, erasures }: Pick<Standing, 'length' | 'erasures'> & { readonly thread: string },
  fold: ThreadFold<T>,
  known: LRUCache<string, KnownFold<T>>,
): Promise<T> {
  const seen = known.get(thread)
  const before = seen?.erasures === erasures ? seen : await loaded(store, thread, length, fold)
  let { value } = before
  let last: StoredEntry | undefined
  for (let from = before.length; from < length;) {
    const to = Math.min(length, from + page)
    const entries = await store.read(thread, { from, to })
    value = entries.reduce((kept, entry) => fold.add(kept, entry), value)
    last = entries.at(-1) ?? last
    from = to
  }
  if (last && length > short && length - before.length > worthKeeping) {
    const { id, seq } = last
    await store.snapshots.save(thread, fold.snapshot, { id, seq, value }, { erasures, only: true })
  }
  known.set(thread, { length, erasures, value })
  return value
}

async function loaded<T>(
  store: Store,
  thread: string,
  length: number,
  { empty, snapshot }: ThreadFold<T>,
): Promise<Pick<KnownFold<T>, 'length' | 'value'>> {
  const kept = length > short ? await store.snapshots.load(thread, snapshot) : undefined
  return kept ? { length: kept.seq + 1, value: kept.value as T } : { length: 0, value: empty }
}
