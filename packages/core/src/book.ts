import { MinutebookError } from './log/error.ts'
import type { Found, Listing, Page, Store } from './log/store.ts'
import { entryOfLine } from './log/transfer.ts'
import type { ThreadOptions } from './manner.ts'
import { openThread, type Shared } from './open-thread.ts'
import type { Thread } from './thread.ts'
import { createLanes } from './turn/lanes.ts'
import { found } from './turn/found.ts'
import { needsWork } from './turn/needs-work.ts'
import type { Turn } from './turn/turn.ts'

/** The threads of a store, and how they are run in this process. */
export interface Book {
  /** A thread by its id, new or not; `options` go before the book's. */
  thread(id: string, options?: ThreadOptions): Thread
  /** The threads, the most recently written first. */
  threads(page?: Page): Promise<Listing>
  /** Entries that people may see and that hold every word, of one thread or all. */
  search(query: string, within?: { readonly thread?: string; readonly limit?: number }): Promise<Found[]>
  /**
   * To be called at start: finishes every turn that a crash cut short, one after the other, and gives those turns as they
   * begin. Runs as it is iterated.
   *
   * @example
   * for await (const { thread, turn } of book.resume()) console.log(thread, (await turn.done).status)
   */
  resume(): AsyncIterable<{ readonly thread: string; readonly turn: Turn }>
  /** Restores a thread from an export, byte for byte: all of it, or nothing and an error that names the line. */
  restore(id: string, lines: AsyncIterable<string> | Iterable<string>): Promise<Thread>
}

/** The store of a book, and how its threads are run where a thread says nothing else. */
export interface BookOptions extends ThreadOptions {
  readonly store: Store
}

/**
 * Opens a book. One per process and store: it knows which turns are running.
 *
 * @example
 * const book = openBook({ store: memoryStore(), model: ollamaModel(new Ollama(), { model: 'gemma3:4b' }), window: 4096 })
 * const { text } = await book.thread('garden').send('What grows in the shade?').done
 */
export function openBook({ store, ...options }: BookOptions): Book {
  let messages = 0
  const shared: Shared = {
    store,
    lanes: createLanes(),
    erasures: new Map(),
    unique: () => String(++messages),
  }
  const thread = (id: string, own: ThreadOptions = {}): Thread => openThread(shared, id, { ...options, ...given(own) })
  return {
    thread,
    threads: (page) => store.list(page),
    search: (query, within) => store.search(query, within),
    resume: async function* () {
      for (const { thread: id } of await allThreads(store)) {
        // A log that cannot be read must not keep the others waiting: its turn will say so.
        const isDue = await needsWork(store, id).catch(() => true)
        if (!isDue || shared.lanes.running(id)) continue
        const turn = thread(id).resume()
        yield { thread: id, turn }
        await turn.done
      }
    },
    restore: async (id, lines) => {
      if (typeof lines === 'string') throw new MinutebookError('invalid_lines', "A whole text is no list of lines; pass its lines, such as text.split('\\n').")
      const entries = []
      for await (const line of lines) if (line !== '') entries.push(entryOfLine(line, entries.length))
      await found(store, id, entries, 'restore it under another name')
      return thread(id)
    },
  }
}

/** An option that is undefined was not given. */
function given(options: ThreadOptions): ThreadOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** All of them at once: their order changes as they are written to. */
async function allThreads(store: Store): Promise<Listing['threads']> {
  const found: Listing['threads'][number][] = []
  for (let page: Page = {}; ; ) {
    const { threads, next: after } = await store.list(page)
    found.push(...threads)
    if (after === undefined) return found
    page = { after }
  }
}
