import type { RecallFacts, EntrySizes } from '../compiler/rank-entries.ts'
import { lowerBound, type Segment } from '../compiler/stem-index.ts'
import { itemWork, type Steps } from '../log/time.ts'
import { ByteReader, ByteWriter, fixedAt } from './bytes.ts'

/** What recall knows of an entry without its text: sizes, which ranking needs of many entries, and facts, of a few. */
export interface IndexedEntry extends EntrySize, RecallFacts {}

interface EntrySize {
  readonly stems: number
  readonly tokens: number
}

/** What a segment says. */
export interface SegmentContent {
  readonly from: number
  readonly entries: readonly IndexedEntry[]
  /** The entries that have a stem, in order, packed as in `StemIndex`. */
  readonly postings: ReadonlyMap<string, readonly number[]>
}

/** A stem in a block: in how many entries it is, and these, or the first of the pieces that list them. */
export interface BlockEntry {
  readonly count: number
  /** In order. Undefined if they are in pieces of their own. */
  readonly list: readonly number[] | undefined
  /** The piece with the newest ones. Older ones follow. */
  readonly piece: number
}

/** Postings in a block, on average. */
const blockLoad = 256
/** The most postings that are listed in a block, and in a piece of its own. */
const listedInBlock = 256
export const listLength = 2048
/** How many entries a piece of sizes is of, and one of facts. The last ones of a segment may be of fewer. */
export const entriesInSizes = 4096
export const entriesInFacts = 64

/**
 * How is the index of recall stored next to a long log? In segments, each for some of the entries, in order. A segment
 * never changes. It can be made again from the log, always to the same bytes. Two that follow each other can be joined:
 * the result is the segment of all their entries.
 *
 * A segment is stored in pieces, so that a query reads little of it. In this order:
 * - blocks: the stems by their hash. A stem's entries are listed with it, or in pieces of their own if there are many;
 * - sizes: for every entry its number of stems and its tokens;
 * - facts: what is needed to recall an entry;
 * - lists: the entries of common stems, the newest first.
 */
export function* encodeSegment(content: SegmentContent): Steps<{
  readonly segment: Omit<Segment, 'name'>
  readonly pieces: readonly Uint8Array[]
}> {
  const { from, entries, postings } = content
  let total = 0
  for (const list of postings.values()) total += list.length
  const blocks = 2 ** Math.ceil(Math.log2(Math.max(1, total / blockLoad)))
  const writers = Array.from({ length: blocks }, () => new ByteWriter())
  const sizes = yield* paged(entries, entriesInSizes, sizesPage)
  const facts = yield* paged(entries, entriesInFacts, factsPage)
  const firstList = blocks + sizes.length + facts.length
  const lists: Uint8Array[] = []
  const item = new ByteWriter()
  for (const stem of [...postings.keys()].sort()) {
    const list = postings.get(stem)!
    item.clear()
    item.text(stem)
    item.number(list.length)
    if (list.length <= listedInBlock) writeList(item, list, from)
    else {
      item.number(firstList + lists.length)
      for (let end = list.length; end > 0; end -= listLength) {
        const page = new ByteWriter()
        writeList(page, list.slice(Math.max(0, end - listLength), end), from)
        lists.push(page.bytes())
      }
    }
    writers[blockOf(stem, blocks)]!.part(item)
    yield list.length * 4 + itemWork / 10
  }
  return {
    segment: { from, to: from + entries.length, stems: entries.reduce((sum, { stems }) => sum + stems, 0), blocks },
    pieces: [...writers.map((writer) => writer.bytes()), ...sizes, ...facts, ...lists],
  }
}

/** What the pieces of a segment say. */
export function* decodeSegment({ from, to, blocks }: Segment, pieces: readonly Uint8Array[]): Steps<SegmentContent> {
  const postings = new Map<string, readonly number[]>()
  for (const piece of pieces.slice(0, blocks)) {
    for (const [stem, { count, list, piece: first }] of readBlock(piece, from)) {
      postings.set(stem, list ?? joinedLists(pieces, first, count, from))
      yield count * 4 + itemWork / 10
    }
  }
  const segment = { from, to, blocks }
  const entries: IndexedEntry[] = []
  const sizes = { stems: new Float64Array(to - from), tokens: new Float64Array(to - from) }
  for (let entry = from; entry < to; entry += entriesInSizes)
    copySizes(pieces[sizesPiece(segment, entry)]!, 0, Math.min(entriesInSizes, to - entry), sizes, entry - from)
  for (let entry = from; entry < to; entry += entriesInFacts) {
    for (const facts of readFacts(pieces[factsPiece(segment, entry)]!)) {
      const place = entries.length
      entries.push({ stems: sizes.stems[place]!, tokens: sizes.tokens[place]!, ...facts })
    }
    yield entriesInFacts * 40
  }
  return { from, entries, postings }
}

/** One content for segments that follow each other. */
export function joinContents(contents: readonly SegmentContent[]): SegmentContent {
  const postings = new Map<string, number[]>()
  for (const content of contents)
    for (const [stem, list] of content.postings) {
      const joined = postings.get(stem)
      if (joined) for (const packed of list) joined.push(packed)
      else postings.set(stem, [...list])
    }
  return { from: contents[0]?.from ?? 0, entries: contents.flatMap(({ entries }) => entries), postings }
}

/** The content without the entries from `end` on. */
export function cutContent({ from, entries, postings }: SegmentContent, end: number): SegmentContent {
  const cut = new Map<string, readonly number[]>()
  for (const [stem, list] of postings) {
    const count = lowerBound(list, end)
    if (count > 0) cut.set(stem, list.slice(0, count))
  }
  return { from, entries: entries.slice(0, end - from), postings: cut }
}

type Layout = Pick<Segment, 'from' | 'to' | 'blocks'>

/** The piece with the block of a stem. */
export function blockOf(stem: string, blocks: number): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < stem.length; index++) hash = Math.imul(hash ^ stem.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) & (blocks - 1)
}

/** The piece with the sizes of an entry. */
export function sizesPiece({ from, blocks }: Layout, entry: number): number {
  return blocks + Math.floor((entry - from) / entriesInSizes)
}

/** The piece with the facts of an entry. */
export function factsPiece({ from, to, blocks }: Layout, entry: number): number {
  return blocks + Math.ceil((to - from) / entriesInSizes) + Math.floor((entry - from) / entriesInFacts)
}

/** The stems of a block. Each is written after its number of bytes, so that one can be found without reading all. */
function readBlock(bytes: Uint8Array, from: number): (readonly [string, BlockEntry])[] {
  const reader = new ByteReader(bytes)
  const found: (readonly [string, BlockEntry])[] = []
  while (!reader.isAtEnd) {
    reader.number()
    found.push([reader.text(), readBlockEntry(reader, from)])
  }
  return found
}

/** Finds a stem in its block. */
export function findInBlock(bytes: Uint8Array, stem: string, from: number): BlockEntry | undefined {
  const writer = new ByteWriter()
  writer.text(stem)
  const wanted = writer.bytes()
  const reader = new ByteReader(bytes)
  while (!reader.isAtEnd) {
    const length = reader.number()
    const end = reader.at + length
    if (reader.skips(wanted)) return readBlockEntry(reader, from)
    reader.at = end
  }
  return undefined
}

function readBlockEntry(reader: ByteReader, from: number): BlockEntry {
  const count = reader.number()
  const isListed = count <= listedInBlock
  const list = isListed ? readList(reader, count, from) : undefined
  return { count, list, piece: isListed ? -1 : reader.number() }
}

/** Reads a piece of a list of `count` postings. */
export function readListPiece(bytes: Uint8Array, count: number, from: number): number[] {
  return readList(new ByteReader(bytes), count, from)
}

function joinedLists(pieces: readonly Uint8Array[], first: number, count: number, from: number): number[] {
  const lists: number[][] = []
  for (let piece = first, left = count; left > 0; piece++, left -= listLength)
    lists.unshift(readListPiece(pieces[piece]!, Math.min(left, listLength), from))
  return lists.flat()
}

/** Each entry as its distance from the one before, with its occurrences. */
function writeList(writer: ByteWriter, list: readonly number[], from: number): void {
  let before = from
  for (const packed of list) {
    const entry = Math.floor(packed / 16)
    writer.number((entry - before) * 16 + (packed % 16))
    before = entry
  }
}

function readList(reader: ByteReader, count: number, from: number): number[] {
  const list: number[] = []
  let entry = from
  for (let left = count; left > 0; left--) {
    const packed = reader.number()
    entry += Math.floor(packed / 16)
    list.push(entry * 16 + (packed % 16))
  }
  return list
}

/** What is known of entries, in pages of so many. */
function* paged<T>(
  entries: readonly T[],
  length: number,
  page: (entries: readonly T[]) => Uint8Array,
): Steps<Uint8Array[]> {
  const pages: Uint8Array[] = []
  for (let from = 0; from < entries.length; from += length) {
    pages.push(page(entries.slice(from, from + length)))
    yield length * 20
  }
  return pages
}

/** Two bytes for each number. A number that needs more comes after them, with its place. */
function sizesPage(entries: readonly EntrySize[]): Uint8Array {
  const writer = new ByteWriter()
  const numbers = entries.flatMap(({ stems, tokens }) => [stems, tokens])
  for (const number of numbers) writer.fixed(Math.min(number, large))
  for (const [place, number] of numbers.entries()) {
    if (number < large) continue
    writer.number(place)
    writer.number(number)
  }
  return pageOf(numbers.length, writer)
}

const large = 0xffff

/** The count of numbers is written first, padded to two bytes, so that the list after it can be read at any place. */
function pageOf(count: number, writer: ByteWriter): Uint8Array {
  const page = new Uint8Array(2 + writer.length)
  page[0] = count & 0xff
  page[1] = count >> 8
  page.set(writer.bytes(), 2)
  return page
}

/** Copies the sizes of the entries from one place of a page up to another, to the slots from `slot` on. */
export function copySizes(page: Uint8Array, from: number, to: number, sizes: EntrySizes, slot: number): void {
  const { stems, tokens } = sizes
  for (let place = from, next = slot, byte = 4 * from + 2; place < to; place++, next++, byte += 4) {
    const first = page[byte]! + page[byte + 1]! * 0x100
    const second = page[byte + 2]! + page[byte + 3]! * 0x100
    stems[next] = first < large ? first : sizeAt(page, 2 * place)
    tokens[next] = second < large ? second : sizeAt(page, 2 * place + 1)
  }
}

function sizeAt(page: Uint8Array, place: number): number {
  const number = fixedAt(page, place + 1)
  if (number < large) return number
  const reader = new ByteReader(page)
  reader.at = 2 * (fixedAt(page, 0) + 1)
  while (!reader.isAtEnd) {
    const found = reader.number()
    const value = reader.number()
    if (found === place) return value
  }
  return number
}

/** Numbers that grow along the log are written as the difference to the entry before. */
function factsPage(entries: readonly RecallFacts[]): Uint8Array {
  const writer = new ByteWriter()
  let [seq, place, exchange, notes] = [0, 0, -1, 0]
  for (const entry of entries) {
    writer.number(entry.cost)
    writer.number(signed(entry.seq - seq))
    writer.number(signed(entry.place - place))
    writer.number(entry.exchange - exchange)
    writer.number(entry.notes - notes)
    writer.number(
      (entry.isSpoken ? 1 : 0) + (entry.isRecallable ? 2 : 0) + (entry.isCall ? 4 : 0) + (entry.startsStep ? 8 : 0),
    )
    ;({ seq, place, exchange, notes } = entry)
  }
  return writer.bytes()
}

export function readFacts(bytes: Uint8Array): RecallFacts[] {
  const reader = new ByteReader(bytes)
  const entries: RecallFacts[] = []
  let [seq, place, exchange, notes] = [0, 0, -1, 0]
  while (!reader.isAtEnd) {
    const cost = reader.number()
    seq += unsigned(reader.number())
    place += unsigned(reader.number())
    exchange += reader.number()
    notes += reader.number()
    const marks = reader.number()
    entries.push({
      cost,
      seq,
      place,
      exchange,
      notes,
      isSpoken: (marks & 1) > 0,
      isRecallable: (marks & 2) > 0,
      isCall: (marks & 4) > 0,
      startsStep: (marks & 8) > 0,
    })
  }
  return entries
}

/** A difference as a whole number that is small if the difference is small. */
function signed(difference: number): number {
  return difference < 0 ? -2 * difference - 1 : 2 * difference
}

function unsigned(number: number): number {
  return number % 2 === 1 ? -(number + 1) / 2 : number / 2
}
