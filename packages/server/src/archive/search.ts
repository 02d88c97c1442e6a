import { MinutebookError, type Book, type Store } from 'minutebook'
import { turnsOf } from '@minutebook/inspect'
import { numbersOf } from 'minutebook/inspect'
import { fewAtATime, type SearchResult, type SearchScope, type StoredEntry } from 'minutebook/store'
import { isReserved } from '../matching/directory.ts'
import type { ThreadSummary } from './thread-list.ts'
import { threadSummary } from './list.ts'

/** What a search found, who said it, where and when. */
export interface FoundEntry extends SearchResult, Partial<MessagePosition> {
  readonly kind: StoredEntry['kind']
  readonly speaker?: string
  readonly time?: string
  /** The title of its thread. */
  readonly title: ThreadSummary['title']
}

/** Where a message is on its branch. Not known of one that many entries come before. */
interface MessagePosition {
  /** Its number, counted from 0. */
  readonly number: number
  /** The number of its turn, counted from 1. 0 before the first turn. */
  readonly turn: number
}

/** What was found, who said it, and where? Searches threads, and reads the branches of what it found. */
export async function searchThreads(
  store: Store,
  book: Pick<Book, 'search'>,
  query: string,
  within: SearchScope,
): Promise<FoundEntry[]> {
  const results = (await book.search(query, within)).filter(({ thread }) => !isReserved(thread))
  const byThread = new Map<string, SearchResult[]>()
  for (const result of results) byThread.set(result.thread, [...(byThread.get(result.thread) ?? []), result])
  const room = { left: mostRead }
  const found = new Map<SearchResult, FoundEntry>()
  await fewAtATime([...byThread], async ([thread, hits]) => {
    const { title } = await threadSummary(store, thread)
    const known = await entriesFound(store, thread, hits, room)
    for (const hit of hits) {
      const entry = known.get(hit.id)
      if (entry) found.set(hit, { ...hit, title, ...entry })
    }
  })
  // What was removed in between is not found.
  return results.flatMap((result) => found.get(result) ?? [])
}

type KnownEntry = Pick<FoundEntry, 'kind' | 'speaker' | 'time' | 'number' | 'turn'>

/** Reads the end of each branch that has one of these entries, the newest first. */
async function entriesFound(
  store: Store,
  thread: string,
  hits: readonly SearchResult[],
  room: { left: number },
): Promise<Map<string, KnownEntry>> {
  const known = new Map<string, KnownEntry>()
  for (const { id } of hits.toSorted((one, other) => other.seq - one.seq)) {
    if (known.has(id)) continue
    const last = Math.max(1, Math.min(mostOfThread, room.left))
    const branch = await store.read(thread, { head: id, last }).catch(removed)
    room.left -= branch.length
    const isWhole = branch.length < last
    const numbers = isWhole ? numbersOf(branch) : undefined
    const turns = isWhole ? turnsOf(branch) : undefined
    for (const entry of branch) {
      const { kind, speaker, time } = entry
      const number = numbers?.get(entry.id)
      const turn = (turns?.get(entry.id) ?? turns?.get(entry.parent ?? ''))?.turn
      known.set(entry.id, {
        kind,
        ...(speaker !== undefined && { speaker }),
        ...(time !== undefined && { time }),
        ...(number !== undefined && { number }),
        ...(turn !== undefined && { turn }),
      })
    }
  }
  return known
}

/** Of a thread that was removed after the search, nothing is left. */
function removed(error: unknown): [] {
  if (MinutebookError.isInstance(error) && error.code === 'unknown_entry') return []
  throw error
}

/** How many entries are read to number those that were found: of one thread, and of all together. */
const mostOfThread = 2000
const mostRead = 10_000
