import type { Message } from 'minutebook'
import { isFields, toJson, type Json, type JsonObject } from './json.ts'
import { inputOf } from './open-calls.ts'
import { withExtras, type Extras, type Layer, type Place, type SdkCall, type SdkMessage } from './sdk-message.ts'

/** What one part of a message says, whichever way it is written. `more`: the fields that only its layer knows. */
export type Piece =
  | { readonly at: 'text'; readonly text: string; readonly more?: JsonObject }
  | { readonly at: 'file'; readonly element: Json; readonly more?: JsonObject }
  | { readonly at: 'reasoning'; readonly text: string; readonly more?: JsonObject }
  | {
      readonly at: 'call'
      readonly id: string | undefined
      readonly name: string
      readonly input: unknown
      readonly more?: JsonObject
    }
  | { readonly at: 'part'; readonly part: Json }

/** Writes pieces down as a message. `listed`: even a single text came as a list of parts. */
export function writePieces(
  role: SdkMessage['role'],
  pieces: readonly Piece[],
  layer: Layer,
  options: { readonly listed?: boolean; readonly extras?: Extras } = {},
): SdkMessage {
  const content = contentOf(pieces)
  const calls = pieces.filter((piece) => piece.at === 'call').map((piece) => callOf(piece, layer))
  const thinking = pieces
    .filter((piece) => piece.at === 'reasoning')
    .map(({ text }) => text)
    .join('')
  const places = pieces.map(placeOf)
  const isUsual = JSON.stringify(places) === JSON.stringify(usualPlaces(content, calls.length, thinking.length))
  const message: SdkMessage = {
    role,
    content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thinking !== '' && { thinking }),
  }
  const keepsPlaces = !isUsual || (options.listed === true && typeof content === 'string')
  return withExtras(message, layer, { ...options.extras, ...(keepsPlaces && { places }) })
}

/** True if a piece says something to a model, and not to a program about the conversation. */
export function isSaid(piece: Piece): boolean {
  return piece.at !== 'part'
}

/** The fields of a part other than those of its piece; empty if it has no others. */
export function moreOf(fields: JsonObject): { readonly more?: JsonObject } {
  return Object.keys(fields).length > 0 ? { more: fields } : {}
}

export function contentOf(pieces: readonly Piece[]): SdkMessage['content'] {
  const elements = pieces.flatMap((piece): Json[] =>
    piece.at === 'text' ? [{ type: 'text', text: piece.text }] : piece.at === 'file' ? [piece.element] : [],
  )
  const only = pieces.find((piece) => piece.at === 'text')
  if (elements.length === 1 && only) return only.text
  return elements.length === 0 ? '' : elements
}

export function placeOf(piece: Piece): Place {
  if (piece.at === 'part') return { part: piece.part }
  // A call keeps its own fields: rendering may move it into a message by itself.
  if (piece.at === 'call') return { take: 'call' }
  const more = piece.more && { more: piece.more }
  return piece.at === 'reasoning'
    ? { take: 'reasoning', length: piece.text.length, ...more }
    : { take: piece.at, ...more }
}

function usualPlaces(content: SdkMessage['content'], calls: number, reasoning: number): Place[] {
  const elements = typeof content === 'string' ? (content === '' ? [] : [content]) : content
  return [
    ...(reasoning > 0 ? [{ take: 'reasoning', length: reasoning } as const] : []),
    ...elements.map((element): Place => ({ take: isTextElement(element) ? 'text' : 'file' })),
    ...Array.from({ length: calls }, (): Place => ({ take: 'call' })),
  ]
}

function callOf({ id, name, input, more }: Extract<Piece, { at: 'call' }>, layer: Layer): SdkCall {
  // A text is written as JSON, so that it is not taken for the JSON of something else.
  const given = typeof input === 'string' ? JSON.stringify(input) : toJson(input)
  return {
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, ...(input !== undefined && { arguments: given }) },
    ...(more && { sdk: { [layer]: more } }),
  }
}

export function isTextElement(element: Json): boolean {
  return typeof element === 'string' || (isFields(element) && typeof element['text'] === 'string')
}

/** The calls of a message of any protocol. */
export function callPieces(message: Message, layer: Layer): Extract<Piece, { at: 'call' }>[] {
  const calls = Array.isArray(message.tool_calls)
    ? (message.tool_calls as (SdkCall & { readonly custom?: { readonly name: string; readonly input?: Json } })[])
    : []
  return calls.map(({ id, function: called, custom, sdk }) => {
    const given = called ? called.arguments : custom?.input
    const more = sdk?.[layer]
    return {
      at: 'call',
      id,
      name: called?.name ?? custom?.name ?? '',
      input: inputOf(given),
      ...(more && { more }),
    }
  })
}
