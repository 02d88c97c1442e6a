import { MinutebookError, type Entry, type Message, type Store } from 'minutebook'
import { checkUnapproved, entryOf, sizeOf, recordNames, type NewRecord, type StoredEntry } from 'minutebook/store'
import { readBody } from '../http/body.ts'
import type { Fields } from '../http/json.ts'
import type { Visit } from '../http/http.ts'
import { namedThread } from '../matching/thread-name.ts'
import type { Services } from '../services.ts'
import { threadSize, threadWeight } from '../stores/thread-weight.ts'
import { conversationId, partOf } from './ids.ts'
import { chatMessages } from './input.ts'
import { itemsOf, listOf, pageOf, type Item } from './items.ts'
import { fieldsIn, metadataIn, notFoundError, refuseVisit, requestError, refusedRequestError } from './problems.ts'
import {
  conversationRecords,
  findConversation,
  removeConversation,
  replaceMetadata,
  shownConversation,
  type Conversation,
} from './recorded.ts'
import type { ResponsesState } from './request.ts'
import { send } from './stream.ts'

/** Answers `POST /v1/conversations`. */
export async function createConversation(visit: Visit, services: Services, { random }: ResponsesState): Promise<void> {
  const fields = await bodyOf(visit, services)
  if (!fields) return
  const place = placeOf(visit, services)
  const messages = fields['items'] === undefined || fields['items'] === null ? [] : messagesIn(fields['items'])
  const now = new Date()
  const conversation = {
    id: conversationId(partOf(random(16))),
    created: Math.floor(now.getTime() / 1000),
    metadata: metadataIn(fields['metadata']) ?? {},
  }
  await appendItems(place.store, namedThread(place.owner, conversation.id), {
    messages,
    records: conversationRecords(conversation),
    time: now.toISOString(),
    threadLimit: services.config.threadLimit,
  })
  send(visit.response, shownConversation(conversation))
}

/** Answers requests for one conversation and its items. */
export async function useConversation(
  visit: Visit,
  services: Services,
  { oneAtATime }: Pick<ResponsesState, 'oneAtATime'>,
  [id, below, itemId, ...more]: readonly string[],
): Promise<'nowhere' | void> {
  const operation = [visit.request.method, below, itemId !== undefined && '{item}'].filter(Boolean).join(' ')
  if (id === undefined || more.length > 0 || !operations.has(operation)) return 'nowhere'
  const place = placeOf(visit, services)
  const conversation = await findConversation(place, id)
  if (!conversation) throw notFoundError('conversation')
  const at: At = { visit, services, conversation, thread: namedThread(place.owner, id) }
  visit.tell({ thread: at.thread })
  switch (operation) {
    case 'GET':
      return send(visit.response, shownConversation(conversation))
    case 'POST':
      return update(at)
    case 'DELETE':
      await removeConversation(place, id)
      return send(visit.response, { id, object: 'conversation.deleted', deleted: true })
    case 'GET items':
      return send(visit.response, pageOf(await itemsIn(at), visit.query))
    case 'POST items':
      return oneAtATime(visit.caller, { kind: 'conversation', name: id }, () => addItems(at))
    default:
      return itemId === undefined ? 'nowhere' : oneItem(at, itemId)
  }
}

const operations: ReadonlySet<string> = new Set([
  'GET',
  'POST',
  'DELETE',
  'GET items',
  'POST items',
  'GET items {item}',
  'DELETE items {item}',
])

interface At {
  readonly visit: Visit
  readonly services: Services
  readonly conversation: Conversation
  readonly thread: string
}

async function update({ visit, services, conversation, thread }: At): Promise<void> {
  const fields = await bodyOf(visit, services)
  if (!fields) return
  const metadata = metadataIn(fields['metadata']) ?? {}
  await replaceMetadata(placeOf(visit, services).store, thread, conversation, metadata)
  send(visit.response, shownConversation({ ...conversation, metadata }))
}

async function addItems({ visit, services, thread }: At): Promise<void> {
  const fields = await bodyOf(visit, services)
  if (!fields) return
  const messages = messagesIn(fields['items'])
  if (messages.length === 0)
    throw requestError('items', 'items contains nothing that can be recorded.', 'Send at least one item.')
  const added = await appendItems(placeOf(visit, services).store, thread, {
    messages,
    time: new Date().toISOString(),
    threadLimit: services.config.threadLimit,
  })
  send(visit.response, listOf(itemsOf(added)))
}

async function oneItem(at: At, id: string): Promise<void> {
  const { visit, services, conversation, thread } = at
  const items = await itemsIn(at)
  const item = items.find((each) => each.id === id)
  if (!item) throw notFoundError('item')
  if (visit.request.method === 'GET') return send(visit.response, item.shown)
  const together = items.filter(({ entry }) => entry === item.entry)
  if (together.length > 1 && new URLSearchParams(visit.query).get('together') !== 'true')
    throw itemsTogetherError(together)
  await placeOf(visit, services).store.erase(thread, [item.entry])
  send(visit.response, shownConversation(conversation))
}

/** Items that are one message, such as a text and its calls, are one entry of the record. */
function itemsTogetherError(items: readonly Item[]): MinutebookError {
  const ids = items.slice(0, mostNamed).map(({ id }) => id)
  if (items.length > ids.length) ids.push(`${items.length - ids.length} more`)
  return refusedRequestError({
    status: 409,
    code: 'items_together',
    problem: `These items are one message, and can only be deleted together: ${ids.join(', ')}.`,
    fix: 'To delete all of them, add ?together=true to the address.',
    param: 'item_id',
  })
}

const mostNamed = 100

function messagesIn(items: unknown): readonly Message[] {
  if (!Array.isArray(items)) throw requestError('items', 'items is not a list.', 'Send a list of items.')
  return chatMessages(items, 'items')
}

/** Of the newest branch. */
async function itemsIn({ visit, services, thread }: At): Promise<readonly Item[]> {
  const { book, store } = services.stores.of(visit.caller.tenant)
  await visit.hold.thread(await threadWeight(store, thread))
  return itemsOf((await book.thread(thread).entries()) as Parameters<typeof itemsOf>[0])
}

function placeOf({ caller }: Visit, services: Services): Parameters<typeof findConversation>[0] {
  return { store: services.stores.of(caller.tenant).store, owner: caller.name }
}

/** Undefined if the request is answered already, or its client has left. */
async function bodyOf(visit: Visit, { config }: Services): Promise<Fields | undefined> {
  const body = await readBody(visit.request, { limit: config.bodyLimit, hold: visit.hold })
  if ('gone' in body) return undefined
  if ('refusal' in body) {
    refuseVisit(visit, body.refusal)
    return undefined
  }
  return body.bytes.length === 0 ? {} : fieldsIn(body.bytes)
}

/** Records messages, and records of the thread, at the end of the thread, without an answer. */
async function appendItems(
  store: Store,
  thread: string,
  { messages, records = [], time, threadLimit }: Items,
): Promise<readonly StoredEntry[]> {
  const size = (await threadSize(store, thread)).characters + sizeOf(messages)
  if (size > threadLimit) throw threadTooLargeError(threadLimit)
  for (let tries = 0; tries < mostTries; tries++) {
    const { head } = await store.standing(thread)
    const last = await entryAt(store, thread, head)
    const entries = chained(messages, last, time)
    const isBehindCall = last?.kind === 'tool' || (last?.calls ?? []).length > 0
    if (isBehindCall || (await isListed(store, thread))) checkUnapproved(await store.read(thread), entries)
    const appended = await store.append(thread, entries, {
      head,
      records,
    })
    if (appended.ok) return appended.entries
  }
  throw new MinutebookError(
    'conversation_busy',
    'Too many other requests write to this conversation.',
    'Try again in a moment.',
  )
}

/** True if the list of calls that wait has one of this thread. */
async function isListed({ records }: Store, thread: string): Promise<boolean> {
  return (await records.find({ name: recordNames.waiting, thread, limit: 1 })).length > 0
}

export interface Items {
  readonly messages: readonly Message[]
  readonly records?: readonly NewRecord[]
  readonly time: string
  /** About how many characters the thread may hold. */
  readonly threadLimit: number
}

const mostTries = 8

function threadTooLargeError(limit: number): MinutebookError {
  return refusedRequestError({
    status: 413,
    code: 'thread_too_large',
    problem: `With these items, the conversation would contain more than ${limit} characters.`,
    fix: 'Continue in a new conversation, or ask the operator to raise threadLimit.',
    param: 'items',
  })
}

function chained(messages: readonly Message[], last: Entry | undefined, time: string): Entry[] {
  const entries: Entry[] = []
  for (const message of messages) {
    const facts = { time, ...(message.role !== 'system' && { origin: 'import' as const }) }
    entries.push(entryOf(message, entries.at(-1) ?? last, facts))
  }
  return entries
}

async function entryAt(store: Store, thread: string, head: string | null): Promise<Entry | undefined> {
  if (head === null) return undefined
  const near = await store.read(thread, { head, last: 64 })
  return near.find(({ id }) => id === head) ?? (await store.read(thread, { head })).find(({ id }) => id === head)
}
