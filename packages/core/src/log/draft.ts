import type { Entry, EntryFacts } from './entry.ts'
import type { Kind } from './kind.ts'
import type { Message } from './message.ts'

/** A message that is about to be recorded. */
export interface EntryDraft {
  readonly message: Message
  readonly facts?: EntryFacts
  /** The entry that it hangs off, if that is not the one before it. */
  readonly off?: string
}

/** An entry of Minutebook's own that hangs off the chain. */
export function sideEntry(kind: Kind, content: string, facts: Omit<EntryFacts, 'kind'> = {}): EntryDraft {
  return { message: { role: 'system', content }, facts: { ...facts, kind } }
}

/**
 * The entry that asks for another answer to the entry it will hang off. It names the newest entry, so that each retry
 * is another entry.
 */
export function retryDraft(log: readonly Entry[]): EntryDraft {
  return sideEntry('retry', JSON.stringify({ upto: log.at(-1)?.id ?? null }))
}

/** The key of entries with the thread's own system text. */
const key = 'system'

export function systemDraft(text: string): EntryDraft {
  return { message: { role: 'system', content: text }, facts: { key } }
}

/**
 * The key of a system message at the start of a client's history, by its place there. If the client changes that
 * message, the new one replaces it.
 */
export function openingKey(place: number): string {
  return `${key}:${place}`
}

/** True if a draft is the thread's own system text. */
export function isOwnText({ facts }: EntryDraft): boolean {
  return facts?.key === key
}

/** True if the next entry with the same key replaces this entry. */
export function isSystemText(entry: Entry): boolean {
  return entry.kind === 'system' && (entry.key === key || entry.key?.startsWith(`${key}:`) === true)
}

/**
 * The branch with only the newest version of each system text, at the place of the first version. An empty system text
 * removes it.
 */
export function withNewestSystemText<E extends Entry>(branch: readonly E[]): readonly E[] {
  const newest = new Map<string | undefined, E>()
  let count = 0
  for (const entry of branch) {
    if (!isSystemText(entry)) continue
    newest.set(entry.key, entry)
    count++
  }
  if (count === newest.size && ![...newest.values()].some(({ text }) => text === '')) return branch
  return branch.flatMap((entry) => {
    if (!isSystemText(entry)) return [entry]
    const text = newest.get(entry.key)
    newest.delete(entry.key)
    return text && text.text !== '' ? [text] : []
  })
}

/**
 * The key for a client's own id. Keys that Minutebook makes begin with `~` and another character. If an id begins with
 * `~`, it gets a second `~`. So no id that a client chooses can equal a key of Minutebook's.
 */
export function senderKey(id: string): string {
  return id.startsWith(mark) ? mark + id : id
}

/**
 * The key of a message that was sent without an id and must wait. `unique`: a number that no other such message has.
 */
export function madeKey(unique: string): string {
  return `${mark}.${unique}`
}

const mark = '~'
