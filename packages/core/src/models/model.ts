import type { ModelOptions } from '../log/entry.ts'
import type { Message } from '../log/message.ts'

/**
 * What is a language model, to core? One function: a prompt in, a stream of events out.
 *
 * Contract: ends with exactly one `end`, or throws. Stops and throws soon after `signal` aborts. Sends `messages` and
 * `tools` unchanged, because their hash is recorded.
 *
 * @example
 * const echo: Model = async function* ({ messages }) {
 *   const message = { role: 'assistant', content: `You said ${messages.length} things.` }
 *   yield { type: 'end', message, finish: 'stop' }
 * }
 */
export interface Model {
  (request: ModelRequest): AsyncIterable<ModelEvent>
  /** The name that the receipt records. */
  readonly model?: string
  /**
   * The protocol whose shape messages must have. `sdk`: the model is called through the AI SDK, which takes messages of
   * any shape, but system messages only at the beginning. `responses`: as `openai`, but a message keeps the `items` in
   * which OpenAI's Responses wrote it. Default: messages are sent as they were recorded.
   */
  readonly wire?: 'anthropic' | 'ollama' | 'openai' | 'responses' | 'sdk'
  /**
   * What else is sent with every call, and what is known about the model, as plain data: options, a seed, a hash.
   * Recorded next to the model's name.
   */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Asks the server for the window of this model. Default: unknown. Used if a book is opened without a window. */
  readonly window?: () => Promise<FoundWindow>
}

/** What a model gets for one answer. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  /** In the shape that OpenAI's and Ollama's protocols share. */
  readonly tools: readonly ToolSchema[]
  /** The window that the prompt was compiled for. The server must not use a smaller one. */
  readonly window: number
  /** What is asked of this answer. They replace the options that a model was made with. Default: nothing is asked. */
  readonly options?: ModelOptions | undefined
  /** `none`: the model must not call tools now. They are sent all the same. Default: it may. */
  readonly toolChoice?: 'none' | undefined
  readonly signal: AbortSignal
}

/** A tool as it is described to a model. */
export interface ToolSchema {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters: Readonly<Record<string, unknown>>
  }
}

/** What a model sends: pieces while it writes them, then the whole answer. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** `message`: the whole answer in the shape of the protocol, with its calls and all other fields. */
  | { readonly type: 'end'; readonly message: Message; readonly finish: Finish; readonly usage?: Usage | undefined }

/** Why the model stopped: it was finished, ran out of room, calls tools, was stopped by a filter, or did not say. */
export type Finish = 'stop' | 'length' | 'calls' | 'filter' | 'unknown'

/** Tokens as the server reports them. A server may leave out any of them. */
export interface Usage {
  readonly prompt?: number
  readonly completion?: number
  /** Tokens of the prompt that the server had in its cache. */
  readonly cached?: number
  /** Tokens of the prompt that the server wrote to its cache. Only servers that cache what a client marks say so. */
  readonly written?: number
  /** How long the server read the part of the prompt that was not in its cache. */
  readonly seconds?: number
}

/**
 * The tokens of a prompt that a server says it read. Undefined if it says nothing. If it reports more cached tokens
 * than prompt tokens, its prompt count does not include the cached ones.
 *
 * @example
 * tokensRead({ prompt: 120, cached: 1800 }) // 1920
 */
export function tokensRead({ prompt, cached = 0 }: Usage): number | undefined {
  if (prompt === undefined) return undefined
  return cached > prompt ? prompt + cached : prompt
}

/** What a server says about the window of a model. */
export interface FoundWindow {
  /** In tokens, prompt and answer together. Undefined if the server does not say. */
  readonly window?: number | undefined
  /** The answer that says so. */
  readonly source?: ServerSource | undefined
  /** What the model was made for. Its window is never larger. */
  readonly limit?: number | undefined
  /** Tells models of the same name apart, if the server does. */
  readonly version?: string | undefined
}

/** The sources at which servers report the window of a model. */
export type ServerSource = '/api/ps' | 'model file' | '/props' | '/v1/models' | '/api/v0/models'
