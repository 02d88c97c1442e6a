import { MinutebookError, type Message, type Profile, type TokenCounter, type Usage } from 'minutebook'
import { checkedCount, countTools, overheadOf } from 'minutebook/inspect'
import { canonicalJson } from 'minutebook/store'
import { fieldsOf, printedArguments, readMessage, type Fields } from 'minutebook/wire'
import { findIllegal, findMisshapen } from '../strict.ts'
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
}

/** A chat request that is in order. */
export interface Chat {
  readonly model: string
  readonly fields: Fields
  readonly prompt: Measured
  readonly seen: Seen
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: number
  readonly text: string
  readonly code?: string
}

export function readChat(json: unknown, protocol: Protocol, demands: Demands): Chat | Refusal {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return bad('the body is not a JSON object')
  const fields = fieldsOf(json)
  const { model, messages = [], tools = [] } = fields
  if (typeof model !== 'string' || model === '') return bad('model is required')
  if (demands.models && !demands.models.includes(model))
    return { status: 404, text: `model '${model}' not found`, code: 'model_not_found' }
  if (!Array.isArray(messages) || (messages.length === 0 && protocol.wire === 'openai'))
    return bad('messages is not a list of messages')
  if (!Array.isArray(tools)) return bad('tools is not a list of tools')
  if (tools.length > 0 && fields['response_format'] !== undefined && fields['tool_choice'] !== 'none')
    return bad('the form of the answer cannot be combined with tools')
  const fault = findMisshapen(messages, protocol.wire) ?? illegal(messages as Message[], demands.profile)
  if (fault !== undefined) return bad(fault)
  const prompt = measure(messages as Message[], tools, demands.counter, demands.profile)
  const seen = withinWindow(prompt, fields, demands)
  return 'status' in seen ? seen : { model, fields, prompt, seen }
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
): Seen | Refusal {
  const { num_ctx: asked, num_keep: keep } = fieldsOf(options)
  const windows = [own, asked].filter((window) => typeof window === 'number')
  const window = Math.min(...windows)
  if (windows.length === 0 || fits(prompt, window)) return { messages: prompt.messages, tokens: prompt.total }
  if (onOverflow === 'drop') return dropped(prompt, window)
  if (onOverflow === 'halve' || (onOverflow === 'obey' && truncate !== false))
    return halved(prompt, window, typeof keep === 'number' ? keep : 4)
  return {
    ...bad(`the prompt has ${prompt.total} tokens, and the input length exceeds the context length of ${window}`),
    code: 'context_length_exceeded',
  }
}

/** The reported usage: for the prompt what the model saw, for the answer everything that it says. */
export function usageFor(
  { text, reasoning, calls = [], usage }: UpstreamAnswer,
  { seen }: Chat,
  { counter }: Demands,
): Usage {
  const said = [
    wholeOf(text),
    wholeOf(reasoning),
    ...calls.flatMap(({ name, arguments: given = {} }) => [name, JSON.stringify(given)]),
  ]
  const completion = said.reduce((total, part) => total + (part === '' ? 0 : checkedCount(counter, part)), 0)
  return { prompt: seen.tokens, completion, ...usage }
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

/** A prompt with its tokens, message by message. */
export interface Measured {
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  readonly each: readonly number[]
  /** What comes before all messages: the prompt's own overhead and the tools. */
  readonly head: number
  readonly total: number
}

function measure(
  messages: readonly Message[],
  tools: readonly unknown[],
  counter: TokenCounter,
  profile: Profile,
): Measured {
  const head = overheadOf(counter).prompt + countTools(counter, tools)
  const each = messages.map((message) => messageTokens(message, counter, profile))
  return { messages, tools, each, head, total: head + sum(each) }
}

function messageTokens(message: Message, counter: TokenCounter, profile: Profile): number {
  const overhead = overheadOf(counter)
  const { text, reasoning, calls, images } = readMessage(message)
  const texts = [text, reasoning, ...calls.flatMap((call) => [call.name, printedArguments(call, profile)])].filter(
    (part) => part !== '',
  )
  return (
    overhead.message +
    images.length * overhead.image +
    calls.length * overhead.call +
    sum(texts.map((part) => checkedCount(counter, part)))
  )
}

export function reuseOf(prompt: Measured, before: Measured | undefined): PrefixReuse {
  let messages = 0
  if (before && canonicalJson(before.tools) === canonicalJson(prompt.tools)) {
    while (
      messages < prompt.messages.length &&
      canonicalJson(prompt.messages[messages]) === canonicalJson(before.messages[messages])
    )
      messages++
  }
  const tokens = messages > 0 ? prompt.head + sum(prompt.each.slice(0, messages)) : 0
  return { messages, tokens, share: prompt.total > 0 ? tokens / prompt.total : 0 }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
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

/** What is left of a prompt for the model. */
interface Seen {
  readonly messages: readonly Message[]
  readonly tokens: number
}

/** A prompt that fills the window is too long: there must be a token for the answer. */
function fits({ total }: Measured, window: number): boolean {
  return total < window
}

/** The system text, and the newest messages that fit next to it. */
function dropped({ messages, each, head }: Measured, window: number): Seen {
  const first = messages[0]?.['role'] === 'system' ? 1 : 0
  const kept = head + (first === 1 ? (each[0] ?? 0) : 0)
  let tokens = kept
  let from = messages.length
  while (from > first && tokens + (each[from - 1] ?? 0) < window) tokens += each[--from] ?? 0
  return { messages: [...messages.slice(0, first), ...messages.slice(from)], tokens }
}

/**
 * About half of the window: of what is not kept at the beginning, half is dropped. The model sees the newest messages
 * that fit. Of a last message that does not fit, it sees a part that no message could show.
 */
function halved({ messages, each }: Measured, window: number, keep: number): Seen {
  const tokens = window - Math.max(1, Math.floor((window - Math.min(keep, window - 1)) / 2))
  let room = tokens
  let from = messages.length
  while (from > 0 && (each[from - 1] ?? 0) <= room) room -= each[--from] ?? 0
  return { messages: messages.slice(from), tokens }
}

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
  /** The models it has; without a list it lists one and takes any name. */
  readonly models?: readonly string[]
}
