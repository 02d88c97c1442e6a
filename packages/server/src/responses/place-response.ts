import { hash } from 'node:crypto'
import { MinutebookError, type Entry, type Relay, type RelayOptions, type Store } from 'minutebook'
import type { RelayRecords } from 'minutebook/wire'
import { openingFor } from '../chat/opening.ts'
import type { Shelved } from '../chat/thread-shelf.ts'
import { findThread } from '../lineage/find-thread.ts'
import type { Asked } from '../lineage/found-thread.ts'
import { answerLines, questionLines } from '../lineage/record-line.ts'
import { newThread, ownName } from '../lineage/thread-name.ts'
import { threadWeight } from '../memory/thread-weight.ts'
import { senderId } from '../sender-id.ts'
import type { Window } from '../window.ts'
import type { Asking } from './asking.ts'
import { partOf, responseId } from './ids.ts'
import { begunRecords, endedRecord, type Begun } from './kept-response.ts'
import { checkResults } from './open-calls.ts'
import { messagesBefore, threadBefore, type ThreadBefore } from './thread-before.ts'

/** A response whose question is on record, unless nothing of it is kept. */
export interface PlacedResponse {
  readonly begun: Begun
  readonly relay: Relay
  readonly window: Window
  readonly shelved: Shelved
  /** Where it is kept. */
  readonly kept: { readonly store: Store; readonly thread: string } | undefined
}

/** Finds the thread that a response goes on, or begins one, and puts on record what is asked. */
export async function placeResponse(asking: Asking): Promise<PlacedResponse> {
  const {
    visit: { caller },
    services,
    request,
    model,
    upstream,
    wishes,
    bytes,
  } = asking
  const { store } = services.stores.of(caller.tenant)
  const [window, before] = await Promise.all([
    services.windows.of({ tenant: caller.tenant, upstream, model, protocol: 'openai', output: request.output }),
    threadBefore(asking, store),
  ])
  await checkResults(request.messages, store, before)
  const isKept = request.stores && (wishes.record ?? services.config.record)
  // Notes bring a system text of their own; without, one from before must not hold on.
  const system = request.instructions ?? (services.config.policy.notes ? undefined : '')
  const opening = await openingFor(services, {
    caller,
    model,
    protocol: 'openai',
    size: { characters: bytes, entries: request.messages.length + (before?.length ?? 0) },
    policy: wishes.policy,
    window,
    system,
  })
  return isKept
    ? keptResponse(asking, { store, window, before, opening })
    : scratchResponse(asking, { store, window, before, opening })
}

interface Placing {
  readonly store: Store
  readonly window: Window
  readonly before: ThreadBefore | undefined
  readonly opening: Awaited<ReturnType<typeof openingFor>>
}

async function keptResponse(asking: Asking, { store, window, before, opening }: Placing): Promise<PlacedResponse> {
  const {
    visit: { caller, hold },
    services,
    request: { messages, tools, terms },
    model,
    wishes,
    shelf,
    random,
  } = asking
  const asked: Asked = {
    store,
    owner: caller.name,
    messages,
    model,
    name: wishes.thread,
    id: wishes.id,
    retry: wishes.retry,
    now: Date.now(),
    random,
  }
  const found = before ? undefined : await findThread(asked)
  const thread = before?.thread ?? found?.thread ?? newThread(caller.name, asked)
  if (found?.kind !== 'new')
    await hold.thread(shelf.weight(caller.tenant, thread) ?? (await threadWeight(store, thread)))
  const shelved = shelf.open(services.stores.of(caller.tenant).book, caller.tenant, thread, opening)
  const taking: RelayOptions = found
    ? { tools, trusted: true, retry: found.kind === 'retry', alone: found.alone }
    : { tools, trusted: true, retry: wishes.retry, alone: true, after: before?.after }
  const idOf = (part: string): string => responseId({ part, name: ownName(caller.name, thread) })
  const recordsOf = (id: string): RelayRecords => ({
    question: (question) => [
      ...begunRecords(begunOf(asking, { id, now: asked.now }, question), terms),
      ...(found ? questionLines(asked, found) : []),
    ],
    ending: ({ at, answer }) => [endedRecord(id, at), ...(found ? answerLines(asked, found, answer?.raw) : [])],
  })
  const take = async (id: string): Promise<{ readonly id: string; readonly relay: Relay }> => ({
    id,
    relay: await shelved.thread.relay(messages, { ...taking, id: senderId('response', id), records: recordsOf(id) }),
  })
  const fresh = (): string => idOf(partOf(random(16)))
  const { id, relay } = await take(
    wishes.id === undefined ? fresh() : idOf(partOf(derived(caller.tenant, caller.name, wishes.id))),
  ).catch((error: unknown) => {
    // A client that has one id for all that it sends has none.
    if (MinutebookError.isInstance(error) && error.code === 'id_taken') return take(fresh())
    throw error
  })
  return {
    begun: begunOf(asking, { id, now: asked.now }, relay.question),
    relay,
    window,
    shelved,
    kept: { store, thread },
  }
}

/** Leaves nothing: what was said before is read, and told to a thread that nobody keeps. */
async function scratchResponse(asking: Asking, { store, window, before, opening }: Placing): Promise<PlacedResponse> {
  const {
    visit: { caller, hold },
    request: { messages, tools },
    shelf,
    random,
  } = asking
  if (before) await hold.thread(await threadWeight(store, before.thread))
  const shelved = shelf.scratch(opening)
  const history = before ? await messagesBefore(store, before) : []
  const relay = await shelved.thread.relay([...history, ...messages], { tools, trusted: true })
  const now = Date.now()
  const name = ownName(caller.name, newThread(caller.name, { now, random }))
  return {
    begun: begunOf(asking, { id: responseId({ part: partOf(random(16)), name }), now }, relay.question),
    relay,
    window,
    shelved,
    kept: undefined,
  }
}

function begunOf(
  { model, request: { metadata, previous, conversation, messages } }: Asking,
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
