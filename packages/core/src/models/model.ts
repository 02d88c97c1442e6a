import type { Message } from '../log/message.ts'

/**
 * A language model, as one function: a prompt in, a stream of events out.
 *
 * Contract: ends with exactly one `end`, or throws. Stops and throws soon after `signal` aborts. Sends `messages` and
 * `tools` as they are: they have been hashed.
 *
 * @example
 * const echo: Model = async function* ({ messages }) {
 *   yield { type: 'end', message: { role: 'assistant', content: `You said ${messages.length} things.` }, finish: 'stop'
 * }
 * }
 */
export interface Model {
  (request: ModelRequest): AsyncIterable<ModelEvent>
  /** What the receipt calls it. */
  readonly model?: string
  /** The protocol whose shape messages must have; without one they go as they were recorded. */
  readonly wire?: 'ollama' | 'openai'
  /**
   * What else goes along with every call, and what is known of the model, as plain data: options, a seed, a digest. On
   * record beside the model's name.
   */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** What a model is given for one answer. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  /** In the shape that both protocols share. */
  readonly tools: readonly ToolSchema[]
  /** The window that the prompt was compiled for: a server must not believe in a smaller one. */
  readonly window: number
  readonly signal: AbortSignal
}

/** A tool as a model is told of it. */
export interface ToolSchema {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters: Readonly<Record<string, unknown>>
  }
}

/** What comes from a model: pieces as they are made, then the whole. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** `message`: the whole answer in the shape of the protocol, with its calls and all that came with it. */
  | { readonly type: 'end'; readonly message: Message; readonly finish: Finish; readonly usage?: Usage }

/** Why the model stopped: it was done, had no room left, calls tools, was stopped by a filter, or did not say. */
export type Finish = 'stop' | 'length' | 'calls' | 'filter' | 'unknown'

/** Tokens as the server reports them; a server may leave out any of them. */
export interface Usage {
  readonly prompt?: number
  readonly completion?: number
  /** Tokens of the prompt that the server had in its cache. */
  readonly cached?: number
}
