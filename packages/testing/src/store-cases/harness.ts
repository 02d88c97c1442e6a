import { MinutebookError, type Entry, type Kind, type Message, type Store } from 'minutebook'
import {
  canonicalJson,
  entryOf,
  type AppendResult,
  type AppendTerms,
  type EntryFacts,
  type NewEntry,
  type StoredEntry,
} from 'minutebook/store'
import { assistant, system, user } from '../builders.ts'

/** What a case needs: a new, empty store. */
export interface StoreContext {
  readonly store: Store
  /** Closes the store and opens what it kept: for stores that outlive their process. The topic `reopen` needs it. */
  readonly reopen?: () => Promise<Store>
  /**
   * Makes every write of entries, of records or of images fail from now on, until the returned function is called: for
   * stores that write them one after the other.
   */
  readonly failing?: (part: StorePart) => Promise<() => Promise<void>>
  /** Returns how many images the store keeps by themselves, over all threads. */
  readonly images?: () => Promise<number>
}

/** What a store may write one after the other. */
export type StorePart = 'entries' | 'records' | 'images'

/** One thing that a store must do. `run` throws if it does not. */
export interface StoreCase {
  readonly name: string
  readonly topic: string
  readonly run: (context: StoreContext) => Promise<void>
}

/** Cases by what they show. */
export function casesOf(topic: string, runs: Readonly<Record<string, StoreCase['run']>>): StoreCase[] {
  return Object.entries(runs).map(([sentence, run]) => ({ name: `${topic}: ${sentence}`, topic, run }))
}

/** One case for each row of a table. */
export function eachOf<T>(
  topic: string,
  rows: readonly T[],
  nameOf: (row: T) => string,
  run: (row: T, context: StoreContext) => Promise<void>,
): StoreCase[] {
  return rows.map((row) => ({ name: `${topic}: ${nameOf(row)}`, topic, run: (context) => run(row, context) }))
}

/** Throws unless both have the same JSON, whatever the order of their keys. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [textOf(actual), textOf(expected)]
  if (one === other) return
  let at = 0
  while (one[at] === other[at]) at++
  throw new Error(`${what}: expected ${clip(other, at)}, got ${clip(one, at)}`)
}

export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`${what}: expected it to hold, and it does not`)
}

/** Throws unless the promise is rejected with an error of ours that has the code. */
export async function rejects(promise: Promise<unknown>, code: string, what: string): Promise<void> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) throw new Error(`${what}: expected the error ${code}, got an answer`)
  if (!MinutebookError.isInstance(error))
    throw new Error(`${what}: expected the error ${code}, got ${error instanceof Error ? error.message : typeof error}`)
  equal(error.code, code, what)
}

function textOf(value: unknown): string {
  return value === undefined ? 'undefined' : canonicalJson(value)
}

/** Long texts are shown around their first difference. */
function clip(text: string, at: number): string {
  if (text.length <= 400) return text
  const start = Math.max(0, at - 100)
  return `${start > 0 ? '…' : ''}${text.slice(start, at + 200)}… (${text.length} characters)`
}

export const thread = 'a thread'

/** Messages as the entries of one line of conversation. */
export function chain(messages: readonly Message[], after?: Entry): Entry[] {
  const entries: Entry[] = []
  for (const message of messages) entries.push(entryOf(message, entries.at(-1) ?? after))
  return entries
}

/** `count` messages, users' and assistants' in turn. */
export function talk(count: number, after?: Entry, word = 'message'): Entry[] {
  return chain(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? user(`${word} ${index}`) : assistant(`${word} ${index}`),
    ),
    after,
  )
}

/** An entry off the chain. */
export function hang(kind: Kind, text: string, after?: Entry, facts: EntryFacts = {}): Entry {
  return entryOf(kind === 'pending' ? user(text) : system(text), after, { ...facts, kind })
}

/** An append that must succeed. */
export async function write(
  store: Store,
  name: string,
  entries: readonly NewEntry[],
  terms?: AppendTerms,
): Promise<Extract<AppendResult, { ok: true }>> {
  const appended = await store.append(name, entries, terms)
  if (!appended.ok) throw new Error(`an append was refused: ${appended.reason}`)
  return appended
}

/** An append that must be refused; returns the reason. */
export async function refuse(
  store: Store,
  name: string,
  entries: readonly NewEntry[],
  terms?: AppendTerms,
): Promise<string> {
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
