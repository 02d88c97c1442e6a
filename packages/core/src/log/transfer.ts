import { identify, type Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { sha256 } from './hash.ts'
import { entryFrom, payloadOf } from './payload.ts'
import type { StoredEntry } from './store.ts'

/** One line of an export: place, checksum, and the entry exactly as it is kept. */
export function lineOf(entry: StoredEntry): string {
  return `{"seq":${entry.seq},"checksum":${JSON.stringify(entry.checksum)},"entry":${payloadOf(entry)}}`
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

function parsed(line: string, seq: number): { seq?: unknown; checksum?: unknown; entry?: unknown } {
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
