import {
  payloadOf,
  clientKeyOf,
  setImagesApart,
  sha256,
  storedFrom,
  withoutImages,
  type KeptEntry,
  type NewEntry,
  type StoredEntry,
} from 'minutebook/store'
import { keyOf } from '../connection/key.ts'

/** A row of the table of entries, as the part `entry-columns` selects it. */
export interface EntryRow {
  readonly seq: number
  readonly payload: string
  readonly checksum: string
}

/** The entry of a row without its long images: for the store's own work. Readers use `readWhole`. */
export function entryOfRow(row: EntryRow): StoredEntry {
  return withoutImages(row)
}

/** An entry to be written, as it will be read back except for its position. */
export interface NewEntryRow extends KeptEntry {
  readonly id: Buffer
  readonly checksum: Buffer
  /** Under which it was sent. */
  readonly key: string | null
  readonly entry: StoredEntry
}

/** Throws if the entry could not be read back. */
export function newEntryRow(entry: NewEntry): NewEntryRow {
  const payload = payloadOf(entry)
  const checksum = sha256(payload)
  const read = storedFrom({ seq: 0, payload, checksum })
  const key = clientKeyOf(read)
  return {
    id: idBytes(entry.id),
    ...setImagesApart(payload, read),
    checksum: Buffer.from(checksum, 'hex'),
    key: key === undefined ? null : keyOf(key),
    entry: read,
  }
}

/** The columns of rows to be written: the parameters of the part `insert-entries`. */
export function entryColumns(rows: readonly NewEntryRow[]): Readonly<Record<string, readonly unknown[]>> {
  return {
    ids: rows.map(({ id }) => id),
    payloads: rows.map(({ payload }) => payload),
    checksums: rows.map(({ checksum }) => checksum),
    keys: rows.map(({ key }) => key),
  }
}

/** Ids are digests. Another text is not the id of an entry, and becomes bytes that no digest has. */
export function idBytes(id: string): Buffer {
  return isDigest(id) ? Buffer.from(id, 'hex') : Buffer.alloc(0)
}

function isDigest(id: string): boolean {
  return id.length === 64 && /^[0-9a-f]{64}$/.test(id)
}
