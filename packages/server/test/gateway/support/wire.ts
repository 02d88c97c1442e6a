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

/** Asks through the official client. */
export async function ask(wire: WireName, url: string, asked: Ask): Promise<Seen> {
  const chunks: unknown[] = []
  try {
    for await (const chunk of wire === 'ollama' ? ollamaChunks(url, asked) : openAiChunks(url, asked)) {
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
