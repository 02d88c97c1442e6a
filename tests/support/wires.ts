import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { MinutebookError, type Message, type Model, type ModelEvent, type ModelRequest } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { openAiModel } from 'minutebook/openai'
import { toOllama } from '../../packages/core/src/models/ollama-wire.ts'
import { toOpenAi } from '../../packages/core/src/models/openai-wire.ts'

/** What goes wrong or comes out of a model call, all of it. */
export interface Heard {
  readonly events: ModelEvent[]
  readonly error?: MinutebookError
}

export interface Wire {
  readonly wire: 'ollama' | 'openai'
  readonly encode: (messages: readonly Message[]) => Message[]
  /** A model through the official client. */
  readonly connect: (
    url: string,
    options?: {
      readonly headers?: Record<string, string>
      readonly key?: string
      readonly extra?: Readonly<Record<string, unknown>>
    },
  ) => Model
}

/** Both protocols, each with its official client. */
export const wires: readonly Wire[] = [
  {
    wire: 'ollama',
    encode: toOllama,
    connect: (url, { headers = {}, key, extra } = {}) => {
      const client = new Ollama({
        host: url,
        headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      })
      return ollamaModel(client, { model: 'strict', extra })
    },
  },
  {
    wire: 'openai',
    encode: toOpenAi,
    connect: (url, { headers = {}, key = 'key-of-nobody', extra } = {}) => {
      return openAiModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: key, defaultHeaders: headers }), {
        model: 'strict',
        extra,
      })
    },
  },
]

export function requestOf(messages: readonly Message[], fields: Partial<ModelRequest> = {}): ModelRequest {
  return { messages, tools: [], window: 4096, signal: new AbortController().signal, ...fields }
}

/** Listens to the end. `each` is told how many events have come. An error that is not one of ours is thrown on. */
export async function listen(
  answer: AsyncIterable<ModelEvent>,
  each: (count: number) => void = () => undefined,
): Promise<Heard> {
  const events: ModelEvent[] = []
  try {
    for await (const event of answer) each(events.push(event))
  } catch (error) {
    if (MinutebookError.isInstance(error)) return { events, error }
    throw error
  }
  return { events }
}

/** The text that came, in the order in which it came. */
export function textOf({ events }: Heard): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}
