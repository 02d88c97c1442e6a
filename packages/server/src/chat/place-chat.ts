import { MinutebookError, type Message, type Relay, type RelayOptions, type Thread } from 'minutebook'
import { findThread } from '../lineage/find-thread.ts'
import type { Asked, FoundThread } from '../lineage/found-thread.ts'
import { recordQuestion } from '../lineage/record-line.ts'
import { isWithin } from '../scope.ts'
import type { Window } from '../window.ts'
import type { Chat } from './chat.ts'
import { openingFor } from './opening.ts'
import type { Shelved } from './thread-shelf.ts'

/** A chat whose question is on record. */
export interface Placed {
  readonly relay: Relay
  readonly window: Window
  readonly shelved: Shelved
  /** The id of its thread, and where it was looked for; undefined where nothing of it is kept. */
  readonly thread: string | undefined
  readonly asked?: Asked
  readonly found?: FoundThread
}

/** Finds the thread of a chat, and puts on record what is new in it. */
export async function placeChat(chat: Chat): Promise<Placed> {
  const { visit: { caller }, services, protocol, request, upstream, wishes, shelf, random } = chat
  const { model, messages, tools, numCtx, output } = request
  // Whoever may use a model may tell it what to do.
  const trusted = isWithin(caller.scope, 'app')
  const window = await services.windows.of({ upstream, model, protocol: protocol.name, numCtx, output })
  const opening = await openingFor(services, { model, protocol: protocol.name, bytes: request.bytes.length, policy: wishes.policy, window })
  if (!(wishes.record ?? services.config.record)) {
    const shelved = shelf.scratch(opening)
    return { relay: await shelved.thread.relay(messages, { tools, trusted }), window, shelved, thread: undefined }
  }
  const { store, book } = services.stores.of(caller.tenant)
  const asked = { store, owner: caller.name, messages, model, name: wishes.thread, id: wishes.id, retry: wishes.retry, now: Date.now(), random }
  const found = await findThread(asked)
  const shelved = shelf.open(book, caller.tenant, found.thread, opening)
  const taking = { tools, id: wishes.id, retry: found.kind === 'retry', trusted, alone: found.alone }
  const [relay] = await Promise.all([take(shelved.thread, messages, taking), recordQuestion(asked, found)])
  return { relay, window, shelved, thread: found.thread, asked, found }
}

/** A client that has one id for all that it sends has none. */
async function take(thread: Thread, messages: readonly Message[], { id, ...options }: RelayOptions): Promise<Relay> {
  try {
    return await thread.relay(messages, { ...options, ...(id !== undefined && { id }) })
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'id_taken') return thread.relay(messages, options)
    throw error
  }
}
