import { createHash } from 'node:crypto'
import { asObject, isGiven, type Fields } from '../http/json.ts'
import type { Refusal } from '../http/reply.ts'
import { folded, isDisguised, scanObject, type ObjectSpans, type SpanFault } from '../protocol/json-members.ts'
import { excessIn, excessInTools } from '../protocol/message-limits.ts'
import type { AnswerRequest, Protocol, ReadMessages } from '../protocol/protocol.ts'

/** A chat that can be recorded. */
export interface ChatRequest extends AnswerRequest, ReadMessages {
  readonly model: string
  /** As they came. */
  readonly tools: readonly unknown[]
  /** The options that change how a server reads a prompt. */
  readonly promptOptions: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly spans: ObjectSpans
}

/** What the body of a chat request is. A body that only an upstream may understand is passed on unrecorded. */
export type ReadRequest =
  | { readonly kind: 'chat'; readonly request: ChatRequest }
  | { readonly kind: 'pass'; readonly model: string | undefined; readonly why: 'load' | 'render' | 'unreadable' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * Reads the body of a chat request. Refuses what the protocol itself refuses, and what could be read in two ways.
 *
 * @example
 * const read = readRequest(bytes, openAi)
 */
export function readRequest(bytes: Buffer, protocol: Protocol): ReadRequest {
  const object = readObject(bytes, requestNames)
  if ('fix' in object) return bad(object.problem, object.fix)
  const { fields, spans } = object
  if (hasDisguised(fields, spans)) return { kind: 'pass', model: modelIn(fields), why: 'unreadable' }
  return readFields(fields, { bytes, spans }, protocol)
}

/**
 * Reads a body as a JSON object, or returns why it is not one. `once`: names that must not be there twice. Default:
 * all.
 */
export function readObject(
  bytes: Buffer,
  once?: ReadonlySet<string>,
): { readonly fields: Fields; readonly spans: ObjectSpans } | BadBody {
  if (bytes.length === 0) return { problem: 'The request has no body.', fix: 'Send a JSON object.' }
  const spans = scanObject(bytes)
  if (typeof spans === 'string') return faults[spans]
  const doubled = [...spans.doubled].find((name) => once?.has(name) ?? true)
  if (doubled !== undefined)
    return once
      ? { problem: `"${doubled}" is in the request twice.`, fix: 'Send it once.' }
      : { problem: 'A name is in the request twice.', fix: 'Send it once.' }
  const fields = parsed(bytes)
  return fields ? { fields, spans } : faults['not an object']
}

function readFields(fields: Fields, text: Pick<ChatRequest, 'bytes' | 'spans'>, protocol: Protocol): ReadRequest {
  const { model, messages = [], tools } = fields
  if (typeof model !== 'string' || model === '') return bad('model is required.', 'Send the name of a model.')
  if (model.length > longestModel)
    return bad(`model is longer than ${longestModel} characters.`, 'Send the name of a model.')
  const list = messages ?? []
  if (!Array.isArray(list) || !list.every(isObject))
    return bad('messages is not a list of messages.', 'Send a list of objects with role and content.')
  if (list.length === 0)
    return protocol.takesNoMessages
      ? { kind: 'pass', model, why: 'load' }
      : bad('messages is empty.', 'Send at least one message.')
  const asking = protocol.ask(fields)
  if (asking.rendersOnly) return { kind: 'pass', model, why: 'render' }
  const members = list.reduce((sum, message) => sum + Object.keys(message).length, 0)
  const isOdd = members !== text.spans.members.get('messages')?.inner || (isGiven(tools) && !Array.isArray(tools))
  const read = isOdd ? undefined : protocol.read(fields, list)
  if (!read) return { kind: 'pass', model, why: 'unreadable' }
  const given = (tools as readonly unknown[] | null | undefined) ?? []
  const excess = excessIn(read.messages)
  if (excess) return bad(`messages contains ${excess.what}.`, excess.fix)
  const inTools = excessInTools(given)
  if (inTools) return bad(`tools contains ${inTools.what}.`, inTools.fix)
  return {
    kind: 'chat',
    request: {
      ...asking,
      ...text,
      ...read,
      model,
      tools: given,
      promptOptions: promptOptionsIn(fields),
    },
  }
}

/**
 * The options that templates print at the beginning of a prompt, or for which a server loads the model again. Others,
 * such as the temperature, leave a prompt as it is. Values that are long are hashed.
 */
export function promptOptionsIn(fields: Fields): Record<string, string> {
  const given = { ...fields, num_ctx: asObject(fields['options'])['num_ctx'] }
  return Object.fromEntries(
    promptOptionNames
      .map((name) => [name, given[name as keyof typeof given]] as const)
      .filter(([, value]) => isGiven(value) && value !== 'auto')
      .map(([name, value]) => {
        const text = JSON.stringify(value)
        return [name, text.length <= 64 ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`]
      }),
  )
}

const promptOptionNames: readonly string[] = [
  'num_ctx',
  'reasoning_effort',
  'think',
  'thinking',
  'chat_template_kwargs',
  'tool_choice',
  'response_format',
]

/** Characters: names of models are kept. */
export const longestModel = 200

function parsed(bytes: Buffer): Fields | undefined {
  try {
    return asObject(JSON.parse(bytes.toString()))
  } catch {
    return undefined
  }
}

/** Members with names in another letter case, which some servers read as the names that they look like. */
function hasDisguised(fields: Fields, { members }: ObjectSpans): boolean {
  return Object.keys(fields).some((name) => !members.has(name) || isDisguised(name, requestNames))
}

/** The model of a request, in whatever letter case its field is written. */
function modelIn(fields: Fields): string | undefined {
  const name = Object.keys(fields).find((key) => folded(key) === 'model')
  const model = name === undefined ? undefined : fields[name]
  return typeof model === 'string' && model.length <= longestModel ? model : undefined
}

const requestNames: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'stream',
  'stream_options',
  'options',
  'truncate',
  'shift',
  'max_tokens',
  'max_completion_tokens',
  'n',
  '_debug_render_only',
])

interface BadBody {
  readonly problem: string
  readonly fix: string
}

const faults: Readonly<Record<SpanFault, BadBody>> = {
  'not an object': { problem: 'The body is not a JSON object.', fix: 'Send a JSON object.' },
  'too deep': {
    problem: 'The body nests deeper than 200 levels.',
    fix: 'Send deeply nested values as strings that contain JSON.',
  },
  'too many values': { problem: 'The body contains too many values.', fix: 'Send fewer messages.' },
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(problem: string, fix: string): ReadRequest {
  return { kind: 'refused', refusal: { status: 400, code: 'invalid_request', problem, fix } }
}
