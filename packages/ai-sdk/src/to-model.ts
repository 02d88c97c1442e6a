import type { ModelMessage } from 'ai'
import type { Message } from 'minutebook'
import { fromFields, fromJson, type JsonObject } from './json.ts'
import { installedSpecification, modelPart, type Holding, type Specification } from './model-part.ts'
import { openCalls, type OpenCalls } from './open-calls.ts'
import { messageText, readPieces } from './read-pieces.ts'
import { readOutput } from './result.ts'
import { extrasOf, roleOf, type Extras } from './sdk-message.ts'
import type { CallOptions } from './sdk-types.ts'

/**
 * Messages as the AI SDK's model messages: those that `fromModelMessages` was given, and any others as well as can be.
 *
 * @example
 * await generateText({ model, messages: toModelMessages(history(log).map(({ raw }) => raw)) })
 */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  return written(messages, 'bare', installedSpecification()).map(
    ({ role, parts, plain, fields }) => ({ role, content: plain ?? parts, ...fields }) as unknown as ModelMessage,
  )
}

/**
 * Messages as a prompt for a provider: the one that `fromPrompt` got, as far as it is unchanged. `specification` is the
 * one of the provider's model; it counts for files that came another way. Default: that of the installed AI SDK.
 *
 * @example
 * const prompt = toPrompt(compile(fromPrompt(params.prompt), { window: 8192 }).messages)
 */
export function toPrompt(
  messages: readonly Message[],
  options: { readonly specification?: Specification } = {},
): CallOptions['prompt'] {
  const { specification = installedSpecification() } = options
  return written(messages, specification === 'v3' ? 'bare' : 'tagged', specification).map(
    ({ role, parts, plain, fields }) => ({
      role,
      content: role === 'system' ? plain : parts,
      ...fields,
    }),
  ) as unknown as CallOptions['prompt']
}

interface Written {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly parts: unknown[]
  /** The text alone, if it came alone. */
  plain: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

function written(messages: readonly Message[], holding: Holding, specification: Specification): Written[] {
  const done: Written[] = []
  const calls = openCalls()
  for (const message of messages) {
    const extras = extrasOf(message, 'model')
    const role = roleOf(message)
    const parts = [
      ...(role === 'tool' ? resultParts(message, extras, calls, specification) : saidParts(message, calls, holding)),
      ...(extras?.rest ?? []).map(fromJson),
    ]
    const last = done.at(-1)
    if (last && belongsTo(last, role, extras)) {
      last.parts.push(...parts)
      last.plain = undefined
    } else
      done.push({ role, parts, plain: plainText(message, role, extras, parts), fields: fromFields(extras?.fields) })
    for (const unsaid of extras?.behind ?? []) done.push(unsaidMessage(unsaid as JsonObject))
  }
  return done
}

/**
 * Whether it is part of the message before. Results that never were in a model message go together, as in the SDK.
 */
function belongsTo(last: Written, role: Written['role'], extras: Extras | undefined): boolean {
  if (role === 'tool' && extras?.inline) return last.role === 'assistant'
  return last.role === role && (extras?.continues ?? (role === 'tool' && extras === undefined))
}

function plainText(
  message: Message,
  role: Written['role'],
  extras: Extras | undefined,
  parts: readonly unknown[],
): string | undefined {
  if (role === 'system') return messageText(message)
  const isText = parts.every((part) => (part as { type: string }).type === 'text')
  return role !== 'tool' && typeof message.content === 'string' && extras?.places === undefined && isText
    ? message.content
    : undefined
}

function saidParts(message: Message, calls: OpenCalls, holding: Holding): unknown[] {
  return readPieces(message, 'model').map((piece) =>
    modelPart(piece.at === 'call' ? { ...piece, id: calls.open(piece.id, piece.name) } : piece, holding),
  )
}

function resultParts(
  message: Message,
  extras: Extras | undefined,
  calls: OpenCalls,
  specification: Specification,
): unknown[] {
  const places = extras?.places ?? [{ take: 'result' }]
  return places.map((place) => {
    if ('part' in place) return fromJson(place.part)
    const output = readOutput(message, specification)
    return { type: 'tool-result', ...calls.answer(message), output, ...fromFields(extras?.result) }
  })
}

function unsaidMessage(json: JsonObject): Written {
  const { role, content, ...fields } = fromFields(json)
  return { role: role as Written['role'], parts: content as unknown[], plain: undefined, fields }
}
