import { LRUCache } from 'lru-cache'
import type { Store, ThreadCache } from 'minutebook'
import { sizeOf, type Standing, type StoredEntry } from 'minutebook/store'

/** What a thread holds. */
export interface ThreadSize {
  /** About how many characters. */
  readonly characters: number
  readonly entries: number
}

/**
 * Bytes of memory for each character of a thread: it is read as JSON, parsed, and held. Measured: 1 held if narrow, 2
 * if not, and the same again while it is read.
 */
const perCharacter = 4
/** For each entry, with its indexes. Measured: 800 held. */
const perEntry = 1500

/** Approximate bytes of memory that reading a thread takes. `held`: threads that are kept open, which need not be read. */
export async function threadWeight(store: Store, thread: string, held?: ThreadCache): Promise<number> {
  return weightOf(await threadSize(store, thread, held))
}

export function weightOf({ characters, entries }: ThreadSize): number {
  return characters * perCharacter + entries * perEntry
}

/** The size of a thread. Only what is new since the last call is read, a page at a time, and one thread at a time. */
export async function threadSize(store: Store, thread: string, held?: ThreadCache): Promise<ThreadSize> {
  const { known, inTurn } = sizesOf(store)
  const standing = await store.standing(thread)
  const { length, erasures } = standing
  if (length === 0) return { characters: 0, entries: 0 }
  const last = known.get(thread)
  if (last?.erasures === erasures) {
    const grown = last.length === length ? [] : held?.since(store, thread, last.length)
    const characters = (grown ?? []).reduce((sum, { raw }) => sum + sizeOf(raw), last.characters)
    if (grown && last.length + grown.length === length && characters - last.saved <= worthSaving) {
      known.set(thread, { ...last, length, characters })
      return { characters, entries: length }
    }
  }
  return inTurn(() => measured(store, thread, known, standing))
}

/**
 * While it runs, all other threads wait. It asks the store for as much as possible without a pause, which a database
 * answers at once.
 */
async function measured(store: Store, thread: string, known: Sizes['known'], asked: Standing): Promise<ThreadSize> {
  const last = known.get(thread)
  const kept = last?.erasures === asked.erasures ? last : await loaded(store, thread, asked)
  const pageFrom = (from: number): Promise<StoredEntry[]> => store.read(thread, { from, to: from + page })
  // The thread may have grown, or something of it was erased, while this one waited for its turn.
  const [standing, first] = await Promise.all([store.standing(thread), pageFrom(kept.length)])
  const { length, erasures } = standing
  if (erasures !== asked.erasures) return measured(store, thread, known, standing)
  let { characters, saved } = kept
  let lastId = ''
  for (let at = kept.length; at < length; at += page) {
    for (const { id, raw, seq } of at === kept.length ? first : await pageFrom(at)) {
      if (seq >= length) break
      characters += sizeOf(raw)
      lastId = id
    }
  }
  // Small threads are read again quickly; the size of large ones is kept in the store.
  if (lastId !== '' && characters - saved > worthSaving) {
    saved = characters
    await store.snapshots.save(
      thread,
      snapshotName,
      { id: lastId, seq: length - 1, value: characters },
      { erasures, only: true },
    )
  }
  known.set(thread, { length, erasures, characters, saved })
  return { characters, entries: length }
}

const snapshotName = 'minutebook:size'
const page = 64
/** Characters. */
const worthSaving = 1 << 20

interface Known {
  readonly length: number
  readonly erasures: number
  readonly characters: number
  /** How many of them the snapshot in the store covers. */
  readonly saved: number
}

/** The stored size of a thread. A thread of one page is read just as fast. */
async function loaded(store: Store, thread: string, { length, erasures }: Standing): Promise<Known> {
  const kept = length > page ? await store.snapshots.load(thread, snapshotName) : undefined
  const characters = typeof kept?.value === 'number' ? kept.value : 0
  return { length: kept ? kept.seq + 1 : 0, erasures, characters, saved: characters }
}

/** The sizes of the threads of a store. */
interface Sizes {
  readonly known: LRUCache<string, Known>
  /** Does one thing after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

const stores = new WeakMap<Store, Sizes>()
/** At most 10,000 threads. `max` would take 220 kB for each store at once. */
const sizesLimit = { maxSize: 10_000, sizeCalculation: () => 1 }

function sizesOf(store: Store): Sizes {
  const sizes = stores.get(store) ?? { known: new LRUCache<string, Known>(sizesLimit), inTurn: createTurns() }
  stores.set(store, sizes)
  return sizes
}

function createTurns(): Sizes['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
