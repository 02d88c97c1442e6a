import type { NewEntry } from './entry.ts'
import { recordsErasedWith } from './erased-with.ts'
import { erasureRemains, removalRemains, type Removal } from './erasure.ts'
import { searchResult } from './feedback.ts'
import { countText, memoryFigures } from './figures.ts'
import { withoutImages } from './images.ts'
import { metadataFrom } from './metadata.ts'
import { traits } from './kind.ts'
import {
  addLines,
  createLog,
  eraseLines,
  newestFirst,
  readLine,
  refusal,
  removedLog,
  standingOf,
  unknownLines,
  type MemoryLog,
} from './memory-log.ts'
import { memoryRecords } from './memory-records.ts'
import { memorySegments } from './segments.ts'
import {
  isUnchanged,
  type Range,
  type SearchResult,
  type Snapshot,
  type Snapshots,
  type Store,
  type StoredEntry,
} from './store.ts'
import { holdsPhrases, mostFound, searchPhrases, searchText } from './visible.ts'

/**
 * A store that keeps logs while the process runs. It is the reference for every other store, and enough for tests and
 * for conversations that may be lost. It keeps texts, never the caller's objects.
 *
 * @example
 * const store = memoryStore()
 * await store.append('lamp', [entryOf({ role: 'user', content: 'Switch it on.' })])
 */
export function memoryStore(): Store {
  const logs = new Map<string, MemoryLog>()
  let written = 0
  const logOf = (thread: string): MemoryLog => logs.get(thread) ?? createLog()
  const keep = (thread: string, log: MemoryLog): void => void logs.set(thread, log)
  const beside = memoryRecords()
  const figures = memoryFigures()
  const removed = (thread: string): Omit<Removal, 'thread' | 'remains'> => {
    const log = logOf(thread)
    if (logs.has(thread)) keep(thread, removedLog(log))
    const records = beside.forget(thread, [])
    return { entries: log.lines.length, snapshots: log.snapshots.size, images: log.images.size, records }
  }

  return {
    append: async (thread, entries, terms = {}) => {
      const log = logOf(thread)
      const lines = unknownLines(log, entries)
      const retried = lines.length === 0 && entries.length > 0
      const refused = retried ? undefined : refusal(log, lines, terms)
      const reason = refused ?? (beside.holds(thread, terms.records ?? []) ? undefined : 'conflict')
      if (reason) return { ok: false, reason, standing: standingOf(log) }
      if (lines.length > 0) keep(thread, log)
      beside.write(thread, terms.records ?? [])
      const count = countText(terms.count, (id) => lines.some((line) => line.id === id))
      if (count) figures.add(count)
      addLines(log, lines, () => ++written)
      return { ok: true, entries: entries.map((entry) => storedById(log, entry)), standing: standingOf(log) }
    },
    read: async (thread, range = {}) => readRange(logOf(thread), range),
    standing: async (thread) => standingOf(logOf(thread)),
    claim: async (thread) => {
      const log = logOf(thread)
      keep(thread, log)
      log.term++
      return standingOf(log)
    },
    list: async ({ limit = 100, after, metadata = {}, unfinished = false, unwrittenSince } = {}) => {
      const place = after === undefined ? undefined : Number(after)
      const about = beside.metadata()
      const isAsked = (thread: string): boolean =>
        Object.entries(metadata).every(([key, value]) => about.get(thread)?.get(key) === value)
      const written = [...logs].filter(([, log]) => log.lines.length > 0)
      const found = unwrittenSince
        ? written
            .filter(([, log]) => lastWrite(log) > (place ?? 0) && lastTime(log) < unwrittenSince.getTime())
            .toSorted(([, one], [, other]) => lastWrite(one) - lastWrite(other))
        : written
            .filter(([thread, log]) => lastWrite(log) < (place ?? Infinity) && isAsked(thread))
            .filter(([, log]) => !unfinished || log.unfinished > 0)
            .toSorted(([, one], [, other]) => lastWrite(other) - lastWrite(one))
      const page = found.slice(0, Math.max(0, limit))
      const last = page.at(-1)
      const threads = page.map(([thread, log]) => ({
        thread,
        ...standingOf(log),
        metadata: metadataFrom([...(about.get(thread) ?? [])]),
      }))
      return { threads, ...(last && found.length > page.length && { next: String(lastWrite(last[1])) }) }
    },
    search: async (query, { thread, limit = 20 } = {}) => {
      const phrases = searchPhrases(query)
      const searched = thread === undefined ? [...logs] : [...logs].filter(([name]) => name === thread)
      const found = phrases.length === 0 ? [] : searched.flatMap(([name, log]) => holding(name, log, phrases))
      let characters = 0
      const isWithin = ({ found: { text } }: { readonly found: SearchResult }): boolean =>
        (characters += text.length) <= mostFound
      return found
        .toSorted((one, other) => other.written - one.written)
        .slice(0, Math.max(0, limit))
        .filter(isWithin)
        .map((match) => match.found)
    },
    erase: async (thread, ids, { keep: kept = [], records = [] } = {}) => {
      const log = logOf(thread)
      const snapshots = log.snapshots.size
      log.snapshots.clear()
      log.segments.clear()
      const { gone, images } = eraseLines(log, ids)
      const removed =
        ids === undefined
          ? [beside.forget(thread, kept)]
          : await Promise.all(
              [...records, ...recordsErasedWith(gone)].map(({ name, key }) => beside.records.remove(thread, name, key)),
            )
      return {
        thread,
        erased: gone.map(({ id }) => id),
        images,
        snapshots,
        records: removed.reduce((sum, count) => sum + count, 0),
        remains: erasureRemains,
      }
    },
    remove: async (thread) => ({ thread, ...removed(thread), remains: removalRemains }),
    prune: async (threads) => {
      const unchanged = threads.filter((listed) => isUnchanged(listed, standingOf(logOf(listed.thread))))
      const counts = unchanged.map(({ thread }) => removed(thread))
      const sum = (count: (each: (typeof counts)[number]) => number): number =>
        counts.reduce((total, each) => total + count(each), 0)
      return {
        threads: unchanged.map(({ thread }) => thread),
        entries: sum(({ entries }) => entries),
        snapshots: sum(({ snapshots }) => snapshots),
        images: sum(({ images }) => images),
        records: sum(({ records }) => records),
        remains: removalRemains,
      }
    },
    records: beside.records,
    figures: async (query) => figures.read(query),
    snapshots: snapshotsOf(logOf, keep),
    segments: memorySegments(logOf, keep),
  }
}

function storedById(log: MemoryLog, { id }: NewEntry): StoredEntry {
  return readLine(log, log.byId.get(id)!)
}

/** Reads backwards, so that reading the end costs no more than its length. */
function readRange(log: MemoryLog, range: Range): StoredEntry[] {
  const { from = 0, to = Infinity, last = Infinity, seqs, id } = range
  if (seqs) {
    const lines = [...new Set(seqs)].sort((one, other) => one - other).flatMap((seq) => log.lines[seq] ?? [])
    return lines.map((line) => readLine(log, line))
  }
  if (id !== undefined) return log.byId.has(id) ? [readLine(log, log.byId.get(id)!)] : []
  const falls = range.head === undefined || range.key !== undefined
  const found: StoredEntry[] = []
  if (!(last > 0)) return found
  for (const line of newestFirst(log, range)) {
    if (falls && line.seq < from) break
    if (!(line.seq >= from && line.seq < to)) continue
    found.push(readLine(log, line))
    if (found.length >= last) break
  }
  return found.reverse()
}

function lastWrite(log: MemoryLog): number {
  return log.lines.at(-1)?.written ?? 0
}

/** By the entries' own times: this store has no clock. An entry without a time counts as new. */
function lastTime(log: MemoryLog): number {
  return Date.parse(withoutImages(log.lines.at(-1)!).time ?? '') || Infinity
}

function holding(
  thread: string,
  log: MemoryLog,
  phrases: readonly (readonly string[])[],
): { found: SearchResult; written: number }[] {
  return log.lines
    .filter(({ kind }) => traits[kind].visible || kind === 'feedback')
    .flatMap((line) => {
      const entry = withoutImages(line)
      const text = searchText(entry)
      return holdsPhrases(text, phrases) ? [{ found: searchResult(thread, entry, text), written: line.written }] : []
    })
}

function snapshotsOf(logOf: (thread: string) => MemoryLog, keep: (thread: string, log: MemoryLog) => void): Snapshots {
  return {
    save: async (thread, name, { id, seq, value }, { erasures, only = false } = {}) => {
      const log = logOf(thread)
      if (erasures !== undefined && erasures !== log.erasures) return
      keep(thread, log)
      for (const [place, kept] of log.snapshots)
        if (only && kept.name === name && kept.seq < seq) log.snapshots.delete(place)
      log.snapshots.set(JSON.stringify([name, seq]), { name, seq, text: JSON.stringify({ id, seq, value }) })
    },
    load: async (thread, name, to = Infinity) => {
      const before = [...logOf(thread).snapshots.values()].filter((kept) => kept.name === name && kept.seq < to)
      const newest = before.toSorted((one, other) => other.seq - one.seq)[0]
      return newest && (JSON.parse(newest.text) as Snapshot)
    },
  }
}
