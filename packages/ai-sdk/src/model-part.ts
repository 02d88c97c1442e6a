import { wrapLanguageModel, type LanguageModelMiddleware } from 'ai'
import { MinutebookError } from 'minutebook'
import { base64In, filePart, filePiece, plainFile, type Fields, type PlainFile } from './file.ts'
import { fromFields, fromJson, toFields, toJson } from './json.ts'
import { moreOf, type Piece } from './piece.ts'
import type { ModelPart } from './sdk-types.ts'

/** What a part of a model message says. `opaque`: calls that only the SDK can account for. */
export function modelPiece(part: ModelPart, opaque: (call: string) => boolean = () => false): Piece {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const { type, text, ...more } = part
      return { at: type, text, ...moreOf(toFields(more)) }
    }
    case 'file':
    case 'image':
      return filePiece(part as unknown as Fields)
    case 'tool-call': {
      if (opaque(part.toolCallId)) return { at: 'part', part: toJson(part) }
      const { type: _, toolCallId, toolName, input, ...more } = part
      return { at: 'call', id: toolCallId, name: toolName, input, ...moreOf(toFields(more)) }
    }
    default:
      return { at: 'part', part: toJson(part) }
  }
}

/** The specification of a provider's models: v3 with version 6 of the AI SDK, v4 with version 7. */
export type Specification = 'v3' | 'v4'

/** The specification of the AI SDK that is installed. */
export function installedSpecification(): Specification {
  const stub = { specificationVersion: 'v3', provider: '', modelId: '', supportedUrls: {} }
  const model = stub as unknown as Parameters<typeof wrapLanguageModel>[0]['model']
  return wrapLanguageModel({ model, middleware: {} as LanguageModelMiddleware }).specificationVersion as Specification
}

/**
 * How a file is held that came another way than as a part of the AI SDK. `bare`: the base64 text or the URL itself, as
 * in model messages of any version and in prompts of specification v3; `tagged`: as in prompts of v4, and in results of
 * any layer there; `typed`: as in results of v3.
 */
export type Holding = 'bare' | 'tagged' | 'typed'

/** The part that says it. */
export function modelPart(piece: Piece, holding: Holding): unknown {
  switch (piece.at) {
    case 'part':
      return fromJson(piece.part)
    case 'file':
      return piece.more ? filePart(piece.element, piece.more) : fileParts[holding](plainFile(piece.element))
    case 'call':
      return {
        type: 'tool-call',
        toolCallId: piece.id,
        toolName: piece.name,
        input: piece.input,
        ...fromFields(piece.more),
      }
    default:
      if (piece.more?.['holder'] !== undefined) return filePart(piece.text, piece.more)
      return { type: piece.at, text: piece.text, ...fromFields(piece.more) }
  }
}

const fileParts: Readonly<Record<Holding, (file: PlainFile) => Fields>> = {
  bare: ({ mediaType, address, filename, reference }) => ({
    type: 'file',
    // Version 6 knows an image without its format only by this name.
    mediaType: mediaType === 'image' ? 'image/*' : mediaType,
    data: reference !== undefined ? fromJson(reference) : (base64In(address) ?? urlOf(address)),
    ...(filename !== undefined && { filename }),
  }),
  tagged: ({ mediaType, address, filename, reference }) => {
    const base64 = base64In(address)
    const data =
      reference !== undefined
        ? { type: 'reference', reference: fromJson(reference) }
        : base64 !== undefined
          ? { type: 'data', data: base64 }
          : { type: 'url', url: urlOf(address) }
    return { type: 'file', mediaType, data, ...(filename !== undefined && { filename }) }
  },
  typed: ({ mediaType, address, filename, reference }) => {
    const kind = mediaType.startsWith('image') ? 'image' : 'file'
    const base64 = base64In(address)
    if (reference !== undefined)
      return { type: kind === 'image' ? 'image-file-id' : 'file-id', fileId: fromJson(reference) }
    if (base64 === undefined) return { type: `${kind}-url`, url: urlOf(address).href }
    const name = kind === 'file' && filename !== undefined ? { filename } : {}
    return { type: `${kind}-data`, data: base64, mediaType, ...name }
  },
}

function urlOf(address: string): URL {
  if (URL.canParse(address)) return new URL(address)
  throw new MinutebookError(
    'unconvertible_part',
    'A file has an address that is not a full URL.',
    'A model cannot read it. Use https: or data: addresses.',
  )
}
