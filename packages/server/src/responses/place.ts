import { MinutebookError, type Entry, type Relay, type RelayOptions, type Store } from 'minutebook'
import type { RelayRecords } from 'minutebook/wire'
import { hash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { chatThreadOptions } from '../gateway/chat-options.ts'
import { unlessFull } from '../gateway/place-chat.ts'
import type { CachedThread } from '../gateway/thread-cache.ts'
import { answerLines, findThread, questionLines, type FoundThread, type ThreadQuestion } from '../matching/matching.ts'
import { newThread, ownName } from '../matching/thread-name.ts'
import { senderId } from '../stores/setup.ts'
import { threadWeight } from '../stores/thread-weight.ts'
import type { Window } from '../upstream/window.ts'
import { hiddenName, partOf, responseId } from './ids.ts'
import { begunRecords, endedRecord, itemRecords, type Begun } from './recorded.ts'
import type { ResponseContext } from './request.ts'
import { checkResults, messagesBefore, threadBefore, type ThreadBefore } from './thread-before.ts'

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
  /** Whether the client sent the beginning of the thread, or named it. If not, the thread may be another user's. */
  readonly isOwn: boolean
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
    services.windows.of({
      tenant: caller.tenant,
      owner: caller.name,
      upstream,
      model,
      protocol: 'openai',
      output: request.output,
    }),
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
    request: { messages, instructions = '', tools, promptOptions, terms: shownTerms },
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
  if (!before) return unlessFull(asked, await findThread(asked), placeIn)
  return placeIn(undefined)

  async function placeIn(found: FoundThread | undefined): Promise<PlacedResponse> {
    const thread = before?.thread ?? found?.thread ?? newThread(caller.name, asked)
    if (found?.kind !== 'new')
      await hold.thread(cache.weight(caller.tenant, thread, opening) ?? (await threadWeight(store, thread)))
    const cached = cache.open(services.stores.of(caller.tenant).relays, caller.tenant, thread, opening)
    const terms: RelayOptions = {
      tools,
      trusted: true,
      flexibleReserve: true,
      instructed: asking.direct !== undefined,
      promptOptions,
      answeredMeanwhile: betweenOf(asking, thread),
      owner: caller.name,
    }
    const taking: RelayOptions = found
      ? { ...terms, retry: found.kind === 'retry', alone: found.alone, onlySent: found.kind !== 'named' }
      : { ...terms, retry: requestHeaders.retry, alone: true, after: before?.after, continues: before?.receipt }
    const isOwn = !found || found.kind === 'named' || found.isWhole
    const name = isOwn ? ownName(caller.name, thread) : hiddenName
    const idOf = (part: string): string => responseId({ part, name })
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
    const take = async (id: string, freshId: boolean): Promise<{ readonly id: string; readonly relay: Relay }> => {
      const options = { ...taking, id: senderId('response', id), freshId, records: recordsOf(id) }
      return { id, relay: await cached.thread.relay(messages, options) }
    }
    const takeFresh = (): ReturnType<typeof take> => take(idOf(partOf(random(16))), true)
    const told = requestHeaders.id
    const { id, relay } = await (told === undefined
      ? takeFresh()
      : take(idOf(partOf(derived(caller.tenant, caller.name, thread, instructions, told))), false).catch(
          (error: unknown) => {
            // A client that sends one id with everything has no usable id.
            if (MinutebookError.isInstance(error) && error.code === 'id_taken') return takeFresh()
            throw error
          },
        ))
    return {
      begun: begunOf(asking, { id, now: asked.now }, relay.question),
      relay,
      window,
      cached,
      isExpanded: false,
      kept: { store, thread },
      isOwn,
    }
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
  betweenOf(asking, undefined)
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
    isOwn: true,
  }
}

/** What the upstream answered since the previous call of the thread. Notes this one. */
function betweenOf(
  { visit: { caller }, services, upstream, model, request }: ResponseContext,
  thread: string | undefined,
): RelayOptions['answeredMeanwhile'] {
  const { instructions, messages, tools, output } = request
  return services.served.take({
    tenant: caller.tenant,
    upstream: upstream.url,
    model,
    owner: caller.name,
    thread,
    messages: instructions === undefined ? messages : [{ role: 'system', content: instructions }, ...messages],
    tools,
    output,
  })
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

/** The same id for the same request of the same key in the same thread, which not every id names. */
function derived(...parts: readonly string[]): Uint8Array {
  return hash('sha256', JSON.stringify(['response', ...parts]), 'buffer')
}
