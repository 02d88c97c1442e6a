import { hash } from 'node:crypto'
import { payloadOf, storedFrom, type NewEntry, type StoredEntry } from 'minutebook'

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

/** As it will be read back. Throws where it could not be. */
export function newLine(entry: NewEntry, seq: number): Line & { readonly entry: StoredEntry } {
  const payload = payloadOf(entry)
  const checksum = checksumOf(payload)
  return { seq, payload, checksum, entry: storedFrom({ seq, payload, checksum }) }
}

/** What core's `checksum` gives for the entry, by the machine's own SHA-256. */
export function checksumOf(payload: string): string {
  return hash('sha256', payload)
}
