import type { IncomingHttpHeaders } from 'node:http'
import type { ProtocolName } from '../config/settings.ts'
import type { Refusal } from '../http/reply.ts'
import { countNames } from '../protocol/json-members.ts'
import { readObject, type ReadRequest } from './request.ts'

/**
 * Why a chat of a key for chats alone is refused; undefined if it is not. Such a key may set what a user says, and how
 * the answer is sampled and delivered. Everything that is not named here is refused: a server may read it as words of
 * the system, a template, a tool, an adapter, an address, or as a setting for everyone who uses the model.
 *
 * @example
 * const refusal = refusedToChatsOnly({ read, bytes, headers: request.headers }, 'openai')
 */
export function refusedToChatsOnly({ read, bytes, headers }: ChatParts, protocol: ProtocolName): Refusal | undefined {
  const header = Object.keys(headers).find((name) => name.startsWith('minutebook-'))
  if (header !== undefined) return notAllowed(`The header ${header}`)
  const object = readObject(bytes)
  if ('fix' in object) return notAllowed('A body that can be read in two ways')
  // If a name occurs twice, servers differ in which value they take.
  if (countNames(bytes) !== membersIn(object.fields)) return notAllowed('A name that occurs twice in one object')
  const field = requests[protocol](object.fields, '')
  if (field !== undefined)
    return notAllowed(isPlain.test(field) ? `"${field}", or its value,` : 'A field of the request', field)
  return read.kind === 'chat' ? undefined : notAllowed('Anything but a plain chat')
}

export interface ChatParts {
  readonly read: ReadRequest
  readonly bytes: Buffer
  readonly headers: IncomingHttpHeaders
}

/** What the server cannot read it cannot check, so it is not passed on for such a key. */
export const unreadableToChatsOnly: Refusal = notAllowed('A message that the server cannot read')

function notAllowed(what: string, param?: string): Refusal {
  const isNamed = param !== undefined && isPlain.test(param)
  return {
    status: 403,
    code: 'not_allowed',
    problem: `${what} is not allowed with this key, which is only for chats.`,
    fix: 'Leave it out. Send only messages of the roles user and assistant, sampling options, stop and stream. For anything else, use another key.',
    ...(isNamed && { param }),
  }
}

/** A name that can be repeated in an answer. */
const isPlain = /^[\w.[\]-]{1,100}$/

/** Finds what is not allowed in a value: returns its place, or undefined if everything is allowed. */
type Check = (value: unknown, place: string) => string | undefined

const is =
  (allows: (value: unknown) => boolean): Check =>
  (value, place) =>
    allows(value) ? undefined : place

/** An object with no fields other than these. A field that is null counts as left out. */
const object =
  (known: Readonly<Record<string, Check>>): Check =>
  (value, place) => {
    if (!isObject(value)) return place
    for (const [name, member] of Object.entries(value)) {
      const at = place === '' ? name : `${place}.${name}`
      const check = Object.hasOwn(known, name) ? known[name] : undefined
      const wrong = check ? (member === null ? undefined : check(member, at)) : at
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

const list =
  (of: Check): Check =>
  (value, place) => {
    if (!Array.isArray(value)) return place
    for (const [index, item] of value.entries()) {
      const wrong = of(item, `${place}[${index}]`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

/** An object whose fields depend on one of them. */
const by =
  (name: string, kinds: Readonly<Record<string, Check>>): Check =>
  (value, place) => {
    const kind = isObject(value) ? value[name] : undefined
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    return check ? check(value, place) : `${place}.${name}`
  }

const text = is((value) => typeof value === 'string')
const number = is((value) => typeof value === 'number')
const yesOrNo = is((value) => typeof value === 'boolean')
const one = is((value) => value === 1)
const nothing = is((value) => Array.isArray(value) && value.length === 0)
const among = (...values: readonly unknown[]): Check => is((value) => values.includes(value))
const texts = is(
  (value) => typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
)
/** The picture itself and not its address. */
const picture = is((value) => typeof value === 'string' && /^data:image\/[a-z0-9.+-]{1,40};base64,/.test(value))
const base64 = is((value) => typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value))
/** Some templates write it unchanged into the system message. */
const effort = among('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', true, false)

const textPart = object({ type: text, text })
const imagePart = object({ type: text, image_url: object({ url: picture, detail: among('auto', 'low', 'high') }) })
const caching = object({ type: among('ephemeral'), ttl: among('5m', '1h') })
const textBlock = object({ type: text, text, citations: nothing, cache_control: caching })
const imageBlock = object({
  type: text,
  source: object({ type: among('base64'), media_type: text, data: base64 }),
  cache_control: caching,
})
const content =
  (parts: Readonly<Record<string, Check>>): Check =>
  (value, place) =>
    typeof value === 'string' ? undefined : list(by('type', parts))(value, place)

/** An answer comes back as the server sent it: with empty fields, and with the model's reasoning. */
const messages = list(
  by('role', {
    user: object({ role: text, content: content({ text: textPart, image_url: imagePart }), images: list(base64) }),
    assistant: object({
      role: text,
      content: content({ text: textPart }),
      thinking: text,
      reasoning: text,
      reasoning_content: text,
      refusal: text,
      tool_calls: nothing,
      annotations: nothing,
      function_call: nothing,
      audio: nothing,
    }),
  }),
)

/** Not `num_ctx` and the like, which load the model again for all users, nor `keep_alive`, which unloads it. */
const ollama = object({
  model: text,
  messages,
  stream: yesOrNo,
  think: effort,
  logprobs: yesOrNo,
  top_logprobs: number,
  tools: nothing,
  // Some templates show a schema to the model as text of the system.
  format: among('json', ''),
  options: object({
    temperature: number,
    top_p: number,
    top_k: number,
    min_p: number,
    typical_p: number,
    seed: number,
    stop: texts,
    num_predict: number,
    repeat_penalty: number,
    repeat_last_n: number,
    presence_penalty: number,
    frequency_penalty: number,
    mirostat: number,
    mirostat_tau: number,
    mirostat_eta: number,
  }),
})

const openai = object({
  model: text,
  messages,
  stream: yesOrNo,
  stream_options: object({ include_usage: yesOrNo, include_obfuscation: yesOrNo }),
  n: one,
  max_tokens: number,
  max_completion_tokens: number,
  stop: texts,
  seed: number,
  temperature: number,
  top_p: number,
  top_k: number,
  min_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  repetition_penalty: number,
  repeat_penalty: number,
  logprobs: yesOrNo,
  top_logprobs: number,
  reasoning_effort: effort,
  verbosity: among('low', 'medium', 'high'),
  response_format: object({ type: among('text', 'json_object') }),
  tools: nothing,
})

/** Not `system`, nor `metadata` and the like, which a host reads; thinking comes back as the server sent it. */
const anthropic = object({
  model: text,
  messages: list(
    by('role', {
      user: object({ role: text, content: content({ text: textBlock, image: imageBlock }) }),
      assistant: object({
        role: text,
        content: content({
          text: textBlock,
          thinking: object({ type: text, thinking: text, signature: text }),
          redacted_thinking: object({ type: text, data: text }),
        }),
      }),
    }),
  ),
  stream: yesOrNo,
  max_tokens: number,
  stop_sequences: texts,
  temperature: number,
  top_p: number,
  top_k: number,
  thinking: object({ type: among('enabled', 'disabled', 'adaptive'), budget_tokens: number }),
  tools: nothing,
})

const requests: Readonly<Record<ProtocolName, Check>> = { anthropic, ollama, openai }

/** The number of names in all objects of a value, at all depths. */
function membersIn(value: unknown): number {
  let count = 0
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) for (const item of next) open.push(item)
    else {
      const members: readonly unknown[] = Object.values(next)
      count += members.length
      for (const member of members) open.push(member)
    }
  }
  return count
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
