import { MinutebookError } from 'minutebook'
import { base64Of, bytesOf, fromFields, isFields, toFields, toJson, type Json, type JsonObject } from './json.ts'
import type { Piece } from './piece.ts'

/** A part of the AI SDK, of either layer, by its fields. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields in which a part holds a file, by the type of the part or the layer. */
const holders: readonly string[] = ['data', 'image', 'url']

/**
 * A file as OpenAI's clients write it: an address, or the file itself as a data address. A document that is text is
 * text, so that it is counted and found like any other.
 */
export function filePiece(part: Fields): Piece {
  const holder = holders.find((field) => part[field] !== undefined) ?? ''
  const { [holder]: held, ...fields } = part
  const { value, tag } = untagged(held)
  if (tag?.['type'] === 'text' && typeof value === 'string')
    return { at: 'text', text: value, more: { holder, tag, form: 'text', part: toFields(fields) } }
  const mediaType = mediaTypeOf(part)
  const found = addressOf(value, mediaType, holder === 'url')
  if (!found)
    return {
      at: 'file',
      element: { type: 'file', file: { reference: toJson(value ?? fields), media_type: mediaType } },
      more: { whole: toFields(part) },
    }
  return {
    at: 'file',
    element: elementOf(found.address, mediaType, part['filename']),
    more: { holder, form: found.form, part: toFields(fields), ...(tag && { tag }) },
  }
}

/** The part that `filePiece` was given: from its text or its element, and its fields. */
export function filePart(held: string | Json, more: JsonObject): Fields {
  if (more['whole']) return fromFields(more['whole'] as JsonObject)
  const { holder, form, part, tag } = more as { holder: string; form: string; part: JsonObject; tag?: JsonObject }
  const fields = fromFields(part)
  const value = typeof held === 'string' ? held : valueOf(form, addressIn(held), mediaTypeOf(fields))
  return { ...fields, [holder]: tag ? { ...fromFields(tag), [tag['type'] as string]: value } : value }
}

/** A file of any protocol, with its address. An address that begins with `data:` contains the file itself. */
export interface PlainFile {
  readonly mediaType: string
  readonly address: string
  readonly filename?: string
  readonly reference?: Json
}

/** Reads an element that no layer has fields for. Throws `unconvertible_part` for what the AI SDK has no part for. */
export function plainFile(element: Json): PlainFile {
  const { image_url: image, file, input_audio: audio, type } = fieldsOf(element)
  const address = addressIn(element)
  const { filename, media_type: named, reference } = fieldsOf(file)
  const { format } = fieldsOf(audio)
  const known = address !== '' || reference !== undefined
  if (!known)
    throw new MinutebookError(
      'unconvertible_part',
      'A content part has no counterpart in the AI SDK.',
      'Leave it out or make it a text, an image_url or a file part.',
      { type },
    )
  const usual =
    image !== undefined
      ? 'image'
      : typeof format === 'string'
        ? `audio/${format}`
        : typeof named === 'string'
          ? named
          : 'application/octet-stream'
  return {
    mediaType: mediaTypeIn(address) ?? usual,
    address,
    ...(typeof filename === 'string' && { filename }),
    ...(reference !== undefined && { reference }),
  }
}

/** The base64 text of a data address; undefined for any other. */
export function base64In(address: string): string | undefined {
  return address.startsWith('data:') ? address.slice(address.indexOf(',') + 1) : undefined
}

function untagged(held: unknown): { value: unknown; tag?: JsonObject } {
  const { type } = fieldsOf(held)
  if (typeof type !== 'string' || !Object.hasOwn(held as object, type)) return { value: held }
  const { [type]: value, ...tag } = held as Fields
  return { value, tag: toFields(tag) }
}

function addressOf(
  value: unknown,
  mediaType: string,
  isAddress: boolean,
): { form: string; address: string } | undefined {
  const data = (base64: string): string => `data:${mediaType};base64,${base64}`
  if (value instanceof Uint8Array) return { form: 'bytes', address: data(base64Of(value)) }
  if (value instanceof ArrayBuffer) return { form: 'buffer', address: data(base64Of(new Uint8Array(value))) }
  if (value instanceof URL) return { form: 'url', address: value.href }
  if (typeof value !== 'string') return undefined
  return isAddress || value.slice(0, 32).includes(':')
    ? { form: 'address', address: value }
    : { form: 'base64', address: data(value) }
}

function valueOf(form: string, address: string, mediaType: string): unknown {
  if (form === 'url') return new URL(address)
  if (form === 'address') return address
  const base64 = address.slice(`data:${mediaType};base64,`.length)
  if (form === 'base64') return base64
  return form === 'bytes' ? bytesOf(base64) : bytesOf(base64).buffer
}

function elementOf(address: string, mediaType: string, filename: unknown): Json {
  if (mediaType.startsWith('image')) return { type: 'image_url', image_url: { url: address } }
  const name = typeof filename === 'string' ? { filename } : {}
  return {
    type: 'file',
    file: address.startsWith('data:')
      ? { ...name, file_data: address }
      : { ...name, file_url: address, media_type: mediaType },
  }
}

function addressIn(element: Json): string {
  const { image_url: image, file, input_audio: audio } = fieldsOf(element)
  const { file_data: data, file_url: url } = fieldsOf(file)
  const { data: sound, format } = fieldsOf(audio)
  const spoken =
    typeof sound === 'string' && typeof format === 'string' ? `data:audio/${format};base64,${sound}` : undefined
  const found = [image, fieldsOf(image)['url'], data, url, spoken].find((address) => typeof address === 'string')
  return typeof found === 'string' ? found : ''
}

function mediaTypeOf({ mediaType, type }: Fields): string {
  if (typeof mediaType === 'string') return mediaType
  return typeof type === 'string' && type.startsWith('image') ? 'image' : 'application/octet-stream'
}

function mediaTypeIn(address: string): string | undefined {
  if (!address.startsWith('data:')) return undefined
  const end = [address.indexOf(';'), address.indexOf(',')].filter((index) => index > 0)
  return address.slice('data:'.length, Math.min(...end))
}

function fieldsOf(value: unknown): JsonObject {
  const json = value as Json | undefined
  return isFields(json) ? json : {}
}
