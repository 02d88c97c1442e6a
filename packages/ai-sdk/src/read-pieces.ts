import type { Message } from 'minutebook'
import { isFields, type Json, type JsonObject } from './json.ts'
import { callPieces, isTextElement, type Piece } from './piece.ts'
import { extrasOf, type Layer, type Place } from './sdk-message.ts'

/**
 * The pieces of a message, in the order that its layer recorded. Their content comes from the message's fields: a
 * compiler may have clipped its text, dropped its reasoning or split its calls since the places were recorded.
 */
export function readPieces(
  message: Message,
  layer: Layer,
  places: readonly Place[] | undefined = extrasOf(message, layer)?.places,
): Piece[] {
  const said = saidBy(message, layer, places)
  if (!places) return said.leftover()
  const pieces = places.flatMap((place) =>
    'part' in place ? [{ at: 'part', part: place.part } as const] : said.take(place),
  )
  // Joining messages that hold no text leaves an empty one.
  const all = [...pieces, ...said.leftover().filter((piece) => piece.at !== 'text' || piece.text !== '')]
  return said.bare ? all.flatMap(withoutReasoning) : all
}

/** What a message says, to be taken piece by piece. */
interface Said {
  take(place: Exclude<Place, { part: Json }>): Piece[]
  leftover(): Piece[]
  /** Whether its reasoning was dropped. */
  readonly bare: boolean
}

function saidBy(message: Message, layer: Layer, places: readonly Place[] = []): Said {
  const count = (take: string): number => places.filter((place) => 'take' in place && place.take === take).length
  const elements = elementsOf(message, count('text') > 0)
  const calls = callPieces(message, layer)
  const thinking = thinkingOf(message)
  const expected = places.reduce(
    (sum, place) => sum + ('take' in place && place.take === 'reasoning' ? place.length : 0),
    0,
  )
  const texts = elements.filter(isTextElement).length
  // After texts or files were joined, their fields can no longer be told apart.
  const owned = { text: count('text') === texts, file: count('file') === elements.length - texts }
  let thought = 0

  function take({ more, ...place }: Exclude<Place, { part: Json }>): Piece[] {
    if (place.take === 'reasoning') return reason(thinking.length === expected ? place.length : thinking.length, more)
    if (place.take === 'call') return calls.splice(0, 1)
    if (place.take === 'result') return []
    const next = elements.findIndex((element) => isTextElement(element) === (place.take === 'text'))
    const kept = owned[place.take] && more ? { more } : {}
    return next < 0 ? [] : elements.splice(next, 1).map((element) => ({ ...pieceOf(element), ...kept }))
  }

  function reason(length: number, more?: JsonObject): Piece[] {
    const text = thinking.slice(thought, thought + length)
    thought += length
    return [{ at: 'reasoning', text, ...(more && { more }) }]
  }

  return {
    take,
    leftover: () => [...(thought < thinking.length ? reason(thinking.length) : []), ...elements.map(pieceOf), ...calls],
    bare: expected > 0 && thinking === '',
  }
}

/** The parts of a message's content, with the images of Ollama's messages. An empty text counts if a part says so. */
function elementsOf({ content, images }: Message, withEmpty: boolean): Json[] {
  const list = Array.isArray(content)
    ? (content as Json[])
    : typeof content === 'string' && (content !== '' || withEmpty)
      ? [content]
      : []
  const pictures = Array.isArray(images) ? (images as string[]) : []
  return [
    ...list,
    ...pictures.map((image): Json => ({ type: 'image_url', image_url: { url: `data:image;base64,${image}` } })),
  ]
}

function pieceOf(element: Json): Piece {
  return isTextElement(element) ? { at: 'text', text: textOf(element) } : { at: 'file', element }
}

function textOf(element: Json): string {
  if (typeof element === 'string') return element
  return (element as { readonly text: string }).text
}

/** All text of a message. */
export function messageText(message: Message): string {
  return elementsOf(message, false).filter(isTextElement).map(textOf).join('')
}

function thinkingOf(message: Message): string {
  const {
    thinking,
    reasoning,
    reasoning_content: content,
  } = message as { thinking?: unknown; reasoning?: unknown; reasoning_content?: unknown }
  return [thinking, reasoning, content].filter((text) => typeof text === 'string').join('')
}

/**
 * A message that goes without its reasoning goes without the files of it too, and without the ids under which a
 * provider keeps its parts: it would miss the reasoning that belongs to them.
 */
function withoutReasoning(piece: Piece): Piece[] {
  if (piece.at === 'reasoning') return []
  if (piece.at === 'part')
    return isReasoningFile(piece.part) ? [] : [{ ...piece, part: withoutItemIds(piece.part) as Json }]
  return [piece.more ? { ...piece, more: withoutItemIds(piece.more) as JsonObject } : piece]
}

function isReasoningFile(part: Json): boolean {
  return isFields(part) && part['type'] === 'reasoning-file'
}

function withoutItemIds(fields: Json): Json {
  if (!isFields(fields)) return fields
  const options = fields['providerOptions']
  if (!isFields(options)) return fields
  const kept = Object.entries(options).map(([provider, own]) => [provider, withoutItemId(own)] as const)
  return { ...fields, providerOptions: Object.fromEntries(kept) }
}

function withoutItemId(own: Json): Json {
  if (!isFields(own)) return own
  return Object.fromEntries(Object.entries(own).filter(([key]) => key !== 'itemId'))
}
