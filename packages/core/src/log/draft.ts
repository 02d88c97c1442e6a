import type { Entry, EntryFacts } from './entry.ts'
import type { Kind } from './kind.ts'
import type { Message } from './message.ts'

/** A message on its way into a log. */
export interface EntryDraft {
  readonly message: Message
  readonly facts?: EntryFacts
  /** The entry that it hangs off, where that is not the one before it. */
  readonly off?: string
}

/** An entry of our own that hangs off the chain: a text, and what kind of entry says it. */
export function sideEntry(kind: Kind, content: string, facts: Omit<EntryFacts, 'kind'> = {}): EntryDraft {
  return { message: { role: 'system', content }, facts: { ...facts, kind } }
}

/**
 * The entry that asks for another answer to what it will hang off. It names the newest entry, so that asking again is
 * another one.
 */
export function retryDraft(log: readonly Entry[]): EntryDraft {
  return sideEntry('retry', JSON.stringify({ upto: log.at(-1)?.id ?? null }))
}

/** The key of the entries that say a thread's own system text. */
const key = 'system'

export function systemDraft(text: string): EntryDraft {
  return { message: { role: 'system', content: text }, facts: { key } }
}

/**
 * The key of a system message that a client's history opens with, by its place there: what the client says in it next
 * time takes its place.
 */
export function openingKey(place: number): string {
  return `${key}:${place}`
}

/** Whether a draft says the thread's own text. */
export function isOwnText({ facts }: EntryDraft): boolean {
  return facts?.key === key
}

/** Whether an entry gives way to the next one with its key. */
export function isSystemText(entry: Entry): boolean {
  return entry.kind === 'system' && (entry.key === key || entry.key?.startsWith(`${key}:`) === true)
}

/**
 * The branch with the newest of each system text where the first one stood, and no other: what it said before no longer
 * holds. One that says nothing is none.
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
 * The key of what was sent under a sender's own id. Keys that we make ourselves begin with `~` and go on with something
 * else; an id that begins with `~` gets a second one. So no id that anybody chooses is ever the key of something of
 * ours.
 */
export function senderKey(id: string): string {
  return id.startsWith(mark) ? mark + id : id
}

/**
 * The key of a message that was sent without an id and has to wait. `unique`: a number that no other such message has.
 */
export function madeKey(unique: string): string {
  return `${mark}.${unique}`
}

const mark = '~'
