import { entryOf, type Entry, type Message } from 'minutebook'

/** The messages as the entries of one log, each after the one before it. */
export function entriesOf(...messages: readonly Message[]): Entry[] {
  const entries: Entry[] = []
  for (const message of messages) entries.push(entryOf(message, entries.at(-1)))
  return entries
}
