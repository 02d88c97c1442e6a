import { clientKeyOf, type Entry, type NewEntry } from './entry.ts'
import { erasedWith } from './erased-with.ts'
import { refusedBy, type AppendResult, type AppendTerms, type Range, type Standing, type StoredEntry } from './store.ts'
import { sha256 } from '#sha256'
import { unknownEntry } from './log.ts'
import { imagesOnlyIn, putImagesBack, setImagesApart, withoutImages } from './images.ts'
import { traits, type Kind } from './kind.ts'
import { entryFrom, payloadOf, tombstone } from './stored-entry.ts'
import { workLeft, workLeftErased, type WorkLeft } from './unfinished.ts'

/** How does the memory store keep one thread? As lines of text, with indexes to find them. */
export interface MemoryLog {
  readonly lines: Line[]
  readonly byId: Map<string, Line>
  readonly hanging: Map<string | null, Line[]>
  /** The lines that were sent under each key. */
  readonly sent: Map<string, Line[]>
  /** Long images by their hashes, each stored once. */
  readonly images: Map<string, string>
  readonly snapshots: Map<string, { readonly name: string; readonly seq: number; readonly text: string }>
  readonly segments: Map<string, readonly Uint8Array[]>
  head: string | null
  term: number
  erasures: number
  unfinished: WorkLeft
}

/** An entry as text, and the fields that are needed to find it without parsing the text. */
export interface Line {
  readonly seq: number
  /** Its place among all entries of the store. */
  readonly written: number
  readonly id: string
  readonly parent: string | null
  readonly kind: Kind
  /** The key under which it was sent. */
  key: string | undefined
  payload: string
  checksum: string
}

interface NewLine extends Omit<Line, 'seq' | 'written'> {
  readonly images: ReadonlyMap<string, string>
  readonly entry: Entry
}

export function createLog(): MemoryLog {
  return {
    lines: [],
    byId: new Map(),
    hanging: new Map(),
    sent: new Map(),
    images: new Map(),
    snapshots: new Map(),
    segments: new Map(),
    head: null,
    term: 0,
    erasures: 0,
    unfinished: 0,
  }
}

/**
 * The entries that the log does not have yet, each once. Throws, before anything is written, if one of the entries
 * would not be readable after it is stored.
 */
export function unknownLines(log: MemoryLog, entries: readonly NewEntry[]): NewLine[] {
  const lines = new Map<string, NewLine>()
  for (const entry of entries) {
    if (log.byId.has(entry.id) || lines.has(entry.id)) continue
    const payload = payloadOf(entry)
    const read = entryFrom(payload, log.lines.length + lines.size)
    const { id, parent, kind } = read
    const apart = setImagesApart(payload, read)
    lines.set(id, { id, parent, kind, key: clientKeyOf(read), entry: read, checksum: sha256(payload), ...apart })
  }
  return [...lines.values()]
}

/** Why these lines cannot be added. Undefined if they can. */
export function refusal(
  log: MemoryLog,
  lines: readonly NewLine[],
  terms: AppendTerms,
): Extract<AppendResult, { ok: false }>['reason'] | undefined {
  const refused = refusedBy(terms, standingOf(log))
  if (refused) return refused
  const known = new Set<string>()
  for (const { id, parent } of lines) {
    if (parent !== null && !log.byId.has(parent) && !known.has(parent)) return 'absent'
    known.add(id)
  }
  return undefined
}

export function addLines(log: MemoryLog, lines: readonly NewLine[], written: () => number): void {
  for (const { images, entry: _, ...line } of lines) {
    for (const [hash, image] of images) if (!log.images.has(hash)) log.images.set(hash, image)
    addLine(log, { ...line, seq: log.lines.length, written: written() })
  }
  const readTail = (last: number): Entry[] => log.lines.slice(-last).map(withoutImages)
  const added = lines.map(({ entry }) => entry)
  log.unfinished = workLeft(log.unfinished, added, readTail)
}

function addLine(log: MemoryLog, line: Line): void {
  log.lines.push(line)
  log.byId.set(line.id, line)
  if (line.key !== undefined) addTo(log.sent, line.key, line)
  if (traits[line.kind].chained) {
    log.head = line.id
    return
  }
  addTo(log.hanging, line.parent, line)
}

/** Reads a line as an entry. All entries share their images. */
export function readLine(log: MemoryLog, line: Line): StoredEntry {
  return putImagesBack(line, (hash) => log.images.get(hash))
}

function addTo<K>(lists: Map<K, Line[]>, key: K, line: Line): void {
  const list = lists.get(key)
  if (list) list.push(line)
  else lists.set(key, [line])
}

export function standingOf({ head, lines, term, erasures }: MemoryLog): Standing {
  return { head, length: lines.length, term, erasures }
}

/** Yields lines, newest first: all of them, or those of one branch (`history` backwards), or those sent under a key. */
export function* newestFirst(log: MemoryLog, { head, key }: Range): Generator<Line> {
  if (key !== undefined) {
    yield* (log.sent.get(key) ?? []).toReversed()
    return
  }
  if (head === undefined) {
    for (let seq = log.lines.length - 1; seq >= 0; seq--) yield log.lines[seq]!
    return
  }
  let next: string | null = head
  while (next !== null) {
    const line = log.byId.get(next)
    if (!line) throw unknownEntry(next)
    if (traits[line.kind].chained) {
      yield* (log.hanging.get(line.id) ?? []).toReversed()
      yield line
    }
    next = line.parent
  }
  yield* (log.hanging.get(null) ?? []).toReversed()
}

/**
 * Turns the entries, and what was derived from them, into tombstones. Default: all entries. Returns these entries as
 * they were, and how many images were removed.
 */
export function eraseLines(
  log: MemoryLog,
  ids: readonly string[] | undefined,
): { readonly gone: readonly Entry[]; readonly images: number } {
  const gone = erasedWith(log.lines.map(withoutImages), ids)
  if (gone.length > 0) log.erasures++
  if (gone.length > 0 && ids) log.unfinished = workLeftErased
  const before = gone.map(({ seq }) => log.lines[seq]!.payload)
  for (const entry of gone) {
    const payload = payloadOf(tombstone(entry))
    const line = log.lines[entry.seq]!
    if (line.key !== undefined)
      log.sent.set(
        line.key,
        log.sent.get(line.key)!.filter((other) => other !== line),
      )
    Object.assign(line, { payload, checksum: sha256(payload), key: undefined })
  }
  const images = imagesOnlyIn(
    before,
    log.lines.map(({ payload }) => payload),
  )
  for (const hash of images) log.images.delete(hash)
  return { gone, images: images.length }
}

/** The log of a removed thread: empty, and fenced from the runners of the log before. */
export function removedLog({ lines, term, erasures }: MemoryLog): MemoryLog {
  const raise = lines.length > 0 || term > 0 || erasures > 0 ? 1 : 0
  return { ...createLog(), term: term + raise, erasures: erasures + raise }
}
