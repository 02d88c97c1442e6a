import { nextIn } from './next.ts'
import { checkNames, type OptionNames } from './options.ts'
import type { Store, StoredThread } from './store.ts'

/** Which old threads are removed. */
export interface PruneOptions {
  /** Threads without a new entry since then go. */
  readonly unwrittenSince: Date
  /** Removes nothing, and returns what would be removed. Default: false. */
  readonly dryRun?: boolean | undefined
  /**
   * Called for each thread that would go. Return true to keep it. `isUnfinished`: a turn of it is unfinished or waits
   * for a decision, or a message waits. Default: such threads are kept.
   */
  readonly keeps?: ((thread: string, isUnfinished: boolean) => boolean | Promise<boolean>) | undefined
}

/** Which page of the old threads is looked at. */
export interface PrunePage extends PruneOptions {
  /** Default: 100. */
  readonly limit?: number | undefined
  /** The `next` of the previous page. */
  readonly after?: string | undefined
}

const prunePageOptions: OptionNames<PrunePage> = {
  unwrittenSince: true,
  dryRun: true,
  keeps: true,
  limit: true,
  after: true,
}

/** What became of a page of old threads. */
export interface PrunePageResult {
  /** Those that were removed, or would be, the oldest first. */
  readonly threads: readonly { readonly thread: string; readonly entries: number }[]
  /** How many stay although they are old: they have something to do, or got an entry just now. */
  readonly kept: number
  /** Where bytes may remain. */
  readonly remains: readonly string[]
  /** Set if there are more old threads. */
  readonly next?: string
}

/** Entries that are removed in one transaction: other writers wait for its end. A longer thread has its own. */
const most = 1000

/**
 * Removes a page of old threads. Each goes only if it is as it was when it was looked at: a thread that gets an entry
 * meanwhile stays.
 */
export async function prunePage(store: Store, options: PrunePage): Promise<PrunePageResult> {
  checkNames('prune', options, prunePageOptions)
  const { unwrittenSince, dryRun = false, keeps = (_, isUnfinished) => isUnfinished, limit, after } = options
  const { threads, next } = await store.list({ unwrittenSince, limit, after })
  const old: StoredThread[] = []
  for (const listed of threads) {
    // A log that cannot be read says nothing of itself. A person has to look at it.
    const step = await nextIn(store, listed.thread).catch(() => undefined)
    if (step && !(await keeps(listed.thread, step.do !== 'rest'))) old.push(listed)
  }
  const removed = new Set<string>()
  const remains = new Set<string>()
  for (const batch of dryRun ? [] : batchesOf(old)) {
    const pruned = await store.prune(batch)
    for (const thread of pruned.threads) removed.add(thread)
    for (const text of pruned.remains) remains.add(text)
  }
  const gone = dryRun ? old : old.filter(({ thread }) => removed.has(thread))
  return {
    threads: gone.map(({ thread, length }) => ({ thread, entries: length })),
    kept: threads.length - gone.length,
    remains: [...remains],
    ...(next !== undefined && { next }),
  }
}

/** All pages, one after the other. */
export async function* pruneThreads(store: Store, options: PruneOptions): AsyncGenerator<PrunePageResult> {
  let page: PrunePageResult | undefined
  do {
    page = await prunePage(store, { ...options, after: page?.next })
    yield page
  } while (page.next !== undefined)
}

function* batchesOf(threads: readonly StoredThread[]): Generator<readonly StoredThread[]> {
  let batch: StoredThread[] = []
  let entries = 0
  for (const thread of threads) {
    if (batch.length > 0 && entries + thread.length > most) {
      yield batch
      batch = []
      entries = 0
    }
    batch.push(thread)
    entries += thread.length
  }
  if (batch.length > 0) yield batch
}
