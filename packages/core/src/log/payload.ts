import { MinutebookError } from './error.ts'
import type { Entry, NewEntry } from './entry.ts'
import { sha256 } from './hash.ts'
import { traits } from './kind.ts'
import { readMessage, type Message } from './message.ts'
import type { StoredEntry } from './store.ts'

/**
 * The text under which a store keeps an entry: version 1 of the stored format, read for ever after. What an entry
 * says is derived from `raw`; its place in the log is the store's. Throws `not_an_entry` for a plain message.
 *
 * @example
 * database.exec('insert …', [seq, payloadOf(entry)])
 */
export function payloadOf({ version, id, parent, kind, origin, status, speaker, time, key, raw }: NewEntry): string {
  if (id === undefined || kind === undefined || raw === undefined) throw new MinutebookError('not_an_entry', 'This is a message, not an entry; make one with entryOf(message, after).')
  return JSON.stringify({ version, id, parent, kind, origin, status, speaker, time, key, raw })
}

/**
 * The entry of a stored text. Throws `corrupt_entry` where the text is not one: a malformed line is never skipped.
 *
 * @example
 * const entry = entryFrom(row.payload, row.seq)
 */
export function entryFrom(payload: string, seq: number): Entry {
  return entryOfValue(parsedPayload(payload, seq), seq)
}

/** The entry of what a stored text says. Throws `corrupt_entry` if it is none. */
export function entryOfValue(value: object, seq: number): Entry {
  const { version, id, parent, kind, origin, status, speaker, time, key, raw } = value as Entry
  if (version !== 1) throw corrupt(seq, `it has version ${String(version)}, and this library reads version 1`)
  if (typeof id !== 'string' || !(typeof parent === 'string' || parent === null)) throw corrupt(seq, 'it has no id or parent')
  if (typeof kind !== 'string' || !Object.hasOwn(traits, kind)) throw corrupt(seq, 'its kind is unknown')
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
    raw: raw as Message,
    version,
  }
}

/** An entry from what a store keeps of it. */
export function storedFrom({ payload, seq, checksum }: { readonly payload: string; readonly seq: number; readonly checksum: string }): StoredEntry {
  return Object.assign(entryFrom(payload, seq), { checksum })
}

/** SHA-256 over every stored field: what `id` leaves out (origin, call ids, reasoning, time) is in here. */
export function checksum(entry: NewEntry): string {
  return sha256(payloadOf(entry))
}

/** What remains of an entry when what it said is erased: its place, and which call it answered. */
export function tombstone(entry: Entry): Entry {
  const { id, parent, seq, kind, origin, time, answers } = entry
  const raw = {
    role: traits[kind].role,
    ...(answers?.id !== undefined && { tool_call_id: answers.id }),
    ...(answers?.name !== undefined && { tool_name: answers.name }),
    content: '',
  }
  return { ...readMessage(raw), kind, id, parent, seq, origin, status: 'erased', ...(time !== undefined && { time }), raw, version: 1 }
}

/** What a stored text says. Throws `corrupt_entry` if it says nothing. */
export function parsedPayload(payload: string, seq: number): object {
  try {
    return Object(JSON.parse(payload)) as object
  } catch {
    throw corrupt(seq, 'it is not JSON')
  }
}

export function corrupt(seq: number, what: string): MinutebookError {
  return new MinutebookError('corrupt_entry', `Entry ${seq} of the log cannot be read: ${what}. Restore it from a backup or an export; verify() lists all such entries.`, { seq })
}
