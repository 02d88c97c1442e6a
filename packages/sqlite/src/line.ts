import { hash } from 'node:crypto'
import { payloadOf, setImagesApart, storedFrom, type KeptEntry, type NewEntry, type StoredEntry } from 'minutebook'

/** An entry as the table keeps it. */
export interface Line {
  readonly seq: number
  readonly payload: string
  readonly checksum: string
}

/** With its place among all entries of the file. */
export interface NumberedLine extends Line {
  readonly number: number
}

/** One that is to be written. */
export interface NewLine extends Line, KeptEntry {
  /** As it will be read back. */
  readonly entry: StoredEntry
}

/** Throws where it could not be read back. */
export function newLine(entry: NewEntry, seq: number): NewLine {
  const payload = payloadOf(entry)
  const checksum = checksumOf(payload)
  const read = storedFrom({ seq, payload, checksum })
  return { seq, checksum, entry: read, ...setImagesApart(payload, read) }
}

/** What core's `checksum` gives for the entry, by the machine's own SHA-256. */
export function checksumOf(payload: string): string {
  return hash('sha256', payload)
}
