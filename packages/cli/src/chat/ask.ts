import { type Message, MinutebookError } from 'minutebook'
import { type EndEvent, ollamaReply, openAiReply, type Reply } from 'minutebook/wire'
import { linesOf } from '../connection/server.ts'

/** A gateway, and how it is spoken to. */
export interface Gateway {
  readonly url: string
  readonly protocol: 'ollama' | 'openai'
  /** A key of this gateway, or its local operator's token. */
  readonly key: string
}

interface Question {
  readonly model: string
  readonly messages: readonly Message[]
  /** The thread that it belongs to; a new one where there is none. */
  readonly thread?: string | undefined
  readonly signal: AbortSignal
}

/** What the gateway says about an answer, and the answer. */
export interface Asked {
  readonly thread: string | undefined
  readonly turn: string | undefined
  readonly recorded: boolean
  readonly end: EndEvent
}

/** What is told while an answer comes. */
interface Listening {
  readonly began: (thread: string | undefined) => void
  readonly text: (text: string) => void
  readonly reasoning: (text: string) => void
}

/** Asks, as any client would. Throws what the gateway answers an error with. */
export async function ask(
  gateway: Gateway,
  { model, messages, thread, signal }: Question,
  listening: Listening,
): Promise<Asked> {
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
  if (!response.ok || !response.body) throw refusal(response.status, await response.text())
  const header = (name: string): string | undefined => response.headers.get(`minutebook-${name}`) ?? undefined
  listening.began(header('thread'))
  const answer = reply()
  for await (const chunk of eventsOf(response.body)) {
    for (const event of answer.push(chunk)) {
      if (event.type === 'text') listening.text(event.text)
      if (event.type === 'reasoning') listening.reasoning(event.text)
    }
  }
  return { thread: header('thread'), turn: header('turn'), recorded: header('recorded') !== 'no', end: answer.end() }
}

const protocols: Readonly<Record<Gateway['protocol'], { readonly path: string; readonly reply: () => Reply }>> = {
  ollama: { path: '/api/chat', reply: ollamaReply },
  openai: { path: '/v1/chat/completions', reply: openAiReply },
}

function refusal(status: number, text: string): MinutebookError {
  return new MinutebookError('refused', `${errorIn(text) ?? 'The gateway refused'} (${status})`, '')
}

/** The words of an error of either protocol. */
function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: string | { readonly message?: string } }
    return typeof error === 'string' ? error : error?.message
  } catch {
    return undefined
  }
}

/** The JSON values of a streamed answer: a line each, as NDJSON or as server-sent events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of linesOf(body)) {
    const text = line.startsWith('data:') ? line.slice('data:'.length).trim() : line.trim()
    // What is neither of the two is a comment, a blank, or a field that says nothing here.
    if (text.startsWith('{')) yield JSON.parse(text)
  }
}
