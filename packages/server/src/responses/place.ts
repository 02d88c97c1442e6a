import {
  exchanges,
  MinutebookError,
  type Entry,
  type Message,
  type Relay,
  type RelayOptions,
  type Store,
} from 'minutebook'
import { traits, type StoredEntry } from 'minutebook/store'
import type { RelayRecords } from 'minutebook/wire'
import { hash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { chatThreadOptions } from '../gateway/chat-options.ts'
import type { CachedThread } from '../gateway/thread-cache.ts'
import { asObject } from '../http/json.ts'
import { answerLines, findThread, questionLines, type ThreadQuestion } from '../matching/matching.ts'
import { namedThread, newThread, ownName } from '../matching/thread-name.ts'
import { senderId } from '../stores/setup.ts'
import { threadWeight } from '../stores/thread-weight.ts'
import type { Window } from '../upstream/window.ts'
import { partOf, responseId } from './ids.ts'
import { notFoundError, requestError } from './problems.ts'
import { begunRecords, endedRecord, findConversation, findResponse, itemRecords, type Begun } from './recorded.ts'
import type { ResponseContext } from './request.ts'

/** A response whose question is recorded, unless it is not to be stored. */
export interface PlacedResponse {
  readonly begun: Begun
  readonly relay: Relay
  readonly window: Window
  readonly cached: CachedThread
  /** Whether its messages begin with what the record has, although they are sent unchanged. */
  readonly isExpanded: boolean
  /** The store and the thread that keep it. */
  readonly kept: { readonly store: Store; readonly thread: string } | undefined
}

/** Finds the thread that a response continues, or starts one, and records what is asked. */
export async function placeResponse(asking: ResponseContext): Promise<PlacedResponse> {
  const {
    visit: { caller },
    services,
    request,
    model,
    upstream,
    requestHeaders,
    bytes,
  } = asking
  const { store } = services.stores.of(caller.tenant)
  const [window, before] = await Promise.all([
    services.windows.of({ tenant: caller.tenant, upstream, model, protocol: 'openai', output: request.output }),
    threadBefore(asking, store),
  ])
  // An upstream that serves Responses itself checks what it gets. What is added here, it cannot check.
  if (!asking.direct || before) await checkResults(request.messages, store, before)
  const isKept = recordsResponse(request.stores, requestHeaders.record, services.config.record)
  // Notes bring their own system text. Without notes, an earlier system text must not stay.
  const system = request.instructions ?? (services.config.policy.notes ? undefined : '')
  const opening = await chatThreadOptions(services, {
    caller,
    model,
    protocol: 'openai',
    size: { characters: bytes, entries: request.messages.length + (before?.length ?? 0) },
    wire: asking.direct ? 'responses' : 'openai',
    policy: requestHeaders.policy,
    window,
    system,
  })
  return isKept
    ? keptResponse(asking, { store, window, before, opening })
    : scratchResponse(asking, { store, window, before, opening })
}

/** A header decides first, then `store: false` of the request, unless the settings record everything. */
function recordsResponse(stores: boolean, header: boolean | undefined, setting: Config['record']): boolean {
  return header === false ? false : stores ? (header ?? setting) !== false : header === true || setting === 'always'
}

interface Placing {
  readonly store: Store
  readonly window: Window
  readonly before: ThreadBefore | undefined
  readonly opening: Awaited<ReturnType<typeof chatThreadOptions>>
}

async function keptResponse(
  asking: ResponseContext,
  { store, window, before, opening }: Placing,
): Promise<PlacedResponse> {
  const {
    visit: { caller, hold },
    services,
    request: { messages, tools, terms: shownTerms },
    model,
    requestHeaders,
    cache,
    random,
  } = asking
  const asked: ThreadQuestion = {
    store,
    owner: caller.name,
    messages,
    model,
    name: requestHeaders.thread,
    id: requestHeaders.id,
    retry: requestHeaders.retry,
    now: Date.now(),
    random,
  }
  const found = before ? undefined : await findThread(asked)
  const thread = before?.thread ?? found?.thread ?? newThread(caller.name, asked)
  if (found?.kind !== 'new')
    await hold.thread(cache.weight(caller.tenant, thread) ?? (await threadWeight(store, thread)))
  const cached = cache.open(services.stores.of(caller.tenant).book, caller.tenant, thread, opening)
  const terms: RelayOptions = { tools, trusted: true, flexibleReserve: true, instructed: asking.direct !== undefined }
  const taking: RelayOptions = found
    ? { ...terms, retry: found.kind === 'retry', alone: found.alone }
    : { ...terms, retry: requestHeaders.retry, alone: true, after: before?.after }
  const idOf = (part: string): string => responseId({ part, name: ownName(caller.name, thread) })
  const recordsOf = (id: string): RelayRecords => ({
    question: (question) => [
      ...begunRecords(begunOf(asking, { id, now: asked.now }, question), shownTerms),
      ...(found ? questionLines(asked, found) : []),
    ],
    ending: ({ at, answer }) => [
      endedRecord(id, at),
      ...itemRecords(caller.name, id, answer),
      ...(found ? answerLines(asked, found, answer?.raw) : []),
    ],
  })
  const take = async (id: string): Promise<{ readonly id: string; readonly relay: Relay }> => ({
    id,
    relay: await cached.thread.relay(messages, { ...taking, id: senderId('response', id), records: recordsOf(id) }),
  })
  const fresh = (): string => idOf(partOf(random(16)))
  const { id, relay } = await take(
    requestHeaders.id === undefined ? fresh() : idOf(partOf(derived(caller.tenant, caller.name, requestHeaders.id))),
  ).catch((error: unknown) => {
    // A client that sends one id with everything has no usable id.
    if (MinutebookError.isInstance(error) && error.code === 'id_taken') return take(fresh())
    throw error
  })
  return {
    begun: begunOf(asking, { id, now: asked.now }, relay.question),
    relay,
    window,
    cached,
    isExpanded: false,
    kept: { store, thread },
  }
}

/** Stores nothing: it reads what was said before into a thread in memory. */
async function scratchResponse(
  asking: ResponseContext,
  { store, window, before, opening }: Placing,
): Promise<PlacedResponse> {
  const {
    visit: { caller, hold },
    request: { messages, tools },
    cache,
    random,
  } = asking
  if (before) await hold.thread(await threadWeight(store, before.thread))
  const cached = cache.scratch(opening)
  const history = before ? await messagesBefore(store, before) : []
  const instructed = asking.direct !== undefined
  const relay = await cached.thread.relay([...history, ...messages], {
    tools,
    trusted: true,
    flexibleReserve: true,
    instructed,
  })
  const now = Date.now()
  const name = ownName(caller.name, newThread(caller.name, { now, random }))
  return {
    begun: begunOf(asking, { id: responseId({ part: partOf(random(16)), name }), now }, relay.question),
    relay,
    window,
    cached,
    isExpanded: history.length > 0,
    kept: undefined,
  }
}

function begunOf(
  { model, request: { metadata, previous, conversation, messages } }: ResponseContext,
  { id, now }: { readonly id: string; readonly now: number },
  question: Pick<Entry, 'id'>,
): Begun {
  return {
    id,
    created: Math.floor(now / 1000),
    model,
    metadata,
    previous: previous ?? null,
    conversation: conversation ?? null,
    question: question.id,
    inputs: messages.length,
  }
}

/** The same id for the same request of the same key. */
function derived(...parts: readonly string[]): Uint8Array {
  return hash('sha256', JSON.stringify(['response', ...parts]), 'buffer')
}

/** The thread that a response continues, and from where. */
interface ThreadBefore {
  readonly thread: string
  /** The entry to continue from; undefined: the end of the thread. */
  readonly after: string | undefined
  /** The entry at that place. */
  readonly head: string | null
  /** How many entries the thread has. */
  readonly length: number
}

/** Undefined if a response begins a conversation. Throws if what it names is missing. */
async function threadBefore(
  { visit: { caller }, request: { previous, conversation } }: Pick<ResponseContext, 'visit' | 'request'>,
  store: Store,
): Promise<ThreadBefore | undefined> {
  const place = { store, owner: caller.name }
  if (previous !== undefined) {
    const found = await findResponse(place, previous)
    if (!found) throw notFoundError('response', 'previous_response_id')
    const after = found.ending?.answer?.id ?? found.begun.question
    return { thread: found.thread, after, head: after, length: (await store.standing(found.thread)).length }
  }
  if (conversation === undefined) return undefined
  if (!(await findConversation(place, conversation))) throw notFoundError('conversation', 'conversation')
  const thread = namedThread(caller.name, conversation)
  const { head, length } = await store.standing(thread)
  return { thread, after: undefined, head, length }
}

/**
 * What was said up to there, for a response that is not stored. The thread's own system texts were for other responses.
 */
async function messagesBefore(store: Store, { thread, head }: ThreadBefore): Promise<readonly Message[]> {
  if (head === null) return []
  const entries = await store.read(thread, { head })
  return entries.filter(isSaid).map(({ raw }) => raw)
}

export function isSaid({ kind, status, key }: StoredEntry): boolean {
  return traits[kind].chained && status !== 'erased' && !(kind === 'system' && key === 'system')
}

/** Throws if a result answers no call: neither one of this input nor one that the thread waits for. */
async function checkResults(
  messages: readonly Message[],
  store: Store,
  before: ThreadBefore | undefined,
): Promise<void> {
  if (!messages.some(({ role }) => role === 'tool')) return
  const known = new Set(before ? await openIn(store, before) : [])
  for (const message of messages) {
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : [])
      known.add(String(asObject(call)['id']))
    if (message.role === 'tool' && !known.has(String(message.tool_call_id)))
      throw requestError(
        'input',
        'A function_call_output in input does not belong to an open function_call.',
        'Send it together with its function_call, or name the response that made the call in previous_response_id.',
      )
  }
}

async function openIn(store: Store, { thread, head }: ThreadBefore): Promise<readonly string[]> {
  if (head === null) return []
  const open =
    exchanges(await store.read(thread, { head, last: 256 }))
      .at(-1)
      ?.steps.at(-1)?.dangling ?? []
  return open.map(({ id = '' }) => id)
}
