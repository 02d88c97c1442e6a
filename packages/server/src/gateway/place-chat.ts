import { MinutebookError, type Message, type Relay, type RelayOptions, type Thread } from 'minutebook'
import type { RelayRecords } from 'minutebook/wire'
import { isWithin } from '../config/caller.ts'
import type { Visit } from '../http/http.ts'
import {
  anotherThread,
  answerLines,
  findThread,
  questionLines,
  type FoundThread,
  type ThreadQuestion,
} from '../matching/matching.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Services } from '../services.ts'
import { senderId } from '../stores/setup.ts'
import { threadWeight } from '../stores/thread-weight.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Window } from '../upstream/window.ts'
import { chatThreadOptions } from './chat-options.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { ChatRequest } from './request.ts'
import type { CachedThread, ThreadCache } from './thread-cache.ts'

/** One chat on its way. */
export interface Chat {
  readonly visit: Visit
  readonly services: Services
  readonly protocol: Protocol
  readonly request: ChatRequest
  readonly upstream: Upstream
  readonly requestHeaders: RequestHeaders
  readonly cache: ThreadCache
  readonly random: (bytes: number) => Uint8Array
}

/** A chat whose question is recorded. */
export interface Placed {
  readonly relay: Relay
  readonly window: Window
  readonly cached: CachedThread
  /** The id of its thread; undefined if nothing of it is kept. */
  readonly thread: string | undefined
  /** Whether the client sent the beginning of the thread, or named it. If not, the thread may be another user's. */
  readonly isOwn: boolean
}

/** Finds the thread of a chat, and records what is new in it. */
export async function placeChat(chat: Chat): Promise<Placed> {
  const {
    visit: { caller, hold },
    services,
    protocol,
    request,
    upstream,
    requestHeaders,
    cache,
    random,
  } = chat
  const { model, messages, tools, numCtx, output } = request
  const call = { tenant: caller.tenant, upstream: upstream.url, model, owner: caller.name, messages, tools, output }
  // Every caller that may use a model may instruct it, except with a key for chats alone.
  const trusted = isWithin(caller.scope, 'app') && caller.system !== false
  const stabilise = protocol.keepsShape ? services.config.stabilise : []
  const window = await services.windows.of({
    tenant: caller.tenant,
    owner: caller.name,
    upstream,
    model,
    protocol: protocol.name,
    numCtx,
    output,
  })
  const opening = await chatThreadOptions(services, {
    caller,
    model,
    protocol: protocol.name,
    takesNotes: protocol.takesNotes,
    size: { characters: request.bytes.length, entries: messages.length },
    policy: requestHeaders.policy,
    window,
  })
  if (!(requestHeaders.record ?? services.config.record)) {
    const cached = cache.scratch(opening)
    services.served.take({ ...call, thread: undefined })
    return {
      relay: await cached.thread.relay(messages, { tools, trusted, flexibleReserve: true, stabilise }),
      window,
      cached,
      thread: undefined,
      isOwn: true,
    }
  }
  const { store, relays } = services.stores.of(caller.tenant)
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
  return unlessFull(asked, await findThread(asked), async (found) => {
    if (found.kind !== 'new')
      await hold.thread(cache.weight(caller.tenant, found.thread, opening) ?? (await threadWeight(store, found.thread)))
    const cached = cache.open(relays, caller.tenant, found.thread, opening)
    const records: RelayRecords = {
      question: () => questionLines(asked, found),
      ending: ({ answer }) => answerLines(asked, found, answer?.raw),
    }
    const id = requestHeaders.id === undefined ? undefined : senderId('chat', requestHeaders.id)
    const relay = await take(cached.thread, messages, {
      tools,
      id,
      retry: found.kind === 'retry',
      trusted,
      flexibleReserve: true,
      alone: found.alone,
      onlySent: found.kind !== 'named',
      owner: caller.name,
      records,
      stabilise,
      promptOptions: {
        ...request.promptOptions,
        // The operator's own replaces the one of the request.
        ...(window.numCtx !== undefined && { num_ctx: String(window.numCtx) }),
      },
      answeredMeanwhile: services.served.take({ ...call, thread: found.thread }),
    })
    return { relay, window, cached, thread: found.thread, isOwn: found.kind === 'named' || found.isWhole }
  })
}

/**
 * Puts a request into the thread that was found for it. If that is full, then into a new one: others may have filled it
 * who said the same. A thread that the client named stays the one.
 */
export async function unlessFull<T>(
  asked: ThreadQuestion,
  found: FoundThread,
  place: (found: FoundThread) => Promise<T>,
): Promise<T> {
  try {
    return await place(found)
  } catch (error) {
    const isFull = MinutebookError.isInstance(error) && error.code === 'thread_too_large'
    if (!isFull || found.kind === 'named' || found.kind === 'new') throw error
    return place(anotherThread(asked, found))
  }
}

/** A client that sends one id with everything has no usable id. */
async function take(thread: Thread, messages: readonly Message[], { id, ...options }: RelayOptions): Promise<Relay> {
  try {
    return await thread.relay(messages, { ...options, ...(id !== undefined && { id }) })
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'id_taken') return thread.relay(messages, options)
    throw error
  }
}
