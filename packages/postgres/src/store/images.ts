import { imagesIn, imagesOnlyIn, putImagesBack, sha256, withoutImages, type StoredEntry } from 'minutebook/store'
import { hasTable, type Session } from '../connection/connection.ts'
import { keyOf } from '../connection/key.ts'
import { statement, type Statement } from '../connection/statement.ts'
import { idBytes, type EntryRow, type NewEntryRow } from './entry-row.ts'

const findImages = statement('find-images')
const knownImages = statement('known-images')
const addImages = statement('add-images')
const removeImages = statement('remove-images')
const removeAllImages = statement('remove-all-images')

/** Runs a statement about one thread. */
export type AskThread = <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>

/** A row whose images are set apart, with their hashes. */
interface Apart {
  readonly row: EntryRow
  readonly hashes: readonly string[]
}

/**
 * Reads entries whole. `read` makes entries of its rows with the function that it gets, without their images. The
 * images of the entries that it returns are then looked up, each once. Since that is another statement, an erasure may
 * come in between: then everything is read again.
 */
export async function readWhole(
  ask: AskThread,
  at: readonly [thread: string, tenant: string],
  read: (entryOf: (row: EntryRow) => StoredEntry) => Promise<StoredEntry[]>,
): Promise<StoredEntry[]> {
  let lost: ReadonlySet<string> = new Set()
  for (;;) {
    const apart = new Map<StoredEntry, Apart>()
    const entries = await read((row) => {
      const entry = withoutImages(row)
      const hashes = imagesIn(row.payload)
      if (hashes.length > 0) apart.set(entry, { row, hashes })
      return entry
    })
    const holding = entries.flatMap((entry) => apart.get(entry) ?? [])
    if (holding.length === 0) return entries
    const images = await findIn(ask, at, [...new Set(holding.flatMap(({ hashes }) => hashes))])
    const missing = holding.flatMap(({ row: { seq }, hashes }) =>
      hashes.filter((hash) => !images.has(hash)).map((hash) => `${seq} ${hash}`),
    )
    // An entry that was erased in between refers to nothing when it is read again. One that still does has lost its
    // image.
    if (missing.every((place) => lost.has(place))) return entries.map((entry) => whole(entry, apart.get(entry), images))
    lost = new Set(missing)
  }
}

function whole(entry: StoredEntry, apart: Apart | undefined, images: ReadonlyMap<string, string>): StoredEntry {
  return apart ? putImagesBack(apart.row, (hash) => images.get(hash)) : entry
}

/** The images of these hashes that are there and are what they were. */
async function findIn(
  ask: AskThread,
  at: readonly [thread: string, tenant: string],
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await ask<{ readonly hash: string; readonly content: string }>(findImages, [...at, hashes.map(idBytes)])
  return new Map(
    found.filter(({ hash, content }) => sha256(content) === hash).map(({ hash, content }) => [hash, content]),
  )
}

/** Writes the images of these lines that the thread does not have. With the thread locked. */
export async function keepImages(session: Session, thread: string, lines: readonly NewEntryRow[]): Promise<void> {
  const images = new Map(lines.flatMap((line) => [...line.images]))
  if (images.size === 0) return
  const at = [keyOf(thread), session.tenant]
  const known = await session.run<{ readonly hash: string }>(knownImages, [...at, [...images.keys()].map(idBytes)])
  for (const { hash } of known) images.delete(hash)
  if (images.size > 0) await session.run(addImages, [...at, [...images.keys()].map(idBytes), [...images.values()]])
}

/**
 * Removes the images of erased rows, except for those that other rows hold. With the thread locked. Returns how many.
 */
export async function releaseImages(
  session: Session,
  thread: string,
  gone: readonly EntryRow[],
  others: readonly EntryRow[],
): Promise<number> {
  const hashes = imagesOnlyIn(
    gone.map(({ payload }) => payload),
    others.map(({ payload }) => payload),
  )
  if (hashes.length === 0) return 0
  return (await session.run(removeImages, [keyOf(thread), session.tenant, hashes.map(idBytes)])).length
}

/** Removes all images of these threads, given by their keys. Returns how many. A database of the version before has none. */
export async function removeImagesOf(session: Session, threads: readonly string[]): Promise<number> {
  if (!(await hasTable(session, 'image'))) return 0
  return (await session.run(removeAllImages, [threads, session.tenant])).length
}
