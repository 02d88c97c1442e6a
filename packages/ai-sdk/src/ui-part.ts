import type { ToolUIPart, DynamicToolUIPart } from 'ai'
import type { Message } from 'minutebook'
import { parseJson } from 'minutebook/store'
import { filePart, filePiece, plainFile, type Fields, type PlainFile } from './file.ts'
import { fromFields, fromJson, readJson, toFields, toJson } from './json.ts'
import { moreOf, type Piece } from './piece.ts'
import { messageText } from './read-pieces.ts'
import { denied, readOutput } from './result.ts'
import { extrasOf, type SdkMessage } from './sdk-message.ts'
import type { UIPart } from './sdk-types.ts'

export type ToolPart = ToolUIPart | DynamicToolUIPart

export function isToolPart(part: UIPart): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

/** What a part of a UI message says. */
export function uiPiece(part: UIPart): Piece {
  if (part.type === 'text' || part.type === 'reasoning') {
    const { type, text, ...more } = part
    return { at: type, text, ...moreOf(toFields(more)) }
  }
  if (part.type === 'file') return filePiece(part)
  return isToolPart(part) && isCall(part) ? callPiece(part) : { at: 'part', part: toJson(part) }
}

/** A call that is still being written, or that the provider has not answered, cannot be answered by the client. */
function isCall(part: ToolPart): boolean {
  if (part.state === 'input-streaming') return false
  return part.providerExecuted !== true || part.state === 'output-available' || part.state === 'output-error'
}

function callPiece(part: ToolPart): Piece {
  const { toolCallId, input, output: _output, errorText: _error, ...more } = part
  const isStatic = part.type !== 'dynamic-tool'
  const { type: _type, toolName: _name, ...fields } = more as Fields
  return {
    at: 'call',
    id: toolCallId,
    name: toolNameOf(part),
    input,
    more: toFields({ ...(!isStatic && { type: part.type }), ...fields }),
  }
}

function toolNameOf(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** The result of a tool part; undefined while it has no result. */
export function uiResult(part: ToolPart): SdkMessage | undefined {
  const said = isCall(part) ? resultText(part) : undefined
  if (!said) return undefined
  return {
    role: 'tool',
    content: said.text,
    tool_call_id: part.toolCallId,
    tool_name: toolNameOf(part),
    sdk: { ui: { output: { form: said.form } } },
  }
}

function resultText(part: ToolPart): { text: string; form: string } | undefined {
  if (part.state === 'output-error') return { text: part.errorText, form: 'error' }
  if (part.state === 'output-denied') return { text: part.approval.reason ?? denied, form: 'denied' }
  if (part.state !== 'output-available') return undefined
  const output: unknown = part.output
  if (output === undefined) return { text: '', form: 'none' }
  return typeof output === 'string'
    ? { text: output, form: 'text' }
    : { text: JSON.stringify(toJson(output)), form: 'json' }
}

/** The part that says it. A call that never was a UI part is a static tool's, and waits for its result. */
export function uiPart(piece: Piece): Fields {
  switch (piece.at) {
    case 'part':
      return fromJson(piece.part) as Fields
    case 'file':
      return piece.more ? filePart(piece.element, piece.more) : uiFile(plainFile(piece.element))
    case 'call': {
      const { type, ...more } = fromFields(piece.more)
      const named = type === undefined ? { type: `tool-${piece.name}` } : { type, toolName: piece.name }
      return { ...named, toolCallId: piece.id, input: piece.input, state: 'input-available', ...more }
    }
    default:
      return { type: piece.at, text: piece.text, ...fromFields(piece.more) }
  }
}

function uiFile({ mediaType, address, filename, reference }: PlainFile): Fields {
  return {
    type: 'file',
    mediaType,
    url: address,
    ...(filename !== undefined && { filename }),
    ...(reference !== undefined && { providerReference: fromJson(reference) }),
  }
}

/** The tool part with its result. `isFailed`: the book says that the call failed, or was given up. */
export function answeredPart(part: Fields, message: Message, isFailed: boolean): Fields {
  const form = extrasOf(message, 'ui')?.output?.['form']
  const text = messageText(message)
  if (form === undefined && isFailed) return { ...part, state: 'output-error', errorText: text }
  if (form === undefined) return { ...part, ...plainAnswer(message) }
  if (form === 'json') return { ...part, output: readJson(text) }
  if (form === 'text') return { ...part, output: text }
  return form === 'error' ? { ...part, errorText: text } : part
}

function plainAnswer(message: Message): Fields {
  const output = readOutput(message) as { readonly type: string; readonly value?: unknown; readonly reason?: string }
  if (output.type === 'execution-denied') return { state: 'output-error', errorText: output.reason ?? denied }
  const isUntyped = output.type === 'text' && extrasOf(message, 'model')?.output === undefined
  if (isUntyped) return { state: 'output-available', output: toolValue(String(output.value)) }
  if (!output.type.startsWith('error')) return { state: 'output-available', output: output.value }
  return {
    state: 'output-error',
    errorText: typeof output.value === 'string' ? output.value : JSON.stringify(output.value),
  }
}

/**
 * The value that a tool of a book returned. A book records a text as it is, and any other value as JSON. Only a JSON
 * text that `uiResult` writes the same way again is read, so that a message says the same when a client sends it back.
 */
export function toolValue(text: string): unknown {
  const value = parseJson(text)
  return typeof value !== 'string' && JSON.stringify(toJson(value)) === text ? value : text
}
