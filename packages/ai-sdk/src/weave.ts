import type { Entry, Message } from 'minutebook'
import { entryOf } from 'minutebook/store'
import type { PlacedNote } from './recorder.ts'

/** A conversation as entries, each note after the message that it belongs to. */
export function woven<M extends Message>(incoming: readonly M[], notes: readonly PlacedNote[]): Entry<M>[] {
  const entries: Entry<M>[] = []
  const placed = new Map<number, Entry[]>()
  for (const { after, entry } of notes) placed.set(after, [...(placed.get(after) ?? []), entry])
  for (const [index, message] of incoming.entries()) {
    entries.push(entryOf(message, entries.at(-1)))
    for (const { raw, kind, origin, status } of placed.get(index) ?? [])
      entries.push(entryOf(raw as M, entries.at(-1), { kind, origin, status }))
  }
  return entries
}
