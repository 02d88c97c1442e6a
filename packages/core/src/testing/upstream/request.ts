import type { Message } from '../../log/message.ts'

/** A request as an upstream received it. */
export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, byte for byte. In Node a Buffer. */
  readonly bytes: Uint8Array
  readonly text: string
  /** The body parsed; undefined where it is not JSON. */
  readonly json: unknown
  /** Of a chat; empty of anything else. */
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  /** What was left of the messages for the model to see. */
  readonly seen: readonly Message[]
  /** Tokens of the prompt as it came, and of what was left of it. */
  readonly tokens: number
  readonly seenTokens: number
  readonly reuse: PrefixReuse
  /** The status of the answer; 0 where there was none. */
  readonly status: number
  /** Whether the client went away before it had the whole answer. */
  readonly aborted: boolean
  /** Resolves when the answer is over, one way or the other. */
  readonly closed: Promise<void>
}

/** How much of a prompt stood at the beginning of the one before, for the same model: what a prompt cache can use. */
export interface PrefixReuse {
  readonly messages: number
  readonly tokens: number
  /** Of all tokens of the prompt, from 0 to 1. */
  readonly share: number
}

/** The same, while the upstream still fills it in. */
export type OpenRequest = { -readonly [K in keyof UpstreamRequest]: UpstreamRequest[K] }

export function openRequest(facts: Pick<UpstreamRequest, 'method' | 'path' | 'headers' | 'bytes' | 'text' | 'json' | 'closed'>): OpenRequest {
  const reuse = { messages: 0, tokens: 0, share: 0 }
  return { ...facts, messages: [], tools: [], seen: [], tokens: 0, seenTokens: 0, reuse, status: 0, aborted: false }
}
