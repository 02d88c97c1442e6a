import { identify, type Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { sha256 } from './hash.ts'
import { entryFrom, payloadOf } from './payload.ts'
import type { NewRecord } from './records.ts'
import type { StoredEntry } from './store.ts'

/** One line of an export: place, checksum, and the entry exactly as it is kept. */
export function lineOf(entry: StoredEntry): string {
  return `{"seq":${entry.seq},"checksum":${JSON.stringify(entry.checksum)},"entry":${payloadOf(entry)}}`
}

/** One line of an export: a record, with its checksum. */
export function lineOfRecord({ name, key = '', value }: NewRecord): string {
  const text = JSON.stringify({ name, key, value })
  return `{"record":${text},"checksum":"${sha256(text)}"}`
}

/**
 * The entry of a line of an export, for whoever reads one and writes nothing; undefined if the line is one of a record.
 *
 * @example
 * const log = lines.flatMap((line, seq) => entryIn(line, seq) ?? [])
 */
export function entryIn(line: string, seq: number): Entry | undefined {
  const { record, entry } = parsed(line, seq)
  return record === undefined ? entryFrom(JSON.stringify(entry), seq) : undefined
}

/** The record of a line; undefined if the line is not one of a record. Throws `corrupt_line` if it was changed, and if its name is none of `names`. */
export function recordOfLine(line: string, index: number, names: readonly string[]): Required<Omit<NewRecord, 'expected'>> | undefined {
  const { record, checksum } = parsed(line, index)
  if (record === undefined) return undefined
  const { name, key, value = null } = Object(record) as { name?: unknown; key?: unknown; value?: unknown }
  if (sha256(JSON.stringify(record)) !== checksum) throw corrupt(index, 'it does not match its checksum')
  if (typeof name !== 'string' || typeof key !== 'string') throw corrupt(index, 'it is not a line of an export')
  if (!names.includes(name)) throw corrupt(index, `records of the kind ${JSON.stringify(name.slice(0, 40))} are not imported`)
  return { name, key, value }
}

/** The entry of a line. Throws `corrupt_line` where it was changed: nothing is skipped. */
export function entryOfLine(line: string, seq: number): Entry {
  const { seq: place, checksum, entry: kept } = parsed(line, seq)
  const payload = JSON.stringify(kept)
  if (place !== seq) throw corrupt(seq, `it has the number ${String(place)}`)
  if (sha256(payload) !== checksum) throw corrupt(seq, 'it does not match its checksum')
  const entry = entryFrom(payload, seq)
  if (entry.status !== 'erased' && identify(entry.parent, entry) !== entry.id) throw corrupt(seq, 'it does not match its id')
  return entry
}

function parsed(line: string, seq: number): { seq?: unknown; checksum?: unknown; entry?: unknown; record?: unknown } {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Told below, with the number of the line.
  }
  throw corrupt(seq, 'it is not a line of an export')
}

function corrupt(seq: number, what: string): MinutebookError {
  return new MinutebookError('corrupt_line', `Line ${seq + 1} of the import cannot be used: ${what}. Nothing was imported; export the thread again.`, { line: seq + 1 })
}
