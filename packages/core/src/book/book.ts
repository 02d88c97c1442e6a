import { systemClock } from '../clock.ts'
import { MinutebookError } from '../log/error.ts'
import { createPauses } from '../log/log-reader.ts'
import { exported, createThread } from '../log/new-thread.ts'
import type { NewRecord } from '../log/records.ts'
import { itemWork } from '../log/steps.ts'
import { isTransient, type Found, type Listing, type Page, type Store } from '../log/store.ts'
import { entryOfLine, recordOfLine } from '../log/stored-entry.ts'
import { localFeed, type Feed } from '../turns/feed.ts'
import { createLocalSenders } from '../turns/local-senders.ts'
import { runWoken } from '../turns/run-woken.ts'
import { createThreadLocks } from '../turns/thread-locks.ts'
import { allThreads, localQueue, needsWork, type TurnQueue } from '../turns/turn-queue.ts'
import type { Turn, TurnResult } from '../turns/turn.ts'
import { openRunner, openThread, type Shared } from './open-thread.ts'
import { turnConfigOf, type OpenOptions, type ThreadOptions } from './thread-options.ts'
import type { Thread } from './thread.ts'

/** The threads of a store, and how they are run in this process. */
export interface Book {
  /** A thread by its id, new or not; `options` go before the book's. */
  thread(id: string, options?: ThreadOptions): Thread
  /** The threads, the most recently written first. */
  threads(page?: Page): Promise<Listing>
  /** Entries that people may see and that hold every word, of one thread or all. */
  search(query: string, within?: { readonly thread?: string; readonly limit?: number }): Promise<Found[]>
  /**
   * To be called at start: finishes every turn that a crash cut short, one after the other, and gives those turns as
   * they begin. Runs as it is iterated.
   *
   * @example
   * for await (const { thread, turn } of book.resume()) console.log(thread, (await turn.done).status)
   */
  resume(): AsyncIterable<{ readonly thread: string; readonly turn: Turn }>
  /**
   * From now on this instance runs the turns of threads that need it: what a crash cut short, and with a queue whatever
   * that hands out. Returns a function that ends it and waits for the turns under way.
   *
   * @example
   * const stop = await book.work({ onError: (thread, error) => console.error(thread, error) })
   * process.once('SIGTERM', async () => { await stop(); process.exit() })
   */
  work(options?: WorkOptions): Promise<() => Promise<void>>
  /**
   * Restores a thread from an export, byte for byte: all of it, or nothing and an error that names the line. Of records
   * it takes those whose names are listed. Default: the setup.
   */
  restore(
    id: string,
    lines: AsyncIterable<string> | Iterable<string>,
    options?: { readonly records?: readonly string[] | undefined },
  ): Promise<Thread>
}

/** The store of a book, and how its threads are run where a thread says nothing else. */
export interface BookOptions extends ThreadOptions {
  readonly store: Store
  /**
   * Has turns run by any instance that works, and finished by another if one dies. Default: they run where they are
   * asked for.
   */
  readonly queue?: TurnQueue | undefined
  /** Carries live text between instances. Default: within this process. */
  readonly feed?: Feed | undefined
}

/** How an instance runs turns. */
export interface WorkOptions {
  /** What threads are opened with, where that is not what the book says. */
  readonly options?: ((thread: string) => ThreadOptions | Promise<ThreadOptions>) | undefined
  /**
   * Told what kept a turn from being run, and what a model failed with. The thread is tried again when it is woken
   * next.
   */
  readonly onError?: ((thread: string, error: unknown) => void) | undefined
  /**
   * Told when a thread that was woken has been seen to, and how its turn ended if it had one; after `options` was
   * asked, once for each time. Waited for.
   */
  readonly onRest?: ((thread: string, result: TurnResult | undefined) => void | Promise<void>) | undefined
  /** Does what a woken thread needs that is no conversation; false where it is one. */
  readonly instead?: ((thread: string) => Promise<boolean>) | undefined
}

/**
 * Opens a book. One per process and store: it knows which turns are running.
 *
 * @example
 * const book = openBook({ store: memoryStore(), model: ollamaModel(new Ollama(), { model: 'gemma3:4b' }), window: 4096 })
 * const { text } = await book.thread('garden').send('What grows in the shade?').done
 */
export function openBook({ store, queue, feed = localFeed(), clock = systemClock, ...rest }: BookOptions): Book {
  const options: OpenOptions = { ...rest, clock }
  const shared: Shared = {
    store,
    queue: queue ?? localQueue(store),
    runsHere: queue === undefined,
    feed,
    senders: createLocalSenders(),
    locks: createThreadLocks(),
    unique: queue ? uniqueIn(store) : uniqueHere(),
  }
  const thread = (id: string, own: ThreadOptions = {}): Thread => openThread(shared, id, withOwn(options, own))
  return {
    thread,
    threads: (page) => store.list(page),
    search: (query, within) => store.search(query, within),
    resume: async function* () {
      for (const { thread: id } of await allThreads(store)) {
        // A log that cannot be read must not keep the others waiting: its turn will say so.
        const isDue = await needsWork(store, id).catch(() => true)
        if (!isDue || shared.locks.running(id)) continue
        const turn = thread(id).resume()
        yield { thread: id, turn }
        await turn.done
      }
    },
    work: async ({ options: optionsOf, onError = () => undefined, onRest = () => undefined, instead } = {}) => {
      // Where threads have no options of their own, one that cannot be spoken to is none of them.
      if (!optionsOf) turnConfigOf(options, options.tools ?? [])
      return shared.queue.onWake(async (id, signal) => {
        let result: TurnResult | undefined
        let isOther = false
        try {
          isOther = (await instead?.(id)) ?? false
          if (isOther) return
          const handle = openRunner(shared, id, withOwn(options, (await optionsOf?.(id)) ?? {}))
          result = await runWoken(handle, signal, (error) => onError(id, error))
        } catch (error) {
          if (isTransient(error)) throw error
          onError(id, error)
        } finally {
          if (!isOther) await onRest(id, result)
        }
      })
    },
    restore: async (id, lines, { records: names = exported } = {}) => {
      if (typeof lines === 'string')
        throw new MinutebookError(
          'invalid_lines',
          "A whole text is no list of lines; pass its lines, such as text.split('\\n').",
        )
      const entries = []
      const records: NewRecord[] = []
      const pause = createPauses(options.clock)
      for await (const line of lines) {
        if (line === '') continue
        const record = recordOfLine(line, entries.length + records.length, names)
        if (record) records.push(record)
        else entries.push(entryOfLine(line, entries.length))
        await pause(itemWork + 3 * line.length)
      }
      await createThread(store, id, { entries, records }, 'restore it under another name')
      return thread(id)
    },
  }
}

/** The options of a thread before the book's. One that is undefined was not given. */
function withOwn(options: OpenOptions, own: ThreadOptions): OpenOptions {
  return { ...options, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) }
}

/** Texts that differ within this process. */
function uniqueHere(): () => Promise<string> {
  let count = 0
  return async () => String(++count)
}

/** Texts that differ over all processes of a store: each book that needs some takes a number that no other has. */
function uniqueIn(store: Store): () => Promise<string> {
  let count = 0
  let own: Promise<number> | undefined
  return async () => {
    own ??= nextBook(store)
    own.catch(() => (own = undefined))
    return `${await own}.${++count}`
  }
}

/** The version of a record that every book writes anew. Of those that write it at once, all but one try again. */
async function nextBook(store: Store): Promise<number> {
  for (;;) {
    const [last] = await store.records.find({ name: 'book', thread: null })
    const put = await store.records.put(null, [{ name: 'book', value: null, expected: last?.version ?? 0 }])
    if (put.ok) return put.records[0]!.version
  }
}
