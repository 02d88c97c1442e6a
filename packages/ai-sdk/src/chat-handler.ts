import { createUIMessageStreamResponse, type UIMessage } from 'ai'
import { MinutebookError, type BusyPolicy, type Entry, type SendInput, type SendOptions, type Thread } from 'minutebook'
import { parseJson, traits } from 'minutebook/store'
import { fieldsOf, type Fields } from 'minutebook/wire'
import { decisionsIn, shownPart } from './decisions.ts'
import { fromUIMessages } from './from-ui.ts'
import { loadChat, restOfTurn, resumeUIMessageResponse } from './resume-stream.ts'
import { answerIdOf, uiIdOf } from './to-ui.ts'
import { uiMessageResponse } from './turn-stream.ts'

/**
 * Opens the thread of a chat. Return undefined if this request may not see it: the response is then 404.
 *
 * Contract: a client that gets a thread may read it, write to it, decide about its calls and stop it. Check here that it
 * may.
 */
export type ChatOpener = (id: string, request: Request) => Thread | undefined | Promise<Thread | undefined>

/** How a chat is served. */
export interface ChatOptions {
  /**
   * What to do with a message, an edit or a regeneration that comes while a turn runs, or while it waits for a decision.
   * `reject`: the response is 409, and nothing is recorded. `interrupt`: the turn is stopped, its open calls do not run,
   * and the message is answered. Default: `reject`.
   */
  readonly ifBusy?: Exclude<BusyPolicy, 'queue'> | undefined
}

/**
 * The server of `useChat`, for any framework that has web requests. The record is the conversation: of what the page
 * sends, only its last message is read.
 *
 * - `POST /api/chat`: answers a message, or an edited message, or answers a question again. If the message is the answer
 *   that waits, its approval responses and the outputs of client tools are decisions, and the turn goes on.
 * - `GET /api/chat/:id`: what `useChat` begins with, as `loadChat` reads it.
 * - `GET /api/chat/:id/stream`: the running turn, for `resume`. 204 if none runs. With `?after=`: see `ResumeOptions`.
 * - `DELETE /api/chat/:id`: stops the running turn.
 *
 * @example
 * const chat = chatHandler((id) => book.thread(id))
 * app.all('/api/chat/*', (c) => chat(c.req.raw))
 */
export function chatHandler(open: ChatOpener, options: ChatOptions = {}): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return await respond(open, request, options)
    } catch (error) {
      if (!MinutebookError.isInstance(error)) throw error
      return new Response(error.message, { status: 400 })
    }
  }
}

async function respond(open: ChatOpener, request: Request, options: ChatOptions): Promise<Response> {
  const { method, url } = request
  const { pathname, searchParams } = new URL(url)
  const sent: unknown = method === 'POST' ? parseJson(await request.text()) : {}
  if (sent === undefined) return new Response('The body is not JSON.', { status: 400 })
  const body = fieldsOf(sent)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const isStream = method === 'GET' && segments.at(-1) === 'stream'
  const id = method === 'POST' ? body['id'] : segments.at(isStream ? -2 : -1)
  const thread = typeof id === 'string' && id !== '' ? await open(decoded(id, method), request) : undefined
  if (!thread) return new Response('There is no such chat.', { status: 404 })
  if (isStream) return resumeUIMessageResponse(thread, { after: searchParams.get('after') ?? undefined })
  if (method === 'GET') return Response.json(await loadChat(thread))
  if (method === 'POST') return answerTo(thread, body, options)
  if (method !== 'DELETE') return new Response('Use POST, GET or DELETE.', { status: 405 })
  await thread.cancel()
  return new Response(null, { status: 204 })
}

/** An id in a path is encoded, one in a body is not. */
function decoded(id: string, method: string): string {
  if (method === 'POST') return id
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

async function answerTo(thread: Thread, body: Fields, { ifBusy }: ChatOptions): Promise<Response> {
  const { trigger, messageId } = body
  const named = typeof messageId === 'string' ? messageId : undefined
  const last = fieldsOf(lastOf(body))
  if (trigger === 'regenerate-message') {
    const entries = await thread.entries()
    // A page that was told to wait has a question that is not recorded. It is sent when the page asks again.
    const isSent = last['role'] !== 'user' || entries.some((entry) => opensAs(entry, last['id']))
    if (isSent || named !== undefined) {
      const { raw, parent } = questionIn(entries, named)
      return send(thread, raw, { after: parent, ifBusy })
    }
  }
  const decided = [namedIn(body, named), last].find(({ role }) => role === 'assistant')
  if (decided) return goOn(thread, decided)
  const message = questionOf(last)
  const [said] = fromUIMessages([message])
  // An edited message keeps its id, so its old words already have the id of the entry.
  if (named === undefined) return send(thread, said!, { id: message.id, ifBusy })
  return send(thread, said!, { after: questionIn(await thread.entries(), named).parent, ifBusy })
}

/** Records what the page decided, and streams the rest of the answer into the same message. */
async function goOn(thread: Thread, { id, parts }: Fields): Promise<Response> {
  const entries = await thread.entries()
  const asked = questionIn(entries, typeof id === 'string' ? id : '')
  const isNewest = asked === questionIn(entries, undefined) && id === answerIdOf(asked)
  const sent = (Array.isArray(parts) ? parts : []).map(fieldsOf)
  const turns = isNewest ? decisionsIn(sent, entries).map(({ id, decision }) => thread.decide(id, decision)) : []
  const stream = isNewest ? restOfTurn(thread, entries, sent.map(shownPart), turns) : undefined
  if (stream) return createUIMessageStreamResponse({ stream })
  return new Response('No call of this answer waits for a decision.', { status: 409 })
}

function send(thread: Thread, message: SendInput, options: SendOptions): Promise<Response> {
  return uiMessageResponse(thread.send(message, options))
}

/** The user entry that a page knows by this id, or by the id of its answer. Without an id, the newest one. */
function questionIn(entries: readonly Entry[], id: string | undefined): Entry {
  const found = entries.findLast((entry) => opensAs(entry, id))
  if (found) return found
  throw new MinutebookError(
    'unknown_message',
    'The conversation has no such message.',
    'Load the page again: another page may have changed the conversation.',
  )
}

/** True if this is a user entry that a page knows by this id, or by the id of its answer. */
function opensAs(entry: Entry, id: unknown): boolean {
  return traits[entry.kind].opensExchange && (id === undefined || id === uiIdOf(entry) || id === answerIdOf(entry))
}

/** A page names an answer that waits if its last message is a question that was refused meanwhile. */
function namedIn({ messages }: Fields, id: string | undefined): Fields {
  const found = Array.isArray(messages) ? messages.map(fieldsOf).findLast((message) => message['id'] === id) : undefined
  return (id !== undefined && found) || {}
}

function lastOf({ message, messages }: Fields): unknown {
  return message ?? (Array.isArray(messages) ? messages.at(-1) : undefined)
}

/** The message to answer. Only a user's message is accepted: everything else is recorded already. */
function questionOf(last: unknown): UIMessage {
  const { id, role, parts } = fieldsOf(last)
  const isMessage = role === 'user' && typeof id === 'string' && Array.isArray(parts)
  if (isMessage && parts.every(isUserPart)) return last as UIMessage
  throw new MinutebookError(
    'nothing_to_answer',
    'There is nothing to answer.',
    'Send a UI message with the role user, an id, and parts that are texts, files or data.',
  )
}

/** A user says texts, files and what a program adds. A call in a user's message would confuse the model. */
function isUserPart(part: unknown): boolean {
  const { type, text, url } = fieldsOf(part)
  if (type === 'text') return typeof text === 'string'
  return type === 'file' ? typeof url === 'string' : typeof type === 'string' && type.startsWith('data-')
}
