import { entryVersion, identify, type Entry, type NewEntry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { sha256 } from '#sha256'
import { origins, traits } from './kind.ts'
import { readMessage, type Message } from './message.ts'
import type { NewRecord, StoredEntry } from './store.ts'

/**
 * How is an entry stored? As this text, in the format of `entryVersion`. The content is not in it, because it can be
 * read from `raw`, and the seq is assigned by the store. Throws `not_an_entry` for a plain message.
 *
 * @example
 * database.exec('insert …', [seq, payloadOf(entry)])
 */
export function payloadOf(entry: NewEntry): string {
  const { version, id, parent, kind, origin, status, speaker, time, key, context, options, raw } = entry
  if (id === undefined || kind === undefined || raw === undefined)
    throw new MinutebookError(
      'not_an_entry',
      'This is a message, not an entry.',
      'Make one with entryOf(message, after).',
    )
  return JSON.stringify({ version, id, parent, kind, origin, status, speaker, time, key, context, options, raw })
}

/** Reads an entry from a stored text. */
export function entryFrom(payload: string, seq: number): Entry {
  return entryOfValue(parsedPayload(payload, seq), seq)
}

/** Reads an entry from the parsed value of a stored text. Throws `corrupt_entry` if it is not an entry. */
export function entryOfValue(value: object, seq: number): Entry {
  const { version, id, parent, kind, origin, status, speaker, time, key, context, options, raw } = value as Entry
  if (version !== entryVersion) throw otherFormatError(seq, version)
  if (typeof id !== 'string' || !(typeof parent === 'string' || parent === null))
    throw corruptEntryError(seq, 'it has no id or parent')
  if (typeof kind !== 'string' || !Object.hasOwn(traits, kind)) throw corruptEntryError(seq, 'its kind is unknown')
  if (!origins.includes(origin)) throw corruptEntryError(seq, 'its origin is unknown')
  return {
    ...readMessage(raw as Message),
    kind,
    id,
    parent,
    seq,
    origin,
    status,
    ...(speaker !== undefined && { speaker }),
    ...(time !== undefined && { time }),
    ...(key !== undefined && { key }),
    ...(context !== undefined && { context }),
    ...(options !== undefined && { options }),
    raw: raw as Message,
    version,
  }
}

/**
 * Reads an entry from the fields that a store keeps. Throws `corrupt_entry` if the payload is not an entry: a malformed
 * line is never skipped. Throws `store_older` or `store_newer` if it has another format.
 *
 * @example
 * const entries = rows.map(storedFrom)
 */
export function storedFrom({
  payload,
  seq,
  checksum,
}: {
  readonly payload: string
  readonly seq: number
  readonly checksum: string
}): StoredEntry {
  return Object.assign(entryFrom(payload, seq), { checksum })
}

/** SHA-256 over every stored field, including those that `id` leaves out (origin, call ids, reasoning, time). */
export function checksum(entry: NewEntry): string {
  return sha256(payloadOf(entry))
}

/** What remains of an erased entry: its place, and which call it answered. */
export function tombstone(entry: Entry): Entry {
  const { id, parent, seq, kind, origin, time, answers } = entry
  const raw = {
    role: traits[kind].role,
    ...(answers?.id !== undefined && { tool_call_id: answers.id }),
    ...(answers?.name !== undefined && { tool_name: answers.name }),
    content: '',
  }
  return {
    ...readMessage(raw),
    kind,
    id,
    parent,
    seq,
    origin,
    status: 'erased',
    ...(time !== undefined && { time }),
    raw,
    version: entryVersion,
  }
}

/** Parses a stored text. Throws `corrupt_entry` if it is not JSON. */
export function parsedPayload(payload: string, seq: number): object {
  try {
    return Object(JSON.parse(payload)) as object
  } catch {
    throw corruptEntryError(seq, 'it is not JSON')
  }
}

function otherFormatError(seq: number, version: unknown): MinutebookError {
  if (typeof version !== 'number') return corruptEntryError(seq, 'it has no format number')
  const [code, age, fix] =
    version < entryVersion
      ? (['store_older', 'an older', 'Read it with that version, and start a new log with this one.'] as const)
      : (['store_newer', 'a newer', 'Update Minutebook.'] as const)
  return new MinutebookError(
    code,
    `Entry ${seq} was written by ${age} version of Minutebook (format ${version}; this one reads format ${entryVersion}).`,
    fix,
    { seq, version },
  )
}

export function corruptEntryError(seq: number, what: string): MinutebookError {
  return new MinutebookError(
    'corrupt_entry',
    `Entry ${seq} of the log cannot be read: ${what}.`,
    'Restore it from a backup or an export; verify() lists all such entries.',
    { seq },
  )
}

/** One line of an export: seq, checksum, and the entry exactly as it is stored. */
export function lineOf(entry: StoredEntry): string {
  return `{"seq":${entry.seq},"checksum":${JSON.stringify(entry.checksum)},"entry":${payloadOf(entry)}}`
}

/** One line of an export: a record, with its checksum. */
export function lineOfRecord({ name, key = '', value }: NewRecord): string {
  const text = JSON.stringify({ name, key, value })
  return `{"record":${text},"checksum":"${sha256(text)}"}`
}

/**
 * Reads the entry from a line of an export without checking its checksum, for programs that only read. Undefined if the
 * line is a record.
 *
 * @example
 * const log = lines.flatMap((line, seq) => entryIn(line, seq) ?? [])
 */
export function entryIn(line: string, seq: number): Entry | undefined {
  const { record, entry } = parsed(line, seq)
  return record === undefined ? entryFrom(JSON.stringify(entry), seq) : undefined
}

/**
 * Reads the record from a line of an export. Undefined if the line is not a record. Throws `corrupt_line` if it was
 * changed, or if its name is not in `names`.
 */
export function recordOfLine(
  line: string,
  index: number,
  names: readonly string[],
): Required<Omit<NewRecord, 'expected' | 'remove'>> | undefined {
  const { record, checksum } = parsed(line, index)
  if (record === undefined) return undefined
  const { name, key, value = null } = Object(record) as { name?: unknown; key?: unknown; value?: unknown }
  if (sha256(JSON.stringify(record)) !== checksum) throw notImportableError(index, 'it does not match its checksum')
  if (typeof name !== 'string' || typeof key !== 'string')
    throw notImportableError(index, 'it is not a line of an export')
  if (!names.includes(name))
    throw notImportableError(index, `records of the kind ${JSON.stringify(name.slice(0, 40))} are not imported`)
  return { name, key, value }
}

/** Reads the entry from a line of an export. Throws `corrupt_line` if it was changed: nothing is skipped. */
export function entryOfLine(line: string, seq: number): Entry {
  const { seq: place, checksum, entry: kept } = parsed(line, seq)
  const payload = JSON.stringify(kept)
  if (place !== seq) throw notImportableError(seq, `it has the number ${String(place)}`)
  if (sha256(payload) !== checksum) throw notImportableError(seq, 'it does not match its checksum')
  const entry = entryFrom(payload, seq)
  if (entry.status !== 'erased' && identify(entry.parent, entry) !== entry.id)
    throw notImportableError(seq, 'it does not match its id')
  return entry
}

function parsed(line: string, seq: number): { seq?: unknown; checksum?: unknown; entry?: unknown; record?: unknown } {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error below has the number of the line.
  }
  throw notImportableError(seq, 'it is not a line of an export')
}

/** The error if a line of an import cannot be used. `seq`: its place, from 0. */
export function notImportableError(seq: number, what: string): MinutebookError {
  return new MinutebookError(
    'corrupt_line',
    `Line ${seq + 1} of the import cannot be used: ${what}.`,
    'Nothing was imported; export the thread again.',
    { line: seq + 1 },
  )
}

/** About how many characters a plain value has, with the names of its fields: its size in memory, and as JSON. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  // Values that nest without end were refused when they were read.
  for (const name of Object.keys(value))
    size += name.length + 4 + sizeOf((value as Readonly<Record<string, unknown>>)[name])
  return size
}
