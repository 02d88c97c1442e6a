import { attachedTexts } from './attachment.ts'
import { maxJsonDepth } from './json.ts'
import { sha256 } from '#sha256'
import { partText, type Content } from './message.ts'
import { corruptEntryError, entryOfValue, parsedPayload, storedFrom } from './stored-entry.ts'
import type { StoredEntry } from './store.ts'

/**
 * How does a store keep an entry with long images, or with long texts and data in its attachments? Each is stored separately, once per thread, under the SHA-256
 * of its text. The payload has an empty text in its place. The list of images is next to the entry, out of reach of
 * anything that a client writes.
 *
 *     {"images":[[0,"SHA-256"]],"entry":{"version":2, … ,"raw":{"role":"user","content":"Look.","images":[""]}}}
 *
 * Each number counts the texts of images in the order of the message: names of fields may be long, numbers are not. Ids
 * and checksums are those of the whole entry. Code that reads such a text as a plain payload gets the error
 * `corrupt_entry`.
 */
export interface KeptEntry {
  readonly payload: string
  /** The separately stored images, by their SHA-256. */
  readonly images: ReadonlyMap<string, string>
}

/** A payload as a store keeps it, with its seq. */
interface KeptLine {
  readonly payload: string
  readonly seq: number
  readonly checksum: string
}

type Place = readonly [number: number, hash: string]

/** A shorter image would cost more to look up than to store again. */
const shortest = 1024

/** No plain payload begins like this. */
const mark = '{"images":'

/** True if an entry has images or attachments that may be stored separately. */
export function hasLongImages(entry: Pick<Content, 'images' | 'attachments'>): boolean {
  return attachedTexts(entry).some(({ length }) => length >= shortest)
}

/**
 * Separates the long images from an entry's payload.
 *
 * @example
 * const { payload, images } = setImagesApart(payloadOf(entry), entry)
 */
export function setImagesApart(payload: string, entry: Pick<Content, 'images' | 'attachments'>): KeptEntry {
  const images = new Map<string, string>()
  if (!hasLongImages(entry)) return { payload, images }
  const value = JSON.parse(payload) as { readonly raw: unknown }
  const places: Place[] = []
  replaceTexts(value.raw, (text, number) => {
    if (!isKeptApart(text)) return text
    const hash = sha256(text)
    places.push([number, hash])
    images.set(hash, text)
    return ''
  })
  return places.length === 0
    ? { payload, images }
    : { payload: `${mark}${JSON.stringify(places)},"entry":${JSON.stringify(value)}}`, images }
}

/** The hashes of the images that belong to a stored payload, each once. */
export function imagesIn(payload: string): readonly string[] {
  if (!payload.startsWith(mark)) return []
  try {
    return [...new Set(placesOf(JSON.parse(payload))?.map(([, hash]) => hash))]
  } catch {
    // The caller that reads the entry gets the error.
    return []
  }
}

/** The hashes of the images that belong to these payloads and to none of the others. */
export function imagesOnlyIn(payloads: readonly string[], others: readonly string[]): readonly string[] {
  const hashes = new Set(payloads.flatMap(imagesIn))
  for (const hash of hashes.size > 0 ? others.flatMap(imagesIn) : []) hashes.delete(hash)
  return [...hashes]
}

/**
 * Returns the whole entry. `find` returns the image of a hash, or undefined if it is missing or was changed; then this
 * throws `corrupt_entry`. If it returns the same text for the same hash, all entries share that text.
 *
 * @example
 * const entry = putImagesBack(row, (hash) => images.get(hash))
 */
export function putImagesBack(line: KeptLine, find: (hash: string) => string | undefined): StoredEntry {
  const { payload, seq, checksum } = line
  if (!payload.startsWith(mark)) return storedFrom(line)
  const kept = parsedPayload(payload, seq) as { readonly entry?: unknown }
  const value = Object(kept.entry) as { readonly raw?: unknown }
  const places = placesOf(kept)
  if (!places) throw corruptEntryError(seq, 'its list of images is malformed')
  let next = 0
  replaceTexts(value.raw, (text, number) => {
    const place = places[next]
    if (place?.[0] !== number) return text
    next++
    const image = text === '' ? find(place[1]) : undefined
    if (image === undefined) throw corruptEntryError(seq, 'an image of it is missing or was changed')
    return image
  })
  if (next < places.length) throw corruptEntryError(seq, 'it has no place for one of its images')
  return Object.assign(entryOfValue(value, seq), { checksum })
}

/** The entry with an empty text in place of each long image. Only for a store's own use, never for a caller. */
export function withoutImages(line: KeptLine): StoredEntry {
  return putImagesBack(line, () => '')
}

/** Every runtime has it, but the type library that this is compiled with does not know it yet. */
type WellFormedText = string & { isWellFormed(): boolean }

/**
 * A text with a lone surrogate or NUL is not stored separately, because neither SHA-256 nor a database can represent
 * it.
 */
function isKeptApart(text: string): boolean {
  return text.length >= shortest && (text as WellFormedText).isWellFormed() && !text.includes('\u0000')
}

/** Undefined if there is no valid list of places. */
function placesOf(kept: unknown): readonly Place[] | undefined {
  const { images } = Object(kept) as { readonly images?: unknown }
  const isPlace = (place: unknown): place is Place =>
    Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string'
  return Array.isArray(images) && images.every(isPlace) ? images : undefined
}

/**
 * Replaces the texts of images by what `each` returns for them: those in `images`, and all texts in parts of `content`
 * that are not text. `each` gets their numbers, from 0.
 */
function replaceTexts(raw: unknown, each: (text: string, number: number) => string): void {
  let count = 0
  const visit = (holder: Record<string, unknown>, levels: number): void => {
    for (const name of Object.keys(holder)) {
      const value = holder[name]
      if (typeof value === 'string') holder[name] = each(value, count++)
      else if (typeof value === 'object' && value !== null && levels > 0)
        visit(value as Record<string, unknown>, levels - 1)
    }
  }
  const { images, content } = Object(raw) as { readonly images?: unknown; readonly content?: unknown }
  if (Array.isArray(images)) visit(images as unknown as Record<string, unknown>, 0)
  for (const part of Array.isArray(content) ? (content as unknown[]) : []) {
    if (typeof part === 'object' && part !== null && partText(part) === undefined)
      visit(part as Record<string, unknown>, maxJsonDepth)
  }
}
