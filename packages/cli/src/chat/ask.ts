import { type Message, MinutebookError } from 'minutebook'
import { type EndEvent, ollamaReply, openAiReply, type Reply } from 'minutebook/wire'
import { linesOf } from '../connection/server.ts'

/** A gateway, and the protocol to use with it. */
export interface Gateway {
  readonly url: string
  readonly protocol: 'ollama' | 'openai'
  /** A key of this gateway, or its local operator's token. */
  readonly key: string
}

interface Question {
  readonly model: string
  readonly messages: readonly Message[]
  /** The thread that it belongs to. Default: a new one. */
  readonly thread?: string | undefined
  readonly signal: AbortSignal
}

/** An answer, and what the gateway's headers say about it. */
export interface Answer {
  readonly thread: string | undefined
  readonly turn: string | undefined
  readonly recorded: boolean
  readonly end: EndEvent
}

/** Called while an answer arrives. */
interface AnswerListener {
  readonly start: (thread: string | undefined) => void
  readonly text: (text: string) => void
  readonly reasoning: (text: string) => void
}

/** Sends a question as any client would. Throws the error that the gateway returns. */
export async function ask(
  gateway: Gateway,
  { model, messages, thread, signal }: Question,
  listener: AnswerListener,
): Promise<Answer> {
  const { path, reply } = protocols[gateway.protocol]
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    signal,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.key}`,
      ...(thread !== undefined && { 'minutebook-thread': thread }),
    },
    body: JSON.stringify({
      model,
      messages,
      stream: true,
      ...(gateway.protocol === 'openai' && { stream_options: { include_usage: true } }),
    }),
  })
  if (!response.ok || !response.body) throw refusedError(response.status, await response.text())
  const header = (name: string): string | undefined => response.headers.get(`minutebook-${name}`) ?? undefined
  listener.start(header('thread'))
  const reader = reply()
  for await (const chunk of eventsOf(response.body)) {
    for (const event of reader.push(chunk)) {
      if (event.type === 'text') listener.text(event.text)
      if (event.type === 'reasoning') listener.reasoning(event.text)
    }
  }
  return { thread: header('thread'), turn: header('turn'), recorded: header('recorded') !== 'no', end: reader.end() }
}

const protocols: Readonly<Record<Gateway['protocol'], { readonly path: string; readonly reply: () => Reply }>> = {
  ollama: { path: '/api/chat', reply: ollamaReply },
  openai: { path: '/v1/chat/completions', reply: openAiReply },
}

function refusedError(status: number, text: string): MinutebookError {
  return new MinutebookError('refused', `${errorIn(text) ?? 'The gateway refused the request'} (${status})`, '')
}

/** The message of an error, in either protocol. */
function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: string | { readonly message?: string } }
    return typeof error === 'string' ? error : error?.message
  } catch {
    return undefined
  }
}

/** The JSON values of a streamed answer, one on each line: NDJSON or server-sent events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of linesOf(body)) {
    const text = line.startsWith('data:') ? line.slice('data:'.length).trim() : line.trim()
    // Other lines are blank, comments, or fields that do not matter here.
    if (text.startsWith('{')) yield JSON.parse(text)
  }
}
