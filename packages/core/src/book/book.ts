import { systemClock } from '../clock.ts'
import { listFeedback, searchCurrent, type FeedbackList, type FeedbackPage } from '../log/feedback-list.ts'
import { feedbackRecords } from '../log/feedback.ts'
import type { Removal } from '../log/erasure.ts'
import { traits } from '../log/kind.ts'
import { createPauses } from '../log/time.ts'
import { draftIn, exported, createThread, restoredRecord } from '../log/new-thread.ts'
import { createPieceCache } from '../past/piece-cache.ts'
import { pruneThreads, type PrunePageResult, type PruneOptions } from '../log/prune.ts'
import { isTransient } from '../log/error.ts'
import { checkNames, shown, type OptionNames } from '../log/options.ts'
import type { Page, SearchResult, SearchScope, Store } from '../log/store.ts'
import { threadLister, type ThreadList } from '../log/thread-list.ts'
import { localFeed, type Feed } from '../turns/feed.ts'
import { createLocalSenders } from '../turns/local-senders.ts'
import { runWoken } from '../turns/resume.ts'
import { closingEntries } from '../turns/close-restored.ts'
import { needsWork } from '../log/next.ts'
import { listWaiting, type CallList } from '../log/open-call.ts'
import { createThreadLocks, type TurnQueue } from '../turns/turn-queue.ts'
import { unfinishedThreads, localQueue } from './local-queue.ts'
import type { Turn, TurnResult } from '../turns/turn.ts'
import { heldPieces, openThreads, type ThreadCache } from './held-threads.ts'
import { openRunner, openThread, prepare, type BookContext } from './open-thread.ts'
import {
  checkThreadOptions,
  threadOptions,
  turnConfigOf,
  type OpenOptions,
  type ThreadOptions,
} from './thread-options.ts'
import { needsStoreError, openStateless, type StatelessBook, type StatelessOptions } from './stateless-book.ts'
import type { Thread } from './thread.ts'
import { recordNames } from '../log/record-names.ts'

/** All threads of one store, and the means to run their turns in this process. Create one with `openBook`. */
export interface Book {
  /**
   * Returns the thread with this id. It need not exist yet: the first message creates it. `options` override the
   * book's. If it was opened with the same options not long ago, it is the same object.
   */
  thread(id: string, options?: ThreadOptions): Thread
  /**
   * Lists the threads with title, metadata and times, the most recently written first: all of them, or those whose
   * metadata has these pairs.
   *
   * @example
   * const { threads, next } = await book.threads({ metadata: { owner: 'ann' }, limit: 20 })
   */
  threads(page?: Page): Promise<ThreadList>
  /**
   * Finds visible entries, and feedback, that contain every word of the query, in one thread or in all, the newest
   * first. Default limit: 20.
   */
  search(query: string, within?: SearchScope): Promise<SearchResult[]>
  /** Lists messages with feedback, what was written last first. Default limit: 20. */
  feedback(page?: FeedbackPage): Promise<FeedbackList>
  /**
   * Removes a thread for good: its entries and all that was kept with them. Afterwards it is in no list and no search,
   * and a new thread may have its name. A turn that runs on it ends as `fenced`, on any instance. Forks stay. To keep the
   * chain of entries and remove only what they say, use `thread.erase`.
   *
   * @example
   * const { entries, remains } = await book.remove('garden')
   */
  remove(id: string): Promise<Removal>
  /**
   * Removes threads without a new entry since a time, the oldest first, some at a time. Threads stay that have an
   * unfinished turn, wait for a decision, or get an entry meanwhile. Nothing happens until you iterate.
   *
   * @example
   * const unwrittenSince = new Date(Date.now() - 90 * 86_400_000)
   * for await (const { threads } of book.prune({ unwrittenSince })) console.log(threads.length)
   */
  prune(options: PruneOptions): AsyncIterable<PrunePageResult>
  /**
   * Lists the calls that wait for a decision, in all threads, the newest first. Arguments of more than 4,096 characters
   * are only in `thread.waiting()`. Default limit: 100.
   *
   * @example
   * const { calls, next } = await book.waiting({ limit: 20 })
   */
  waiting(page?: Pick<Page, 'limit' | 'after'>): Promise<CallList>
  /**
   * Finishes what a crash cut short. Call it when your process starts. It goes through the threads that may need it, one
   * after the other, and yields each turn that it takes up.
   *
   * A turn goes on from its last recorded step. A model call without a recorded answer is made again. A tool call
   * without a recorded result runs again only if its tool has `mayRepeat`, or if it waited for a decision and was not
   * started yet; if not, the model is told that the call may or may not have taken effect. Messages that were waiting are answered after that.
   *
   * Nothing happens until you iterate. To do the same in the background, use `work`.
   *
   * @example
   * for await (const { thread, turn } of book.resume()) console.log(thread, (await turn.done).status)
   */
  resume(): AsyncIterable<{ readonly thread: string; readonly turn: Turn }>
  /**
   * Lets this process run turns in the background: those that a crash cut short, and with a queue also those that the
   * queue hands out. Returns a function that stops it and waits for the turns that are running.
   *
   * @example
   * const stop = await book.work({ onError: (thread, error) => console.error(thread, error) })
   * process.once('SIGTERM', async () => { await stop(); process.exit() })
   */
  work(options?: WorkOptions): Promise<() => Promise<void>>
  /**
   * Creates a thread from the lines of `thread.export()`, byte for byte. If a line is invalid, nothing is written, and
   * the error names the line. `records`: the names of the records to restore. Default: the setup and
   * the metadata.
   *
   * Nothing of it runs later: a turn that was not over ends with a stop (`restored`), its open calls get results that
   * say so, and messages that waited are withdrawn. These entries are written together with those of the lines.
   */
  restore(
    id: string,
    lines: AsyncIterable<string> | Iterable<string>,
    options?: { readonly records?: readonly string[] | undefined },
  ): Promise<Thread>
}

/** The store of a book, and the options of its threads. A thread can override them. */
export interface BookOptions extends ThreadOptions {
  readonly store: Store
  /**
   * Hands turns out to any instance that has called `book.work()`. If that instance dies, another one finishes the
   * turn. Default: no queue. A turn then runs in the process that asks for it.
   */
  readonly queue?: TurnQueue | undefined
  /** Carries the text of running turns between instances. Default: a feed within this process. */
  readonly feed?: Feed | undefined
  /**
   * How many threads are kept open in memory, with what was read and counted of them: those that were opened last. Large
   * ones are let go earlier. Several books can share those of a `threadCache()`. Default: 64.
   */
  readonly heldThreads?: number | ThreadCache | undefined
}

/** How `book.work()` runs turns. */
export interface WorkOptions {
  /** Returns the options of a thread. They override the book's. Default: the book's options for every thread. */
  readonly options?: ((thread: string) => ThreadOptions | Promise<ThreadOptions>) | undefined
  /**
   * Called with the error if a turn could not be run, or if its model failed. The thread is tried again when it is
   * woken next.
   */
  readonly onError?: ((thread: string, error: unknown) => void) | undefined
  /**
   * Called once after each run of a woken thread, even if the run failed: with the result of its turn, or with
   * undefined if no turn had to run. The next run of the thread waits for it.
   */
  readonly onIdle?: ((thread: string, result: TurnResult | undefined) => void | Promise<void>) | undefined
  /**
   * Called first for every woken thread. Return true if the thread is not a conversation and its work is done: no turn
   * is run then. Return false to run its turn.
   */
  readonly handleWake?: ((thread: string) => Promise<boolean>) | undefined
}

/**
 * Opens a book without a store. It keeps nothing: the client sends the whole history with each request.
 *
 * @example
 * const book = openBook({ model, window: 8192, tools, system })
 * const turn = book.answer(request.messages, { trust: 'results' })
 */
export function openBook(options: StatelessOptions): StatelessBook
/**
 * Opens a book. Open one for each store in a process: a second one would not know which turns the first one runs.
 *
 * @example
 * const book = openBook({ store: memoryStore(), model: ollamaModel(new Ollama(), { model: 'gemma3:4b' }), window: 4096 })
 * const text = await book.thread('garden').ask('What grows in the shade?')
 */
export function openBook(options: BookOptions): Book
export function openBook(options: StatelessOptions | BookOptions): StatelessBook | Book {
  checkNames('openBook', options, { ...bookOptions, seals: true })
  if (options.store !== undefined) return openStored(options)
  const name = Object.keys(storedOnly).find((each) => options[each as keyof typeof options] !== undefined)
  if (name !== undefined) throw needsStoreError(`The option ${name} is only for a book with a store.`)
  return openStateless(options)
}

const storedOnly: OptionNames<Omit<BookOptions, keyof StatelessOptions>> = {
  queue: true,
  feed: true,
  heldThreads: true,
  notes: true,
  journal: true,
  checkpointEvery: true,
  metadata: true,
}

const bookOptions: OptionNames<BookOptions> = {
  ...threadOptions,
  store: true,
  queue: true,
  feed: true,
  heldThreads: true,
}

function openStored(given: BookOptions): Book {
  checkThreadOptions('A book with a store', given, bookOptions)
  const { store, queue, feed = localFeed(), clock = systemClock, heldThreads, ...rest } = given
  if (typeof store?.append !== 'function') throw needsStoreError(`The option store is ${shown(store)}, not a store.`)
  const options: OpenOptions = { ...rest, clock }
  const shared: BookContext = {
    store,
    queue: queue ?? localQueue(store),
    runsHere: queue === undefined,
    feed,
    senders: createLocalSenders(),
    locks: createThreadLocks(),
    unique: queue ? uniqueIn(store) : uniqueHere(),
    held: openThreads(heldThreads),
    // Those of books that share their threads would have no common bound.
    pieces: createPieceCache(typeof heldThreads === 'object' || heldThreads === 0 ? 0 : heldPieces),
  }
  const listThreads = threadLister(store)
  const thread = (id: string, own: ThreadOptions = {}): Thread => openThread(shared, id, withOwn(options, own))
  return {
    thread,
    threads: (page = {}) => listThreads(page),
    search: async (query, within) => searchCurrent(store, await store.search(query, within)),
    feedback: (page) => listFeedback(store, page),
    remove: async (id) => {
      const running = shared.locks.running(id)
      const turn = await newestQuestion(store, id)
      const removal = await store.remove(id)
      // The runner of its turn is fenced in any case. This spares it the rest of the model call.
      running?.cancel()
      shared.held.forget(store, id)
      shared.pieces.forget(id)
      if (turn !== undefined) await shared.queue.cancel(id, turn)
      feed.publish(id, { type: 'grown' })
      return removal
    },
    prune: (pruning) => pruneThreads(store, pruning),
    waiting: (page = {}) => listWaiting(store, page),
    resume: async function* () {
      for (const { thread: id } of await unfinishedThreads(store)) {
        // An unreadable log must not stop the other threads. Its turn reports the error.
        const isDue = await needsWork(store, id, options.clock?.now()).catch(() => true)
        if (!isDue || shared.locks.running(id)) continue
        const turn = thread(id).resume()
        yield { thread: id, turn }
        await turn.done
      }
    },
    work: async (working = {}) => {
      checkNames('book.work', working, workOptions)
      const { options: optionsOf, onError = () => undefined, onIdle = () => undefined, handleWake } = working
      // All threads then have the book's options: throw now if these lack a model.
      if (!optionsOf) turnConfigOf(options, options.tools ?? [])
      return shared.queue.onWake(async (id, signal) => {
        let result: TurnResult | undefined
        let isOther = false
        try {
          isOther = (await handleWake?.(id)) ?? false
          if (isOther) return
          const handle = openRunner(shared, id, withOwn(options, (await optionsOf?.(id)) ?? {}))
          result = await runWoken(handle, signal, (error) => onError(id, error))
        } catch (error) {
          if (isTransient(error)) throw error
          onError(id, error)
        } finally {
          if (!isOther) await onIdle(id, result)
        }
      })
    },
    restore: async (id, lines, { records: names = exported } = {}) => {
      const { entries, records } = await draftIn(lines, names, createPauses(options.clock))
      const draft = {
        entries: [...entries, ...closingEntries(entries, clock.now())],
        records: [
          ...records,
          ...feedbackRecords(entries),
          ...(entries.length > 0 ? [restoredRecord(entries.length)] : []),
        ],
      }
      await createThread(store, id, draft, 'Restore it under another name.')
      if (entries.length > longLog) await prepare(shared, id, options)
      return thread(id)
    },
  }
}

/** The id of the newest question of a thread. Undefined if it has none near its end, or if its log cannot be read. */
async function newestQuestion(store: Store, thread: string): Promise<string | undefined> {
  const recent = await store.read(thread, { last: 64 }).catch(() => [])
  return recent.findLast(({ kind }) => traits[kind].opensExchange)?.id
}

/** A log of more entries is prepared for its first turn when it is restored. */
const longLog = 256

const workOptions: OptionNames<WorkOptions> = { options: true, onError: true, onIdle: true, handleWake: true }

/** The options of a thread override the book's. An option that is undefined counts as not given. */
function withOwn(options: OpenOptions, own: ThreadOptions): OpenOptions {
  checkThreadOptions('A thread', own)
  return { ...options, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) }
}

/** Returns texts that are unique in this process. */
function uniqueHere(): () => Promise<string> {
  let count = 0
  return async () => String(++count)
}

/** Returns texts that are unique over all processes of a store: each book takes a number that no other book has. */
function uniqueIn(store: Store): () => Promise<string> {
  let count = 0
  let own: Promise<number> | undefined
  return async () => {
    own ??= nextBook(store)
    own.catch(() => (own = undefined))
    return `${await own}.${++count}`
  }
}

/**
 * The new version of a record that every book overwrites. If several books write it at once, one succeeds and the
 * others try again.
 */
async function nextBook(store: Store): Promise<number> {
  for (;;) {
    const [last] = await store.records.find({ name: recordNames.book, thread: null })
    const put = await store.records.put(null, [{ name: recordNames.book, value: null, expected: last?.version ?? 0 }])
    if (put.ok) return put.records[0]!.version
  }
}
