import { checkedCount, type TokenCounter } from '../../tokens/tokens.ts'
import { MinutebookError } from '../../log/error.ts'
import type { Message } from '../../log/message.ts'
import type { Profile } from '../../compiler/profile.ts'
import { fieldsOf, type Fields } from '../../models/wire.ts'
import type { Usage } from '../../models/model.ts'
import { findMisshapen } from '../shape.ts'
import { findIllegal } from '../strict.ts'
import { wholeOf, type UpstreamAnswer } from './answer.ts'
import { measure, type Measured } from './meter.ts'
import { dropped, fits, halved, type OnOverflow, type Seen } from './overflow.ts'
import type { Protocol } from './protocol.ts'

/** What an upstream demands of a chat. */
export interface Demands {
  readonly window?: number
  readonly onOverflow?: OnOverflow
  readonly counter: TokenCounter
  readonly profile: Profile
  /** The only models there are; any where not given. */
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
  if (demands.models && !demands.models.includes(model)) return { status: 404, text: `model '${model}' not found`, code: 'model_not_found' }
  if (!Array.isArray(messages) || (messages.length === 0 && protocol.wire === 'openai')) return bad('messages is not a list of messages')
  if (!Array.isArray(tools)) return bad('tools is not a list of tools')
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

/** Where the request asks for a window, the smaller one holds. */
function withinWindow(prompt: Measured, { options, truncate }: Fields, { window: own, onOverflow = 'refuse' }: Demands): Seen | Refusal {
  const { num_ctx: asked, num_keep: keep } = fieldsOf(options)
  const windows = [own, asked].filter((window) => typeof window === 'number')
  const window = Math.min(...windows)
  if (windows.length === 0 || fits(prompt, window)) return { messages: prompt.messages, tokens: prompt.total }
  if (onOverflow === 'drop') return dropped(prompt, window)
  if (onOverflow === 'halve' || (onOverflow === 'obey' && truncate !== false)) return halved(prompt, window, typeof keep === 'number' ? keep : 4)
  return { ...bad(`the prompt has ${prompt.total} tokens, and the input length exceeds the context length of ${window}`), code: 'context_length_exceeded' }
}

/** What is reported: of the prompt what the model saw, of the answer all that it says. */
export function usageFor({ text, reasoning, calls = [], usage }: UpstreamAnswer, { seen }: Chat, { counter }: Demands): Usage {
  const said = [wholeOf(text), wholeOf(reasoning), ...calls.flatMap(({ name, arguments: given = {} }) => [name, JSON.stringify(given)])]
  const completion = said.reduce((total, part) => total + (part === '' ? 0 : checkedCount(counter, part)), 0)
  return { prompt: seen.tokens, completion, ...usage }
}

function bad(text: string): Refusal {
  return { status: 400, text }
}
