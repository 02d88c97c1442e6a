import { MinutebookError, type Message, type Relay, type RelayOptions, type Thread } from 'minutebook'
import { findThread } from '../lineage/find-thread.ts'
import type { Asked, FoundThread } from '../lineage/found-thread.ts'
import { recordQuestion } from '../lineage/record-line.ts'
import { policyOf } from '../policy.ts'
import { configuredFor, type Window } from '../window.ts'
import type { Chat } from './chat.ts'
import { namedModel, type Opening, type Shelved } from './thread-shelf.ts'

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
  const window = await services.windows.of({ upstream, model, protocol: protocol.name, numCtx, output })
  const opening = await openingOf(chat, window)
  if (!(wishes.record ?? services.config.record)) {
    const shelved = shelf.scratch(opening)
    return { relay: await shelved.thread.relay(messages, { tools, trusted: true }), window, shelved, thread: undefined }
  }
  const { store, book } = services.stores.of(caller.tenant)
  const asked = { store, scope: caller.name, messages, model, name: wishes.thread, id: wishes.id, retry: wishes.retry, now: Date.now(), random }
  const found = await findThread(asked)
  const shelved = shelf.open(book, caller.tenant, found.thread, opening)
  const taking = { tools, id: wishes.id, retry: found.kind === 'retry', trusted: true, alone: found.alone }
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

/** How the thread is opened: by what the settings, the model and the client say. */
async function openingOf({ services: { config, calibrations }, protocol, request: { model, bytes }, wishes }: Chat, { window, reserve }: Window): Promise<Opening> {
  const { profile } = configuredFor(config.models, model)
  const counter = await calibrations.counter(model)
  const policy = wishes.policy?.policy ?? policyOf(config.policy)
  const notes = config.policy.notes ? 'block' : 'off'
  const journal = config.policy.journal ?? false
  return {
    options: { model: namedModel(model, protocol.name), window, reserve, policy, counter, profile, notes, journal },
    signature: JSON.stringify([protocol.name, model, window, reserve, wishes.policy?.name, counter.name]),
    bytes: bytes.length,
  }
}
