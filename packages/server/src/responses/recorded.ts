import { visible, type Entry, type RelayResult, type Store } from 'minutebook'
import { askedIn, type KeptReceipt } from 'minutebook/inspect'
import {
  metadataRecords,
  readMetadata,
  recordNames,
  type Metadata,
  type NewRecord,
  type StoredEntry,
} from 'minutebook/store'
import { hash } from 'node:crypto'
import { asObject, parseObject } from '../http/json.ts'
import type { Place } from '../matching/directory.ts'
import { isOwnedBy, namedThread } from '../matching/thread-name.ts'
import { senderId } from '../stores/setup.ts'
import { hiddenName, isConversationId, responsePlace } from './ids.ts'
import type { Terms } from './request-fields.ts'

/** What is recorded of a response in addition to what was said: from its beginning on, and never changed. */
export interface Begun {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly metadata: Metadata
  readonly previous: string | null
  readonly conversation: string | null
  /** The entry that is answered, and how many messages the input had. */
  readonly question: string
  readonly inputs: number
}

/** What a thread keeps of a response. Its terms are a separate record, which responses with the same terms share. */
export interface RecordedResponse extends Begun {
  readonly terms: string
}

/** What is written with the question of a response. */
export function begunRecords(begun: Begun, terms: Terms): readonly NewRecord[] {
  const key = hash('sha256', JSON.stringify(terms)).slice(0, 32)
  const kept: RecordedResponse = { ...begun, terms: key }
  return [
    { name: termsName, key, value: terms },
    { name: responseName, key: begun.id, value: kept },
  ]
}

/** What is written with the result. `at`: the entry that its receipt hangs off. */
export function endedRecord(id: string, at: string): NewRecord {
  return { name: endedName, key: id, value: at }
}

/**
 * What is written with an answer that has items with the ids of an upstream: by these, a client may name them, together
 * with the thread.
 */
export function itemRecords(owner: string, id: string, answer: Entry | undefined): readonly NewRecord[] {
  return itemIds(answer).map((item) => ({ name: itemName, key: itemKey(owner, item), value: id }))
}

/**
 * The id of the response that has an item with this id of an upstream: in the thread, or without one in any thread of
 * the key if the id is random. Some upstreams count their items, and then another user of the key may have the same id.
 */
export async function responseOfItem(
  { store, owner }: Place,
  item: string,
  thread?: string,
): Promise<string | undefined> {
  if (thread === undefined && !isRandomId(item)) return undefined
  const [found] = await store.records.find({
    name: itemName,
    key: itemKey(owner, item),
    ...(thread !== undefined && { thread }),
    limit: 1,
  })
  return found && String(found.value)
}

/** True for an id that cannot be guessed, as OpenAI makes them: it ends with 24 or more letters and digits of both kinds. */
export function isRandomId(id: string): boolean {
  const [random = ''] = /[A-Za-z0-9]{24,128}$/.exec(id) ?? []
  return /[A-Za-z]/.test(random) && new Set(random).size >= 10
}

function itemIds(answer: Entry | undefined): readonly string[] {
  const { items } = asObject(answer?.raw)
  const ids = Array.isArray(items) ? items.map((item) => asObject(item)['id']) : []
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}

function itemKey(owner: string, item: string): string {
  return hash('sha256', JSON.stringify([owner, item])).slice(0, 32)
}

/** A recorded response. */
interface FoundBegun {
  readonly begun: RecordedResponse
  readonly terms: Terms
  /** The entry that its receipt hangs off; undefined while it does not exist. */
  readonly at: string | undefined
}

/** Undefined if it does not exist. */
async function findBegun(
  { records }: Pick<Store, 'records'>,
  thread: string,
  id: string,
): Promise<FoundBegun | undefined> {
  const [[kept], [ended]] = await Promise.all([
    records.find({ name: responseName, key: id, thread }),
    records.find({ name: endedName, key: id, thread }),
  ])
  if (!kept) return undefined
  const begun = kept.value as RecordedResponse
  const [terms] = await records.find({ name: termsName, key: begun.terms, thread })
  return { begun, terms: (terms?.value ?? {}) as Terms, at: ended && String(ended.value) }
}

/** All responses of a thread. */
export async function responsesIn(
  { records }: Pick<Store, 'records'>,
  thread: string,
): Promise<readonly RecordedResponse[]> {
  return (await records.find({ name: responseName, thread })).map(({ value }) => value as RecordedResponse)
}

/** The records of a response. `isLast`: whether no other response has its terms. */
export function recordsOf(
  owner: string,
  { begun: { id, terms }, ending }: Pick<FoundResponse, 'begun' | 'ending'>,
  isLast: boolean,
): readonly { readonly name: string; readonly key: string }[] {
  return [
    ...[responseName, endedName, workingName].map((name) => ({ name, key: id })),
    ...itemIds(ending?.answer).map((item) => ({ name: itemName, key: itemKey(owner, item) })),
    ...(isLast ? [{ name: termsName, key: terms }] : []),
  ]
}

export const responseName = 'response'
export const termsName = 'terms'
export const endedName = 'ended'
export const itemName = 'item'
/** Signs of life while the model is at work. */
const workingName = 'working'

/** A recorded response. */
export interface FoundResponse extends FoundBegun {
  readonly thread: string
  /** Undefined while the model works, or if that was cut off. */
  readonly ending: ResponseOutcome | undefined
}

/** By its id, among the threads of an owner. Undefined if it does not exist. */
export async function findResponse({ store, owner }: Place, id: string): Promise<FoundResponse | undefined> {
  const thread = threadOf(owner, id) ?? (await hiddenThreadOf({ store, owner }, id))
  const found = thread === undefined ? undefined : await findBegun(store, thread, id)
  if (thread === undefined || !found) return undefined
  return {
    thread,
    ...found,
    ending: found.at === undefined ? undefined : await findEnding(store, thread, id, found.at),
  }
}

/**
 * The input of a response, oldest first, without what was erased. While there is no receipt, only what was recorded
 * with the question is known to be of this response (`brought`).
 */
export async function inputsOf(
  store: Store,
  { thread, begun: { question, inputs }, ending }: Pick<FoundResponse, 'thread' | 'begun' | 'ending'>,
  isSaid: (entry: StoredEntry) => boolean,
  brought: (log: readonly StoredEntry[]) => readonly string[],
): Promise<readonly StoredEntry[]> {
  const log = await store.read(thread)
  if (!ending) {
    const ids = new Set(brought(log))
    return log.filter((entry) => ids.has(entry.id) && isSaid(entry))
  }
  const asked = askedIn(log, ending.receipt.id)
  if (asked) return asked.filter(isSaid).slice(-inputs)
  for (let last = 4 * inputs + 64; ; last *= 4) {
    const entries = await store.read(thread, { head: question, last })
    const at = entries.findIndex(({ id }) => id === question)
    const said = entries.slice(0, at + 1).filter(isSaid)
    if (said.length >= inputs || entries.length < last) return said.slice(-inputs)
  }
}

function threadOf(owner: string, id: string): string | undefined {
  const place = responsePlace(id)
  try {
    return place && place.name !== hiddenName ? namedThread(owner, place.name) : undefined
  } catch {
    return undefined
  }
}

/** The thread of a response whose id does not name it. */
async function hiddenThreadOf({ store, owner }: Place, id: string): Promise<string | undefined> {
  if (responsePlace(id)?.name !== hiddenName) return undefined
  const [kept] = await store.records.find({ name: responseName, key: id, limit: 1 })
  const thread = kept?.thread ?? undefined
  return thread !== undefined && isOwnedBy(owner, thread) ? thread : undefined
}

/** A thread that a client uses as a conversation. */
export interface Conversation {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  /** That of its thread. */
  readonly metadata: Metadata
}

/** Undefined if it does not exist, or not any more. */
export async function findConversation({ store, owner }: Place, id: string): Promise<Conversation | undefined> {
  if (!isConversationId(id)) return undefined
  const thread = namedThread(owner, id)
  const [[kept], metadata] = await Promise.all([
    store.records.find({ name: conversationName, thread }),
    readMetadata(store, thread),
  ])
  return kept && { ...(kept.value as Omit<Conversation, 'metadata'>), metadata }
}

/** A new conversation, as records of its thread. */
export function conversationRecords({ id, created, metadata }: Conversation): readonly NewRecord[] {
  return [{ name: conversationName, value: { id, created } }, ...metadataRecords(metadata)]
}

/** Replaces the metadata of a conversation. It may have no entries yet. */
export async function replaceMetadata(
  { records }: Pick<Store, 'records'>,
  thread: string,
  { metadata }: Conversation,
  next: Metadata,
): Promise<void> {
  await records.put(thread, metadataRecords(next))
  for (const key of Object.keys(metadata))
    if (!Object.hasOwn(next, key)) await records.remove(thread, recordNames.metadata, key)
}

/** The thread is not a conversation any more. What was said stays. */
export async function removeConversation({ store, owner }: Place, id: string): Promise<void> {
  await store.records.remove(namedThread(owner, id), conversationName)
}

export function shownConversation({ id, created, metadata }: Conversation): object {
  return { id, object: 'conversation', created_at: created, metadata }
}

export const conversationName = 'conversation'

/**
 * While a response is worked on, its instance records a sign of life now and then. If a response has no ending and no
 * sign for longer than that, its instance is gone. Most responses are over before the first sign.
 */
export async function withHeartbeat<T>(
  kept: { readonly store: Store; readonly thread: string } | undefined,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!kept) return work()
  // The next sign makes up for one that cannot be written.
  const timer = setInterval(
    () => void recordHeartbeat(kept.store, kept.thread, id, Date.now()).catch(() => undefined),
    heartbeatEvery,
  ).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Returns whether no instance works on a response that has no ending. */
export async function isAbandoned(
  store: Store,
  { thread, begun: { id, created }, ending }: FoundResponse,
  now: number,
): Promise<boolean> {
  if (ending || now - created * 1000 < longestSilence) return false
  const [sign] = await store.records.find({ name: workingName, key: id, thread })
  return now - Number(sign?.value ?? 0) >= longestSilence
}

export async function recordHeartbeat(
  store: Pick<Store, 'records'>,
  thread: string,
  id: string,
  now: number,
): Promise<void> {
  await store.records.put(thread, [{ name: workingName, key: id, value: now }])
}

/** Milliseconds. Two signs may be missed, and the clocks of instances differ by some seconds. */
export const heartbeatEvery = 15_000
export const longestSilence = 45_000

/** How a response ended, by the record of its call. */
export interface ResponseOutcome {
  readonly receipt: Pick<KeptReceipt, 'outcome' | 'tokens' | 'head' | 'id' | 'truncated'>
  /** The answer, whole or in part. */
  readonly answer: Entry | undefined
  /** What went wrong, in words for people. */
  readonly reason?: string | undefined
}

export function outcomeOf({ receipt, answer }: RelayResult, reason?: string): ResponseOutcome {
  return { receipt, answer, reason }
}

/** The ending of a response, by the entry that its receipt hangs off. Undefined if it was erased. */
async function findEnding(store: Store, thread: string, id: string, at: string): Promise<ResponseOutcome | undefined> {
  for (let last = 64; ; last *= 8) {
    const entries = await store.read(thread, { head: at, last })
    const place = entries.findLastIndex((entry) => keyOf(entry) === senderId('response', id))
    const found = entries[place]
    if (!found && entries.length === last) continue
    if (!found) return undefined
    const answer = entries.find((entry) => entry.id === found.parent && entry.kind === 'assistant')
    return {
      receipt: { ...(JSON.parse(found.text) as KeptReceipt), id: found.id },
      answer: answer?.status === 'erased' ? undefined : answer,
      reason: reasonBehind(entries.slice(place)),
    }
  }
}

function keyOf({ kind, status, text }: Entry): unknown {
  return kind === 'receipt' && status !== 'erased' ? parseObject(text)?.['key'] : undefined
}

function reasonBehind([receipt, ...after]: readonly StoredEntry[]): string | undefined {
  const stop = after.find(({ kind, parent }) => kind === 'stop' && parent === receipt?.parent)
  return stop && visible([stop])[0]?.text
}
