import type { Entry, Message } from 'minutebook'
import { entryOf, type EntryFacts } from 'minutebook/store'

/** A message, and what is known of it where that is not the usual. */
export type Line = Message | readonly [message: Message, facts?: EntryFacts]

/** The lines as the entries of one log, each after the one before it. */
export function branchOf(lines: readonly Line[], after?: Entry): Entry[] {
  const entries: Entry[] = []
  for (const line of lines) {
    const [message, facts] = isMessage(line) ? [line] : line
    entries.push(entryOf(message, entries.at(-1) ?? after, facts))
  }
  return entries
}

function isMessage(line: Line): line is Message {
  return !Array.isArray(line)
}
