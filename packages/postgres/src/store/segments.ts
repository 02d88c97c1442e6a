import type { PieceId, SegmentChange, Segments, StoredSegment } from 'minutebook/store'
import { hasTable, transaction, type Session, type Database } from '../connection/connection.ts'
import { unlessOutdated } from '../connection/failure.ts'
import { keyOf, nameBeside, nameFrom } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import type { Ask } from './snapshots.ts'
import { isPlace } from './threads.ts'

const holdThread = statement('hold-thread')
const addSegments = statement('add-segments')
const addPieces = statement('add-pieces')
const removeSegments = statement('remove-segments')
const removeAllSegments = statement('remove-all-segments')
const removeRemaining = statement('remove-rest-segments')
const readPieces = statement('read-pieces')
const loadSegment = statement('load-segment')
const listSegments = statement('list-segments')

/** The segments of a tenant's threads. A database of the version before has no tables for them: then there are none. */
export function createSegments(database: Database, ask: Ask, tenant: string): Segments {
  return {
    change: async (thread, change, erasures) => {
      await unlessOutdated(
        transaction(database, tenant, (session) => changeSegments(session, thread, change, erasures)),
        {},
      )
    },
    read: async (thread, wanted) => {
      const read = wanted.map((): Uint8Array | undefined => undefined)
      if (wanted.length === 0) return read
      const values = [keyOf(thread), tenant, ...columnsOf(wanted)]
      const rows = ask<{ place: number; content: string | null }>(thread, { statement: readPieces, values })
      for (const { place, content } of await unlessOutdated(rows, []))
        if (content !== null) read[place - 1] = bytesOf(content)
      return read
    },
    load: async (thread, name) => {
      const values = [keyOf(thread), tenant, keyOf(name)]
      const rows = await unlessOutdated(ask<PieceRow>(thread, { statement: loadSegment, values }), [])
      if (rows.length === 0) return undefined
      const pieces: Uint8Array[] = []
      for (const { number, content } of rows) if (content !== null) pieces[number] = bytesOf(content)
      return pieces
    },
    list: async (thread) => {
      const values = [keyOf(thread), tenant]
      const rows = await unlessOutdated(ask<SegmentRow>(thread, { statement: listSegments, values }), [])
      return rows.map(({ segment, name }) => nameFrom(segment, name))
    },
  }
}

interface SegmentRow {
  readonly segment: string
  /** Null if `segment` says it. */
  readonly name: string | null
}

type PieceRow =
  | { readonly number: number; readonly content: string }
  /** Of a segment without pieces. */
  | { readonly number: null; readonly content: null }

async function changeSegments(
  session: Session,
  thread: string,
  { stored, removed }: SegmentChange,
  erasures: number,
): Promise<object> {
  const at = [keyOf(thread), session.tenant]
  const [held] = await session.run<{ erasures: number }>(holdThread, at)
  if (erasures !== held?.erasures) return {}
  if (removed.length > 0) await session.run(removeSegments, [...at, removed.map(keyOf)])
  if (stored.length === 0) return {}
  const names = stored.map(({ name }) => name)
  const added = await session.run<SegmentRow>(addSegments, [...at, names.map(keyOf), names.map(nameBeside)])
  const isNew = new Set(added.map(({ segment }) => segment))
  // One that is given twice is stored once.
  for (const values of batches(stored.filter(({ name }) => isNew.delete(keyOf(name)))))
    await session.run(addPieces, [...at, ...values])
  return {}
}

/** How many bytes are sent at once. */
const mostBytes = 2 ** 23

/** The pieces of segments as values of `add-pieces`. */
function* batches(segments: readonly StoredSegment[]): Generator<readonly unknown[]> {
  let batch = emptyBatch()
  for (const { name, pieces } of segments) {
    const key = keyOf(name)
    for (const [number, piece] of pieces.entries()) {
      if (batch.bytes > 0 && batch.bytes + piece.length > mostBytes) {
        yield valuesOf(batch)
        batch = emptyBatch()
      }
      batch.rows.push({ key, number, start: batch.bytes + 1, piece })
      batch.bytes += piece.length
    }
  }
  if (batch.rows.length > 0) yield valuesOf(batch)
}

interface Batch {
  readonly rows: { key: string; number: number; start: number; piece: Uint8Array }[]
  bytes: number
}

function emptyBatch(): Batch {
  return { rows: [], bytes: 0 }
}

function valuesOf({ rows, bytes }: Batch): readonly unknown[] {
  return [
    Buffer.concat(
      rows.map(({ piece }) => piece),
      bytes,
    ),
    rows.map(({ key }) => key),
    rows.map(({ number }) => number),
    rows.map(({ start }) => start),
    rows.map(({ piece }) => piece.length),
  ]
}

function columnsOf(wanted: readonly PieceId[]): readonly [segments: string[], numbers: number[]] {
  const keys = new Map<string, string>()
  for (const { segment } of wanted) if (!keys.has(segment)) keys.set(segment, keyOf(segment))
  return [wanted.map(({ segment }) => keys.get(segment)!), wanted.map(({ piece }) => (isPlace(piece) ? piece : -1))]
}

/** Not as a Buffer, whose methods differ. */
function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(base64, 'base64')
  return new Uint8Array(buffer, byteOffset, length)
}

/** Removes all segments of these threads, given by their keys. */
export async function removeSegmentsOf(session: Session, threads: readonly string[]): Promise<void> {
  if (await hasTable(session, 'segment')) await session.run(removeAllSegments, [threads, session.tenant])
}

/** Removes the segments of threads that are not there. */
export async function removeRestOfSegments(session: Session): Promise<void> {
  if (await hasTable(session, 'segment')) await session.run(removeRemaining, [session.tenant])
}
