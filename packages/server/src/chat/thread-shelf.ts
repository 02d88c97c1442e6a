import { memoryStore, openBook, type Book, type Model, type Thread, type ThreadOptions, type Truncated } from 'minutebook'
import type { ProtocolName } from '../protocol-name.ts'

/** A thread that was opened for a chat, and how its last call ended. */
export interface Shelved {
  readonly thread: Thread
  readonly calls: { truncated?: Truncated }
}

/** How a thread is opened. */
export interface Opening {
  readonly options: ThreadOptions
  /** The same where all of the options are. */
  readonly signature: string
  /** About how many bytes are in the thread, before it is read: what the client sends of it. */
  readonly bytes: number
}

/** Threads that chats went on lately: what one of them has read and counted, the next need not. */
export interface ThreadShelf {
  open(book: Book, tenant: string, id: string, opening: Opening): Shelved
  /** A thread that nobody keeps. */
  scratch(opening: Opening): Shelved
}

export function createThreadShelf(limits: ShelfLimits = { threads: 1000, bytes: 64 << 20 }): ThreadShelf {
  const shelf = new Map<string, Shelved & Opening>()
  let bytes = 0
  const take = (place: string): (Shelved & Opening) | undefined => {
    const taken = shelf.get(place)
    shelf.delete(place)
    bytes -= taken?.bytes ?? 0
    return taken
  }
  const put = (place: string, shelved: Shelved & Opening): void => {
    shelf.set(place, shelved)
    bytes += shelved.bytes
    for (const oldest of shelf.keys()) {
      if (shelf.size <= limits.threads && bytes <= limits.bytes) break
      take(oldest)
    }
  }
  /** What was read of a thread is told by whoever read it: a client may send next to nothing to one that holds much. */
  const weigh = (place: string, thread: Thread, held: number): void => {
    const known = shelf.get(place)
    if (known?.thread !== thread) return
    take(place)
    put(place, { ...known, bytes: held })
  }
  return {
    open: (book, tenant, id, opening) => {
      const place = JSON.stringify([tenant, id])
      const known = take(place)
      const isSame = known?.signature === opening.signature
      const thread = isSame ? known.thread : weighed(book.thread(id, opening.options), (held) => weigh(place, thread, held))
      const shelved = { ...opening, thread, calls: known?.calls ?? {} }
      put(place, { ...shelved, bytes: Math.max(opening.bytes, isSame ? known.bytes : 0) })
      return shelved
    },
    scratch: ({ options }) => ({ thread: openBook({ store: memoryStore() }).thread('scratch', options), calls: {} }),
  }
}

function weighed(thread: Thread, weigh: (held: number) => void): Thread {
  return {
    ...thread,
    relay: async (...given) => {
      const relay = await thread.relay(...given)
      weigh(relay.held)
      return relay
    },
  }
}

export interface ShelfLimits {
  readonly threads: number
  readonly bytes: number
}

/** A model that is known by its name: whoever relays calls it. */
export function namedModel(model: string, wire: ProtocolName): Model {
  const call = (): never => {
    throw new TypeError('A relayed model is called by the gateway.')
  }
  return Object.assign(call, { model, wire })
}
