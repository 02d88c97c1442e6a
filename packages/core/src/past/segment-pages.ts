import type { EntryFacts, EntrySizes } from '../compiler/recall-source.ts'
import type { Steps } from '../log/time.ts'
import { ByteReader, ByteWriter, fixedAt } from './bytes.ts'

/**
 * What does recall know of an entry without its text? Pages of a stored segment say it, each of some entries: pages of
 * sizes, which ranking needs of many entries, and pages of facts, which recall needs of a few.
 */
export interface IndexedEntry extends EntrySize, EntryFacts {}

export interface EntrySize {
  readonly stems: number
  readonly tokens: number
}

/** How many entries a page is of. The last one of a segment may be shorter. */
export const entriesInSizes = 4096
export const entriesInFacts = 64

/** The sizes of entries, in pages. */
export function sizesPages(entries: readonly EntrySize[]): Steps<Uint8Array[]> {
  return paged(entries, entriesInSizes, sizesPage)
}

/** The facts of entries, in pages. */
export function factsPages(entries: readonly EntryFacts[]): Steps<Uint8Array[]> {
  return paged(entries, entriesInFacts, factsPage)
}

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
function factsPage(entries: readonly EntryFacts[]): Uint8Array {
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

export function readFacts(bytes: Uint8Array): EntryFacts[] {
  const reader = new ByteReader(bytes)
  const entries: EntryFacts[] = []
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
