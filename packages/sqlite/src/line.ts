import { createBreaks } from 'minutebook/clock'
import {
  payloadOf,
  putImagesBack,
  setImagesApart,
  sha256,
  storedFrom,
  type KeptEntry,
  type NewEntry,
  type StoredEntry,
} from 'minutebook/store'

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

/** One whose place is not known yet. */
export type UnplacedLine = Omit<NewLine, 'seq'>

/** Works out what is to be written, with others in between. Throws if an entry could not be read back. */
export async function unplacedLines(entries: readonly NewEntry[]): Promise<readonly UnplacedLine[]> {
  const lines: UnplacedLine[] = []
  const takeBreak = createBreaks()
  for (const entry of entries) {
    const payload = payloadOf(entry)
    await takeBreak()
    const checksum = sha256(payload)
    await takeBreak()
    const read = storedFrom({ seq: 0, payload, checksum })
    await takeBreak()
    lines.push({ checksum, entry: read, ...setImagesApart(payload, read) })
  }
  return lines
}

export function placed(line: UnplacedLine, seq: number): NewLine {
  return { ...line, seq, entry: { ...line.entry, seq } }
}

/** The entries of lines that were read, with others in between. */
export async function wholeEntries(
  lines: readonly Line[],
  find: (hash: string) => string | undefined,
): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = []
  const takeBreak = createBreaks()
  for (const line of lines) {
    entries.push(putImagesBack(line, find))
    const waiting = takeBreak()
    if (waiting) await waiting
  }
  return entries
}
