import type { Message } from 'minutebook'
import { countIn } from '../chat/protocol.ts'
import { longestModel } from '../chat/request.ts'
import { fieldsOf, type Fields } from '../fields.ts'
import { chatMessages } from './input.ts'
import { metadataIn, type Metadata } from './metadata.ts'
import { unusable } from './problem.ts'
import { passed, refuseOthers } from './request-fields.ts'
import { termsIn, type Terms } from './terms.ts'
import { chatFormat } from './text-format.ts'
import { chatToolChoice, chatTools } from './tools.ts'

/** What is asked for with `POST /v1/responses`. */
export interface ResponseRequest {
  readonly model: string | undefined
  readonly messages: readonly Message[]
  readonly instructions: string | undefined
  /** Functions, as a chat takes them. */
  readonly tools: readonly object[]
  /** The fields of the chat beside model, messages and tools. */
  readonly chat: Fields
  /** Tokens of the answer, at most. */
  readonly output: number | undefined
  readonly streams: boolean
  readonly stores: boolean
  readonly previous: string | undefined
  readonly conversation: string | undefined
  readonly metadata: Metadata
  readonly terms: Terms
}

/** Throws where a field cannot be done, and names it. */
export function readResponseRequest(fields: Fields): ResponseRequest {
  refuseOthers(fields)
  const { model, input, instructions, previous_response_id: previous, store, stream } = fields
  if (typeof model === 'string' && model.length > longestModel)
    throw unusable('model', `model is longer than ${longestModel} characters. Send the name of a model.`)
  if (isGiven(model) && (typeof model !== 'string' || model === ''))
    throw unusable('model', 'model is no name. Send the name of a model.')
  if (isGiven(instructions) && typeof instructions !== 'string')
    throw unusable('instructions', 'instructions is no text. Send one, or leave it out.')
  if (isGiven(previous) && typeof previous !== 'string')
    throw unusable('previous_response_id', 'previous_response_id is no id. Send the id of a response.')
  const conversation = conversationIn(fields['conversation'])
  if (isGiven(previous) && conversation !== undefined)
    throw unusable(
      'previous_response_id',
      'previous_response_id and conversation cannot be used together. Send one of them.',
    )
  const tools = chatTools(fields['tools'])
  return {
    model: isGiven(model) ? String(model) : undefined,
    messages: messagesIn(input),
    instructions: typeof instructions === 'string' && instructions !== '' ? instructions : undefined,
    tools,
    chat: chatFields(fields, tools.length > 0),
    output: countIn(fields['max_output_tokens']),
    streams: stream === true,
    stores: store !== false,
    previous: typeof previous === 'string' ? previous : undefined,
    conversation,
    metadata: metadataIn(fields['metadata']) ?? {},
    terms: termsIn(fields),
  }
}

function messagesIn(input: unknown): readonly Message[] {
  if (!isGiven(input))
    throw unusable('input', 'input is missing. Send a text or a list of items.', 'missing_required_parameter')
  const messages = chatMessages(input, 'input')
  if (messages.length === 0) throw unusable('input', 'input holds nothing to answer. Send one message at least.')
  return messages
}

function conversationIn(value: unknown): string | undefined {
  if (!isGiven(value)) return undefined
  const id = typeof value === 'string' ? value : fieldsOf(value)['id']
  if (typeof id === 'string' && id !== '') return id
  throw unusable('conversation', 'conversation is no id. Send the id of a conversation.')
}

function chatFields(fields: Fields, hasTools: boolean): Fields {
  const { tool_choice: choice, parallel_tool_calls: parallel, max_output_tokens: most, reasoning, text } = fields
  const asked = chatToolChoice(choice)
  const { effort } = fieldsOf(reasoning)
  return {
    ...Object.fromEntries(passed.filter((name) => isGiven(fields[name])).map((name) => [name, fields[name]])),
    ...chatFormat(text),
    ...(hasTools && asked !== undefined && { tool_choice: asked }),
    ...(hasTools && typeof parallel === 'boolean' && { parallel_tool_calls: parallel }),
    ...(countIn(most) !== undefined && { max_tokens: most }),
    ...(typeof effort === 'string' && { reasoning_effort: effort }),
  }
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
