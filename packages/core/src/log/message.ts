import { isImage, readAttachment, type Attachment } from './attachment.ts'
import { fail, MinutebookError } from './error.ts'
import { canonicalJson, maxJsonDepth, isTooDeep, parseJson } from './json.ts'
import type { Kind } from './kind.ts'

/**
 * A chat message in the shape of Ollama's or OpenAI's clients. Only `role` is required. Fields that are not read here
 * are kept unchanged.
 */
export interface Message {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly tool_name?: unknown
  readonly images?: unknown
}

/** One tool call of an assistant message. `arguments` is kept as it was sent: a JSON text or a value. */
export interface Call {
  readonly id?: string
  readonly name: string
  readonly arguments: unknown
}

/** A call as programs get it: with its arguments as a value, whatever the protocol. A log never has it. */
export interface ParsedCall extends Call {
  /** The arguments, parsed if they are a JSON text. Undefined if that text is not JSON. */
  readonly input?: unknown
}

/** What a message says, in one shape for all protocols. */
export interface Content {
  readonly kind: Kind
  /** All text parts joined. Empty if the message has no text. */
  readonly text: string
  readonly calls: readonly Call[]
  /** Of a tool result: the call that it answers, as far as the message says. */
  readonly answers?: { readonly id?: string; readonly name?: string }
  /** Each image: its base64 text, its address or the JSON of its part. */
  readonly images: readonly string[]
  /** Every other part: documents, search results, files, audio. */
  readonly attachments: readonly Attachment[]
  /** The reasoning that can be read. */
  readonly reasoning: string
  /** How many characters of reasoning are sealed: only the server that sent them can read them. */
  readonly sealed: number
}

/** The fields that can have reasoning: Ollama's first, then those of OpenAI-compatible servers, then Anthropic's. */
const reasoningFields: readonly string[] = ['thinking', 'reasoning', 'reasoning_content', 'thinking_blocks']

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

/** The kind of a message, by its role alone: it reads nothing else. Throws `malformed_message` for an unknown role. */
export function kindOf({ role }: Message): Kind {
  const kind = typeof role === 'string' ? kinds.get(role.toLowerCase()) : undefined
  return kind ?? fail(malformedError(`unknown role ${JSON.stringify(role)}`, `Use ${[...kinds.keys()].join(', ')}.`))
}

/** Reads a message of any protocol, in the shape in which a log keeps it. Throws `malformed_message` if it is not one. */
export function readMessage(message: Message): Content {
  const fields = fieldsOf(message)
  const kind = kindOf(message)
  const { text, images, attachments, calls, reasoning, sealed } = readContent(fields['content'])
  const thoughts = kind === 'assistant' ? thoughtsIn(fields).map(readThought) : []
  return {
    kind,
    text,
    images: [...images, ...readImages(fields['images'])],
    attachments,
    calls: kind === 'assistant' ? [...calls, ...readCalls(fields['tool_calls'])] : [],
    reasoning: kind === 'assistant' ? reasoning + thoughts.map((thought) => thought.reasoning).join('') : '',
    sealed: kind === 'assistant' ? thoughts.reduce((sum, thought) => sum + thought.sealed, sealed) : 0,
    ...(kind === 'tool' && { answers: readAnswers(fields) }),
  }
}

/**
 * Returns the message, if it is one of either protocol. Throws `malformed_message` for a message of another library:
 * its calls and results would be taken for attachments, and a call could lose its result.
 */
export function ownMessage<M extends Message>(message: M): M {
  const { role, content, parts } = fieldsOf(message)
  if (content === undefined && Array.isArray(parts) && typeof role === 'string')
    throw malformedError('it is a UI message of the AI SDK', 'Convert it with fromUIMessages of @minutebook/ai-sdk.')
  if (!Array.isArray(content)) return message
  const types = content.map((part: unknown) => (Object(part) as { readonly type?: unknown }).type)
  if (types.includes('tool-call') || types.includes('tool-result'))
    throw malformedError('it is a message of the AI SDK', 'Convert it with fromModelMessages of @minutebook/ai-sdk.')
  if (types.includes('tool_use') || types.includes('tool_result'))
    throw malformedError("it is a message of Anthropic's API", 'Convert it with fromAnthropic of minutebook/wire.')
  return message
}

/** The arguments of a call as text: the JSON text that was sent, or the JSON of the value. */
export function argumentsText(call: Call): string {
  if (typeof call.arguments === 'string') return call.arguments
  return JSON.stringify(call.arguments) ?? '{}'
}

/** The same call with its arguments as a value. */
export function parsedCall(call: Call): ParsedCall {
  const input = inputOf(call)
  return { ...call, ...(input !== undefined && { input }) }
}

/**
 * The arguments of a call as a new value: a program that changes it does not change the log. Without arguments: `{}`.
 * Undefined if they are a text that is not JSON.
 */
export function inputOf(call: Call): unknown {
  return parseJson(argumentsText(call) || '{}')
}

/** The result of a tool as a value: parsed if it is JSON, else the text itself. */
export function outputOf(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** What is in the content of a message. Blocks of Anthropic's protocol may be calls, results and thoughts, too. */
type ReadContent = Pick<Content, 'text' | 'images' | 'attachments' | 'calls' | 'reasoning' | 'sealed'>

const nothing: ReadContent = { text: '', images: [], attachments: [], calls: [], reasoning: '', sealed: 0 }

function readContent(content: unknown): ReadContent {
  if (content === undefined || content === null) return nothing
  if (typeof content === 'string') return { ...nothing, text: content }
  if (!Array.isArray(content))
    throw malformedError('content is neither text nor a list of parts', 'Pass a string, null or an array.')
  if (isTooDeep(content)) throw tooDeepError('content')
  const parts = content.map(readPart)
  return {
    text: parts.map(({ text }) => text).join(''),
    images: parts.flatMap(({ images }) => images),
    attachments: parts.flatMap(({ attachments }) => attachments),
    calls: parts.flatMap(({ calls }) => calls),
    reasoning: parts.map(({ reasoning }) => reasoning).join(''),
    sealed: parts.reduce((sum, { sealed }) => sum + sealed, 0),
  }
}

function readPart(part: unknown): ReadContent {
  const text = partText(part)
  if (text !== undefined) return { ...nothing, text }
  const { type, id, name, input, content } = Object(part) as Readonly<Record<string, unknown>>
  if (type === 'tool_use' && typeof name === 'string')
    return { ...nothing, calls: [{ name, arguments: input ?? {}, ...(typeof id === 'string' && { id }) }] }
  if (type === 'tool_result' && (typeof content === 'string' || Array.isArray(content))) return readContent(content)
  if (type === 'thinking' || type === 'redacted_thinking') return { ...nothing, ...readThought(part) }
  return isImage(part)
    ? { ...nothing, images: [canonicalJson(part)] }
    : { ...nothing, attachments: [readAttachment(part)] }
}

/** The text of a text part. Undefined for any other part. */
export function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  if (typeof part !== 'object' || part === null) return undefined
  const { text } = part as { text?: unknown }
  return typeof text === 'string' ? text : undefined
}

function readImages(images: unknown): string[] {
  if (images === undefined || images === null) return []
  if (!Array.isArray(images)) throw malformedError('images is not a list', 'Pass an array of base64 texts.')
  return images.map((image: unknown) => {
    if (typeof image === 'string') return image
    if (image instanceof Uint8Array) return String(image)
    throw malformedError('an image is neither text nor bytes', 'Pass base64 texts.')
  })
}

function readCalls(calls: unknown): Call[] {
  if (calls === undefined || calls === null) return []
  if (!Array.isArray(calls)) throw malformedError('tool_calls is not a list', 'Pass an array of calls.')
  return calls.map((call: unknown) => {
    const { id, function: called, custom } = fieldsOf(call)
    const { name, arguments: given, input } = fieldsOf(called ?? custom ?? {})
    if (typeof name !== 'string')
      throw malformedError('a tool call has no function name', 'Pass { function: { name, arguments } }.')
    if (isTooDeep(given)) throw tooDeepError(`the arguments of ${name}`)
    return { name, arguments: given ?? input ?? {}, ...(typeof id === 'string' && { id }) }
  })
}

function readAnswers(fields: Readonly<Record<string, unknown>>): { id?: string; name?: string } {
  const id = fields['tool_call_id']
  const name = fields['tool_name'] ?? fields['name']
  return { ...(typeof id === 'string' && { id }), ...(typeof name === 'string' && { name }) }
}

function thoughtsIn(fields: Readonly<Record<string, unknown>>): readonly unknown[] {
  const thoughts = reasoningFields.flatMap((field) => fields[field] ?? [])
  return fields['items'] === undefined ? thoughts : [...thoughts, ...sealedItems(fields['items'])]
}

/**
 * A thought, as a text or as a thinking block. The signature of a block has the whole thought, and its text may be a
 * summary: what is sealed is as much as the signature is longer.
 */
function readThought(thought: unknown): Pick<Content, 'reasoning' | 'sealed'> {
  if (typeof thought === 'string') return { reasoning: thought, sealed: 0 }
  const { thinking, signature, data } = Object(thought) as Readonly<Record<string, unknown>>
  const [text, signed, sealed] = [thinking, signature, data].map((value) => (typeof value === 'string' ? value : ''))
  return { reasoning: text!, sealed: Math.max(0, signed!.length - text!.length) + sealed!.length }
}

/** The reasoning of OpenAI's Responses that is sealed. Its text is in one of the fields. */
function sealedItems(items: unknown): readonly object[] {
  return (Array.isArray(items) ? (items as unknown[]) : []).flatMap((item) => {
    const { type, encrypted_content: data } = Object(item) as Readonly<Record<string, unknown>>
    return type === 'reasoning' ? [{ data }] : []
  })
}

/** A message without its reasoning. */
export function withoutReasoning(message: Message): Message {
  const kept = Object.entries(message).filter(([field]) => !reasoningFields.includes(field))
  return Object.fromEntries(
    kept.map(([field, value]) => [field, field === 'items' && Array.isArray(value) ? value.map(hollowed) : value]),
  ) as unknown as Message
}

/** An item of reasoning keeps its place: the items behind it then go without their ids, which would need it. */
function hollowed(item: unknown): unknown {
  const { type } = Object(item) as { readonly type?: unknown }
  return type === 'reasoning' ? { type, summary: [] } : item
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  throw malformedError('a message or tool call is not an object', 'Pass { role, content }.')
}

function tooDeepError(what: string): MinutebookError {
  return malformedError(`${what} nest more than ${maxJsonDepth} levels deep`, 'Pass deep values as JSON text.')
}

function malformedError(what: string, fix: string): MinutebookError {
  return new MinutebookError('malformed_message', `Cannot read the message: ${what}.`, fix, { what })
}

/**
 * Returns the message as a log can store it: as plain JSON, so that what is read later equals what is used now. Throws
 * `malformed_message` if JSON cannot express it.
 */
export function recordable(message: Message): Message {
  if (hasOnlyTexts(message)) return Object.fromEntries(Object.entries(message)) as unknown as Message
  if (isTooDeep(message))
    throw notRecordableError(`it nests more than ${maxJsonDepth} levels deep`, 'Pass deep values as JSON text.')
  if (holdsBytes(message)) throw notRecordableError('it holds bytes', 'Pass images as base64 texts.')
  try {
    return JSON.parse(JSON.stringify(message)) as Message
  } catch {
    throw notRecordableError('JSON cannot hold it', 'Pass texts, numbers, lists and plain objects.')
  }
}

/** True for most messages: a plain object of texts. It is its own JSON. */
function hasOnlyTexts(message: Message): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    Object.getPrototypeOf(message) === Object.prototype &&
    Object.values(message).every((field) => typeof field === 'string')
  )
}

/** Returns the context of a turn as a log can store it. Throws `invalid_context` if JSON cannot express it. */
export function recordableContext(context: unknown): unknown {
  if (context === undefined) return undefined
  try {
    const text = isTooDeep(context) ? undefined : JSON.stringify(context)
    if (text !== undefined) return JSON.parse(text)
  } catch {
    // The error below says what to do.
  }
  throw new MinutebookError(
    'invalid_context',
    'The context of a turn is recorded, and JSON cannot hold this one.',
    'Pass texts, numbers, lists and plain objects.',
  )
}

function holdsBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || Object.values(value).some(holdsBytes)
}

function notRecordableError(what: string, fix: string): MinutebookError {
  return new MinutebookError('malformed_message', `The message cannot be recorded: ${what}.`, fix, { what })
}
