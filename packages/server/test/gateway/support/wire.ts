import Anthropic from '@anthropic-ai/sdk'
import type { Message } from 'minutebook'
import { Ollama } from 'ollama'
import OpenAI from 'openai'

/** What a client of a protocol is asked to do. */
export interface Ask {
  readonly messages: readonly Message[]
  readonly stream: boolean
  /** Whatever else is in the request. */
  readonly fields?: object
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves after so many chunks. */
  readonly leaveAfter?: number
  readonly retries?: number
}

/** All that a caller of the official client sees. */
export interface Seen {
  readonly chunks: readonly unknown[]
  readonly error?: {
    readonly name: string
    readonly message: string
    readonly status?: unknown
    readonly code?: unknown
  }
}

export type WireName = 'ollama' | 'openai'

/** The protocols that have an official client. */
export type ClientName = WireName | 'anthropic'

/** Asks through the official client. */
export async function ask(wire: ClientName, url: string, asked: Ask): Promise<Seen> {
  const chunks: unknown[] = []
  try {
    for await (const chunk of clients[wire](url, asked)) {
      chunks.push(chunk)
      if (chunks.length === asked.leaveAfter) break
    }
    return { chunks }
  } catch (error) {
    const {
      name,
      message,
      status,
      status_code: code,
      code: own,
    } = error as { name: string; message: string; status?: unknown; status_code?: unknown; code?: unknown }
    return { chunks, error: { name, message, status: status ?? code, code: own } }
  }
}

async function* ollamaChunks(url: string, { messages, stream, fields, headers = {} }: Ask): AsyncGenerator<unknown> {
  const client = new Ollama({ host: url, headers })
  const request = { model: 'strict', messages: messages as never, ...fields }
  if (!stream) return yield await client.chat({ ...request, stream: false })
  const answer = await client.chat({ ...request, stream: true })
  try {
    yield* answer
  } finally {
    answer.abort()
  }
}

async function* openAiChunks(
  url: string,
  { messages, stream, fields, headers = {}, retries = 0 }: Ask,
): AsyncGenerator<unknown> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: retries, defaultHeaders: headers })
  const request = { model: 'strict', messages: messages as never, ...fields }
  if (!stream) return yield await client.chat.completions.create({ ...request, stream: false })
  const answer = await client.chat.completions.create({ ...request, stream: true })
  try {
    yield* answer
  } finally {
    answer.controller.abort()
  }
}

async function* anthropicChunks(
  url: string,
  { messages, stream, fields, headers = {}, retries = 0 }: Ask,
): AsyncGenerator<unknown> {
  const apiKey = headers['authorization'] === undefined ? 'none' : null
  const client = new Anthropic({ baseURL: url, apiKey, maxRetries: retries, defaultHeaders: headers })
  const request = { ...anthropicChat(messages), ...fields } as Anthropic.MessageCreateParamsNonStreaming
  if (!stream) return yield await client.messages.create(request)
  const answer = await client.messages.create({ ...request, stream: true })
  try {
    yield* answer
  } finally {
    answer.controller.abort()
  }
}

const clients = { ollama: ollamaChunks, openai: openAiChunks, anthropic: anthropicChunks } as const

/** A chat of plain texts as a client of Anthropic's protocol sends it: the system text has its own field. */
function anthropicChat(messages: readonly Message[]): object {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  return {
    model: 'strict',
    max_tokens: 50,
    ...(system.length > 0 && { system: system.join('\n') }),
    messages: messages.filter(({ role }) => role !== 'system'),
  }
}

/** A chat of plain texts in the form of a protocol. */
export function bodyOf(wire: ClientName, messages: readonly Message[], stream = false): object {
  return { model: 'strict', stream, ...(wire === 'anthropic' ? anthropicChat(messages) : { messages }) }
}

/** What an official client hears as text in a chunk, or in a whole answer. */
export function textIn(chunk: unknown): string {
  const { message, choices, delta, content } = chunk as {
    message?: { content?: unknown }
    choices?: { delta?: { content?: string }; message?: { content?: string } }[]
    delta?: { text?: string }
    content?: { text?: string }[]
  }
  if (content) return content.map(({ text = '' }) => text).join('')
  const said = typeof message?.content === 'string' ? message.content : undefined
  return said ?? delta?.text ?? choices?.[0]?.delta?.content ?? choices?.[0]?.message?.content ?? ''
}
