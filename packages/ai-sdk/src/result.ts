import type { Message } from 'minutebook'
import { filePiece, type Fields } from './file.ts'
import { fromFields, fromJson, toFields, toJson, type Json, type JsonObject } from './json.ts'
import { installedSpecification, modelPart, type Specification } from './model-part.ts'
import { contentOf, moreOf, placeOf, type Piece } from './piece.ts'
import { messageText, readPieces } from './read-pieces.ts'
import { extrasOf, type Place, type SdkMessage } from './sdk-message.ts'
import type { ResultOutput, ResultPart } from './sdk-types.ts'

/** The result of a call that was not allowed to run. */
export const denied = 'Tool call execution denied.'

/** A tool's result as a message of its own. */
export function resultMessage(part: ResultPart): SdkMessage {
  const { type: _, toolCallId, toolName, output, ...more } = part
  const { content, written } = writeOutput(output)
  const result = toFields(more)
  return {
    role: 'tool',
    content,
    tool_call_id: toolCallId,
    tool_name: toolName,
    sdk: { model: { output: written, ...(Object.keys(result).length > 0 && { result }) } },
  }
}

function writeOutput(output: ResultOutput): { content: SdkMessage['content']; written: JsonObject } {
  const { type, value, ...more } = output as Fields & { type: string }
  const written = { ...toFields(more), type }
  switch (type) {
    case 'json':
    case 'error-json':
      return typeof value === 'string'
        ? { content: value, written: { ...written, plain: true } }
        : { content: JSON.stringify(toJson(value)), written }
    case 'execution-denied':
      return { content: typeof more['reason'] === 'string' ? more['reason'] : denied, written }
    case 'content': {
      const pieces = (value as Fields[]).map(outputPiece)
      return { content: contentOf(pieces), written: { ...written, places: pieces.map(placeOf) as unknown as Json } }
    }
    default:
      return { content: String(value), written }
  }
}

function outputPiece(part: Fields): Piece {
  const { type, text, ...more } = part
  if (type === 'text') return { at: 'text', text: String(text), ...moreOf(toFields(more)) }
  return type === 'custom' ? { at: 'part', part: toJson(part) } : filePiece(part)
}

/**
 * The output of a result of any protocol. One that was clipped may not be what it was: what is not JSON any more is
 * text.
 */
export function readOutput(message: Message, specification: Specification = installedSpecification()): ResultOutput {
  const { type, plain, places, ...more } = extrasOf(message, 'model')?.output ?? ({} as JsonObject)
  const text = messageText(message)
  const fields = fromFields(more)
  const made = (output: Fields): ResultOutput => ({ ...output, ...fields }) as unknown as ResultOutput
  switch (type) {
    case 'json':
    case 'error-json':
      return made(plain ? { type, value: text } : parsed(text, type))
    case 'execution-denied':
      return made({ type })
    case 'text':
    case 'error-text':
      return made({ type, value: text })
    default: {
      const pieces = readPieces(message, 'model', places as unknown as Place[] | undefined)
      if (type === undefined && pieces.every(({ at }) => at === 'text')) return made({ type: 'text', value: text })
      const holding = specification === 'v3' ? 'typed' : 'tagged'
      return made({ type: 'content', value: pieces.map((piece) => modelPart(asOutput(piece), holding)) })
    }
  }
}

function parsed(text: string, type: 'json' | 'error-json'): Fields {
  try {
    return { type, value: fromJson(JSON.parse(text) as Json) }
  } catch {
    return { type: type === 'json' ? 'text' : 'error-text', value: text }
  }
}

/** An output has no parts for reasoning and calls: what is not a file is text. */
function asOutput(piece: Piece): Piece {
  return piece.at === 'part' || piece.at === 'file' ? piece : ({ ...piece, at: 'text' } as Piece)
}
