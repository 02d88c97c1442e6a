import { entryOf, type Entry, type EntryFacts, type NewEntry } from '../../log/entry.ts'
import type { Kind } from '../../log/kind.ts'
import type { Message } from '../../log/message.ts'
import type { Appended, AppendTerms, Store, StoredEntry } from '../../log/store.ts'
import { assistant, system, user } from '../builders.ts'

export const thread = 'a thread'

/** Messages as the entries of one line of conversation. */
export function chain(messages: readonly Message[], after?: Entry): Entry[] {
  const entries: Entry[] = []
  for (const message of messages) entries.push(entryOf(message, entries.at(-1) ?? after))
  return entries
}

/** `count` messages, users' and assistants' in turn. */
export function talk(count: number, after?: Entry, word = 'message'): Entry[] {
  return chain(Array.from({ length: count }, (_, index) => (index % 2 === 0 ? user(`${word} ${index}`) : assistant(`${word} ${index}`))), after)
}

/** An entry off the chain. */
export function hang(kind: Kind, text: string, after?: Entry, facts: EntryFacts = {}): Entry {
  return entryOf(kind === 'pending' ? user(text) : system(text), after, { ...facts, kind })
}

/** An append that must succeed. */
export async function write(store: Store, name: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<Extract<Appended, { ok: true }>> {
  const appended = await store.append(name, entries, terms)
  if (!appended.ok) throw new Error(`an append was refused: ${appended.reason}`)
  return appended
}

/** An append that must be refused; gives the reason. */
export async function refuse(store: Store, name: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<string> {
  const appended = await store.append(name, entries, terms)
  if (appended.ok) throw new Error('an append succeeded that must be refused')
  return appended.reason
}

export async function texts(store: Store, name: string, range?: Parameters<Store['read']>[1]): Promise<string[]> {
  return (await store.read(name, range)).map(({ text }) => text)
}

export function idsOf(entries: readonly (NewEntry | StoredEntry)[]): string[] {
  return entries.map(({ id }) => id)
}

export function seqsOf(entries: readonly StoredEntry[]): number[] {
  return entries.map(({ seq }) => seq)
}

/** 0, 1, 2 … */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
