import { MinutebookError, type Message, type Profile, type TokenCounter, type Usage } from 'minutebook'
import { checkedCount } from 'minutebook/inspect'
import { fieldsOf, type Fields } from 'minutebook/wire'
import { findIllegal, findMisshapen } from '../strict.ts'
import { findRefused } from './anthropic-rules.ts'
import { dropped, halved, measure, type Measured, type Seen } from './prompt.ts'
import {
  wholeOf,
  type PrefixReuse,
  type Protocol,
  type UpstreamAnswer,
  type UpstreamAnswers,
  type UpstreamRequest,
} from './protocols.ts'

/** What an upstream demands of a chat. */
export interface Demands {
  readonly window?: number
  readonly onOverflow?: OnOverflow
  readonly counter: TokenCounter
  readonly profile: Profile
  /** The only models that exist. Default: any. */
  readonly models?: readonly string[]
  /** The only key that opens it. Default: any. */
  readonly key?: string
}

/** A chat request that is in order. */
export interface Chat {
  readonly model: string
  readonly fields: Fields
  readonly prompt: Measured
  readonly seen: Seen
}

/** How many tokens of a prompt the prompt cache had, and how many were written there. */
export interface CacheUse {
  readonly read: number
  readonly written: number
}

/** What is marked for the cache is written there; what the prompt before wrote is read, if both begin with it. */
export function cacheUse({ marked }: Measured, reuse: PrefixReuse, before: Measured | undefined): CacheUse {
  const read = Math.min(reuse.tokens, marked, before?.marked ?? 0)
  return { read, written: marked - read }
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: number
  readonly text: string
  readonly code?: string
}

/** `counts`: the request only asks for the count of its tokens. */
export function readChat(json: unknown, protocol: Protocol, demands: Demands, counts = false): Chat | Refusal {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return bad('the body is not a JSON object')
  const fields = fieldsOf(json)
  const { model } = fields
  if (typeof model !== 'string' || model === '') return bad('model is required')
  if (demands.models && !demands.models.includes(model))
    return { status: 404, text: `model '${model}' not found`, code: 'model_not_found' }
  const fault = protocol.wire === 'anthropic' ? findRefused(fields, counts) : chatFault(fields, protocol.wire, demands)
  if (fault !== undefined) return bad(fault)
  const prompt = measure(fields, protocol.wire, demands.counter, demands.profile)
  const seen = withinWindow(prompt, fields, demands, protocol)
  return 'status' in seen ? seen : { model, fields, prompt, seen }
}

/** Returns why a chat is refused before its body is read; undefined if it is not. */
export function findLockedOut(
  headers: UpstreamRequest['headers'],
  { wire }: Protocol,
  { key }: Demands,
): Refusal | undefined {
  const { authorization, 'x-api-key': own, 'anthropic-version': version } = headers
  if (key !== undefined && own !== key && authorization !== `Bearer ${key}`)
    return {
      status: 401,
      text: wire === 'anthropic' ? 'invalid x-api-key' : 'the key is wrong',
      code: 'invalid_api_key',
    }
  return wire === 'anthropic' && version === undefined ? bad('anthropic-version: header is required') : undefined
}

function chatFault(fields: Fields, wire: 'ollama' | 'openai', { profile }: Demands): string | undefined {
  const { messages = [], tools = [] } = fields
  if (!Array.isArray(messages) || (messages.length === 0 && wire === 'openai'))
    return 'messages is not a list of messages'
  if (!Array.isArray(tools)) return 'tools is not a list of tools'
  if (tools.length > 0 && fields['response_format'] !== undefined && fields['tool_choice'] !== 'none')
    return 'the form of the answer cannot be combined with tools'
  return findMisshapen(messages, wire) ?? illegal(messages as Message[], profile)
}

function illegal(messages: readonly Message[], profile: Profile): string | undefined {
  try {
    return findIllegal(messages, profile)
  } catch (error) {
    if (MinutebookError.isInstance(error)) return error.message
    throw error
  }
}

/** If the request asks for a window, the smaller one counts. */
function withinWindow(
  prompt: Measured,
  { options, truncate }: Fields,
  { window: own, onOverflow = 'refuse' }: Demands,
  protocol: Protocol,
): Seen | Refusal {
  const { num_ctx: asked, num_keep: keep } = fieldsOf(options)
  const windows = [own, asked].filter((window) => typeof window === 'number')
  const window = Math.min(...windows)
  const fault = windows.length === 0 ? undefined : protocol.tooLong(prompt.total, window)
  if (fault === undefined) return { messages: prompt.messages, tokens: prompt.total }
  if (onOverflow === 'drop') return dropped(prompt, window)
  if (onOverflow === 'halve' || (onOverflow === 'obey' && truncate !== false))
    return halved(prompt, window, typeof keep === 'number' ? keep : 4)
  return { ...bad(fault), code: 'context_length_exceeded' }
}

/** The reported usage: for the prompt what the model saw, for the answer everything that it says. */
export function usageFor(
  { text, reasoning, calls = [], usage }: UpstreamAnswer,
  { seen }: Chat,
  { read }: CacheUse,
  { counter }: Demands,
): Usage {
  const said = [
    wholeOf(text),
    wholeOf(reasoning),
    ...calls.flatMap(({ name, arguments: given = {} }) => [name, JSON.stringify(given)]),
  ]
  const completion = said.reduce((total, part) => total + (part === '' ? 0 : checkedCount(counter, part)), 0)
  return { prompt: seen.tokens, completion, ...(read > 0 && { cached: read }), ...usage }
}

function bad(text: string): Refusal {
  return { status: 400, text }
}

/** The same, while the upstream still fills it in. */
export type OpenRequest = { -readonly [K in keyof UpstreamRequest]: UpstreamRequest[K] }

export function openRequest(
  facts: Pick<UpstreamRequest, 'method' | 'path' | 'headers' | 'bytes' | 'text' | 'json' | 'closed'>,
): OpenRequest {
  const reuse = { messages: 0, tokens: 0, share: 0 }
  return { ...facts, messages: [], tools: [], seen: [], tokens: 0, seenTokens: 0, reuse, status: 0, aborted: false }
}

/** What an upstream does with a prompt that is longer than its window. */
export type OnOverflow =
  /** Answers 400. */
  | 'refuse'
  /** Cuts it silently, and answers 200: as Ollama does by default. */
  | 'halve'
  /**
   * Drops the oldest messages until it fits, and keeps the system text; says nothing, and answers 200: as Ollama does
   * with a chat.
   */
  | 'drop'
  /** Refuses if the request says `truncate: false`, else halves. */
  | 'obey'

/**
 * What goes wrong, on purpose. Chunks are lines of NDJSON or server-sent events; an answer in one piece is one chunk.
 */
export interface UpstreamFaults {
  /** Answers with this status and an error in the protocol's own shape. */
  readonly failWith?: number
  /** Answers 200, sends this many chunks, then an error in the protocol's own form. */
  readonly errorAfter?: number
  /** What the error says. */
  readonly errorText?: string
  /** Sends this many chunks, then nothing more. 0: does not begin to answer. */
  readonly stallAfter?: number
  /** Sends this many chunks, and the others when the promise is fulfilled, unless the client has gone by then. */
  readonly pauseAfter?: { readonly chunks: number; readonly until: Promise<unknown> }
  /** Sends this many chunks, then destroys the connection. 0: does not begin to answer. */
  readonly abortAfter?: number
  /** Sends this many chunks, then ends the answer as if it were complete. */
  readonly endAfter?: number
  /** Bytes of the body that are written at a time, wherever they fall. */
  readonly split?: number
  /** Milliseconds before each chunk. */
  readonly delay?: number
  /** false: reports no token counts. */
  readonly usage?: boolean
  /** true: answers in one piece, even if a stream was requested. */
  readonly whole?: boolean
}

/** What a strict server answers, and what it refuses. */
export interface StrictUpstreamOptions extends UpstreamFaults {
  /** What it answers. Default: 'ok'. */
  readonly answer?: UpstreamAnswers
  /** Tokens that prompt and answer have together. Default: no limit. */
  readonly window?: number
  /** Tokens that the model can be loaded with at most, if a request asks for more than `window`. Default: `window`. */
  readonly limit?: number
  /** The window that it reports, if that is not the real one. */
  readonly claims?: number
  readonly onOverflow?: OnOverflow
  /** Default: one word is one token. */
  readonly counter?: TokenCounter
  /** What the model's template demands. Calls without results and results without calls are refused in any case. */
  readonly profile?: Profile
  /** Whether it serves `/v1/responses`, and stores nothing. Default: false. */
  readonly responses?: boolean
  /** The models it has; without a list it lists one and takes any name. */
  readonly models?: readonly string[]
  /** The only key that it takes, as `Authorization: Bearer …` or as `x-api-key`. Default: it asks for none. */
  readonly key?: string
}
