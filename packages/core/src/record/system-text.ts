import type { Entry } from '../log/entry.ts'
import type { Draft } from './draft.ts'

/** The key of the entries that say a thread's own system text. */
const key = 'system'

export function systemDraft(text: string): Draft {
  return { message: { role: 'system', content: text }, facts: { key } }
}

/** The key of a system message that a client's history opens with, by its place there: what the client says in it next time takes its place. */
export function openingKey(place: number): string {
  return `${key}:${place}`
}

/** Whether a draft says the thread's own text. */
export function isOwnText({ facts }: Draft): boolean {
  return facts?.key === key
}

/** Whether an entry gives way to the next one with its key. */
export function isSystemText(entry: Entry): boolean {
  return entry.kind === 'system' && (entry.key === key || entry.key?.startsWith(`${key}:`) === true)
}

/** The branch with the newest of each system text where the first one stood, and no other: what it said before no longer holds. One that says nothing is none. */
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
