import type { Message } from 'minutebook'
import type { Metadata } from 'minutebook/store'
import type { RequestHeaders } from '../gateway/request-headers.ts'
import { longestModel, promptOptionsIn } from '../gateway/request.ts'
import type { OneAtATime, ThreadCache } from '../gateway/thread-cache.ts'
import { asObject, isGiven, type Fields } from '../http/json.ts'
import type { Visit } from '../http/http.ts'
import { folded, type ObjectSpans } from '../protocol/json-members.ts'
import { excessInTools } from '../protocol/message-limits.ts'
import { countIn } from '../protocol/protocol.ts'
import type { Services } from '../services.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { chatMessages, checkItems, checkSize } from './input.ts'
import { itemMessages } from './item-messages.ts'
import { metadataIn, requestError } from './problems.ts'
import {
  chatToolChoice,
  chatTools,
  ignoredFields,
  passed,
  refuseBackground,
  termsIn,
  type Terms,
} from './request-fields.ts'
import type { ServedResponses } from './served.ts'

/** A request of `POST /v1/responses`. */
interface ResponseRequest {
  readonly model: string | undefined
  readonly messages: readonly Message[]
  readonly instructions: string | undefined
  /** Functions, as a chat takes them. */
  readonly tools: readonly object[]
  /** The fields of the chat other than model, messages and tools. */
  readonly chat: Fields
  /** The options that change how a server reads a prompt, as a chat names them. */
  readonly promptOptions: Readonly<Record<string, string>>
  /** Tokens of the answer, at most. */
  readonly output: number | undefined
  readonly streams: boolean
  readonly stores: boolean
  readonly previous: string | undefined
  readonly conversation: string | undefined
  readonly metadata: Metadata
  readonly terms: Terms
  /** Names of fields and tools that are left out. */
  readonly ignored: readonly string[]
}

/**
 * Reads a request that is answered on chats. Throws if a field is wrong, or cannot be left out although it is not
 * supported, and names it.
 */
export function readResponseRequest(fields: Fields): ResponseRequest {
  checkTools(fields['tools'])
  const ignored = ignoredFields(fields)
  const { functions: tools, shown, ignored: ignoredTools } = chatTools(fields['tools'])
  if (fields['tool_choice'] === 'required' && ignoredTools.length > 0 && tools.length === 0)
    throw requestError(
      'tool_choice',
      'tool_choice is required, but none of the tools can be used here.',
      'Send functions, and run them yourself.',
      'unsupported_value',
    )
  return {
    ...sharedFields({ ...fields, tools: shown }),
    messages: messagesIn(fields['input'], chatMessages),
    tools,
    chat: chatFields(fields, tools.length > 0),
    ignored: [...ignored, ...ignoredTools],
  }
}

/** Throws if a request for an upstream that serves Responses itself asks for what would change its meaning there. */
export function checkDirectFields(fields: Fields): void {
  refuseBackground(fields)
  const disguised = Object.keys(fields).find((name) => folded(name) !== name && ours.has(folded(name)))
  if (disguised !== undefined)
    throw requestError(
      'body',
      `A name in the request is ${folded(disguised)} in other letters.`,
      `Write ${folded(disguised)}, or leave it out.`,
    )
}

/** Reads a request for an upstream that serves Responses itself: it decides about everything that is not ours. */
export function readDirectRequest(fields: Fields): ResponseRequest {
  checkTools(fields['tools'])
  const { tools } = fields
  return {
    ...sharedFields(fields),
    messages: messagesIn(fields['input'], directMessages),
    tools: Array.isArray(tools) ? tools.map(asObject) : [],
    chat: {},
    ignored: [],
  }
}

function checkTools(tools: unknown): void {
  const excess = Array.isArray(tools) ? excessInTools(tools) : undefined
  if (excess) throw requestError('tools', `tools contains ${excess.what}.`, excess.fix)
}

/** Fields that upstreams must not read in another letter case. */
const ours: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'store',
  'stream',
  'previous_response_id',
  'conversation',
  'background',
])

function directMessages(input: unknown, param: string): readonly Message[] {
  if (typeof input !== 'string' && !Array.isArray(input)) return chatMessages(input, param)
  if (Array.isArray(input)) checkItems(param, input)
  const messages = itemMessages(input)
  checkSize(param, messages)
  return messages
}

function sharedFields(fields: Fields): Omit<ResponseRequest, 'messages' | 'tools' | 'chat' | 'ignored'> {
  const { model, instructions, previous_response_id: previous, store, stream } = fields
  if (isGiven(instructions) && typeof instructions !== 'string')
    throw requestError('instructions', 'instructions is not a text.', 'Send one, or leave it out.')
  if (isGiven(previous) && typeof previous !== 'string')
    throw requestError('previous_response_id', 'previous_response_id is not an id.', 'Send the id of a response.')
  const conversation = conversationIn(fields['conversation'])
  if (isGiven(previous) && conversation !== undefined)
    throw requestError(
      'previous_response_id',
      'previous_response_id and conversation cannot be used together.',
      'Send one of them.',
    )
  return {
    model: modelIn(model),
    instructions: typeof instructions === 'string' && instructions !== '' ? instructions : undefined,
    promptOptions: responseOptions(fields),
    output: countIn(fields['max_output_tokens']),
    streams: stream === true,
    stores: store !== false,
    previous: typeof previous === 'string' ? previous : undefined,
    conversation,
    metadata: metadataIn(fields['metadata']) ?? {},
    terms: termsIn(fields),
  }
}

function responseOptions(fields: Fields): Readonly<Record<string, string>> {
  const { format } = asObject(fields['text'])
  return promptOptionsIn({
    ...fields,
    reasoning_effort: asObject(fields['reasoning'])['effort'],
    response_format: asObject(format)['type'] === 'text' ? undefined : format,
  })
}

function messagesIn(input: unknown, read: (input: unknown, param: string) => readonly Message[]): readonly Message[] {
  if (!isGiven(input))
    throw requestError('input', 'input is missing.', 'Send a text or a list of items.', 'missing_required_parameter')
  const messages = read(input, 'input')
  if (messages.length === 0)
    throw requestError('input', 'input contains nothing to answer.', 'Send at least one message.')
  return messages
}

/** Undefined if the request names no model. */
export function modelIn(model: unknown): string | undefined {
  if (typeof model === 'string' && model.length > longestModel)
    throw requestError('model', `model is longer than ${longestModel} characters.`, 'Send the name of a model.')
  if (isGiven(model) && (typeof model !== 'string' || model === ''))
    throw requestError('model', 'model is not a name.', 'Send the name of a model.')
  return isGiven(model) ? String(model) : undefined
}

export function conversationIn(value: unknown): string | undefined {
  if (!isGiven(value)) return undefined
  const id = typeof value === 'string' ? value : asObject(value)['id']
  if (typeof id === 'string' && id !== '') return id
  throw requestError('conversation', 'conversation is not an id.', 'Send the id of a conversation.')
}

function chatFields(fields: Fields, hasTools: boolean): Fields {
  const { tool_choice: choice, parallel_tool_calls: parallel, max_output_tokens: most, reasoning, text } = fields
  const asked = chatToolChoice(choice)
  const { effort } = asObject(reasoning)
  return {
    ...Object.fromEntries(passed.filter((name) => isGiven(fields[name])).map((name) => [name, fields[name]])),
    ...chatFormat(text),
    ...(hasTools && asked !== undefined && { tool_choice: asked }),
    ...(hasTools && typeof parallel === 'boolean' && { parallel_tool_calls: parallel }),
    ...(countIn(most) !== undefined && { max_tokens: most }),
    ...(typeof effort === 'string' && { reasoning_effort: effort }),
  }
}

/** What all requests of a server share here. */
export interface ResponsesState {
  readonly cache: ThreadCache
  readonly oneAtATime: OneAtATime
  readonly random: (bytes: number) => Uint8Array
  readonly served: ServedResponses
}

/** A request as it came, for an upstream that serves Responses itself. */
export interface DirectRequest {
  readonly bytes: Buffer
  readonly spans: ObjectSpans
  /** Its input, with earlier output in place of each reference to it. */
  readonly input: unknown
  /** Whether `input` is not what came. */
  readonly isResolved: boolean
}

/** One request for a response, on its way. */
export interface ResponseContext extends Pick<ResponsesState, 'cache' | 'random'> {
  readonly visit: Visit
  readonly services: Services
  readonly request: ResponseRequest
  readonly model: string
  readonly upstream: Upstream
  readonly requestHeaders: RequestHeaders
  /** Of the body. */
  readonly bytes: number
  /** The request as it came, if the upstream serves Responses itself. */
  readonly direct: DirectRequest | undefined
}

/** The fields of a chat for what `text` asks for. */
function chatFormat(text: unknown): Readonly<Record<string, unknown>> {
  const { format, verbosity } = asObject(text)
  const asked = responseFormat(asObject(format))
  return { ...(asked && { response_format: asked }), ...(typeof verbosity === 'string' && { verbosity }) }
}

function responseFormat({
  type = 'text',
  name,
  schema,
  strict,
  description,
}: Readonly<Record<string, unknown>>): object | undefined {
  switch (type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type }
    case 'json_schema':
      if (typeof name !== 'string' || name === '')
        throw requestError('text.format.name', 'text.format.name is missing.', 'Name the schema.')
      if (typeof schema !== 'object' || schema === null)
        throw requestError('text.format.schema', 'text.format.schema is missing.', 'Send a JSON Schema.')
      return {
        type,
        json_schema: {
          name,
          schema,
          ...(typeof description === 'string' && { description }),
          ...(typeof strict === 'boolean' && { strict }),
        },
      }
    default:
      throw requestError(
        'text.format.type',
        'text.format.type is not text, json_object or json_schema.',
        'Send one of them.',
        'unsupported_value',
      )
  }
}
