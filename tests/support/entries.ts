import type { Entry, Message } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { isEntry } from '../../packages/core/src/log/entry.ts'

/** A conversation as it is compiled: plain messages, or the entries of a log. */
export type Log = readonly (Message | Entry)[]

/** The messages as the entries of one log, each after the one before it. What is an entry already keeps its kind. */
export function entriesOf(...said: Log): Entry[] {
  const entries: Entry[] = []
  for (const each of said)
    entries.push(
      isEntry(each)
        ? { ...entryOf(each.raw, entries.at(-1), { kind: each.kind }), ...('pinned' in each && { pinned: true }) }
        : entryOf(each, entries.at(-1)),
    )
  return entries
}

/** An entry that every prompt must have. */
export function pinned(said: Message | Entry): Entry & { readonly pinned: true } {
  return { ...(isEntry(said) ? said : entryOf(said)), pinned: true }
}

export function note(text: string): Entry {
  return entryOf({ role: 'assistant', content: text }, undefined, { kind: 'note' })
}

export function journal(text: string): Entry {
  return entryOf({ role: 'assistant', content: text }, undefined, { kind: 'journal' })
}
