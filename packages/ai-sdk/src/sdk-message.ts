import type { Message } from 'minutebook'
import type { Json, JsonObject } from './json.ts'

/** The two languages of the AI SDK: that of prompts and model messages, and that of UI messages. */
export type Layer = 'model' | 'ui'

/**
 * A message as the converters make it: plain JSON. What it says is in the usual fields, and what only the AI SDK can
 * express is under `sdk`. Each layer reads its own extras; for the other only the fields count.
 */
export interface SdkMessage extends Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** A text, or texts and files in the shape of OpenAI's parts. */
  readonly content: string | readonly Json[]
  readonly tool_calls?: readonly SdkCall[]
  readonly tool_call_id?: string
  readonly tool_name?: string
  readonly thinking?: string
  readonly sdk?: { readonly [layer in Layer]?: Extras }
}

export interface SdkCall {
  readonly id?: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments?: Json }
  readonly sdk?: { readonly [layer in Layer]?: JsonObject }
}

/** What a message cannot say by itself. */
export interface Extras {
  /** It belongs to the SDK's message before it: several messages here are one there. */
  readonly continues?: true
  /** Fields of the SDK's message other than role and parts: provider options, the id and metadata of a UI message. */
  readonly fields?: JsonObject
  /** The parts in their order, if that is not reasoning, content, calls, or if they have fields of their own. */
  readonly places?: readonly Place[]
  /** Parts that follow in the same message of the SDK and say nothing. */
  readonly rest?: readonly Json[]
  /** Messages of the SDK that follow and say nothing: answers to requests for approval. */
  readonly behind?: readonly Json[]
  /** On a result: how its output was written, and the other fields of its part. */
  readonly output?: JsonObject
  readonly result?: JsonObject
  /** A result among the assistant's own parts: the provider ran the tool. */
  readonly inline?: true
  /** A user message that came while an answer was written: the fields of its part. */
  readonly steering?: JsonObject
}

/** The place of a part: it takes the next text, file, call or piece of reasoning, or belongs only to the SDK. */
export type Place =
  | { readonly take: 'text' | 'file' | 'call' | 'result'; readonly more?: JsonObject }
  | { readonly take: 'reasoning'; readonly length: number; readonly more?: JsonObject }
  | { readonly part: Json }

/** The extras of one layer; undefined if a message never passed through it. */
export function extrasOf(message: Message, layer: Layer): Extras | undefined {
  const { sdk } = message as Partial<SdkMessage>
  return typeof sdk === 'object' && sdk !== null ? sdk[layer] : undefined
}

export function withExtras(message: SdkMessage, layer: Layer, extras: Extras): SdkMessage {
  const all = { ...extrasOf(message, layer), ...extras }
  return Object.keys(all).length === 0 ? message : { ...message, sdk: { ...message.sdk, [layer]: all } }
}

/** The fields of the SDK's message as extras; empty if it has no such fields. */
export function fieldExtras(fields: JsonObject): Pick<Extras, 'fields'> {
  return Object.keys(fields).length > 0 ? { fields } : {}
}

const roles: Readonly<Record<string, SdkMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

/** The role under which the SDK knows a message of any protocol. */
export function roleOf({ role }: Message): SdkMessage['role'] {
  return roles[role.toLowerCase()] ?? 'user'
}
