import { deepest } from './json.ts'
import { sha256 } from './hash.ts'
import { partText, type Content } from './message.ts'
import { corrupt, entryOfValue, parsedPayload, storedFrom } from './stored-entry.ts'
import type { StoredEntry } from './store.ts'

/**
 * How a store keeps an entry with long images: each of them by itself, once for a thread, under the SHA-256 of its
 * text. The payload has an empty text in its place. Which image belongs there is said next to the entry: nothing that a
 * client writes can be there.
 *
 *     {"images":[[0,"SHA-256"]],"entry":{"version":1, … ,"raw":{"role":"user","content":"Look.","images":[""]}}}
 *
 * A number counts the texts of images in the order in which the message has them: names of fields may be long, numbers
 * are not. Ids and checksums are those of the whole entry. Code that reads such a text as a payload gets the error
 * `corrupt_entry`.
 */
export interface KeptEntry {
  readonly payload: string
  /** The images that are set apart, by their SHA-256. */
  readonly images: ReadonlyMap<string, string>
}

/** A payload as a store keeps it, with its place. */
interface KeptLine {
  readonly payload: string
  readonly seq: number
  readonly checksum: string
}

type Place = readonly [number: number, hash: string]

/** What is shorter costs more to look up than to keep again. */
const shortest = 1024

/** No payload begins like this. */
const mark = '{"images":'

/** Whether an entry has images that may be set apart. */
export function hasLongImages({ images }: Pick<Content, 'images'>): boolean {
  return images.some((image) => image.length >= shortest)
}

/**
 * The payload of an entry and its long images apart.
 *
 * @example
 * const { payload, images } = setImagesApart(payloadOf(entry), entry)
 */
export function setImagesApart(payload: string, entry: Pick<Content, 'images'>): KeptEntry {
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

/** The hashes of the images that belong to a payload as it is kept, each once. */
export function imagesIn(payload: string): readonly string[] {
  if (!payload.startsWith(mark)) return []
  try {
    return [...new Set(placesOf(JSON.parse(payload))?.map(([, hash]) => hash))]
  } catch {
    // A call that reads the entry tells it.
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
 * The whole entry. `find` returns the image of a hash, or undefined if it is missing or was changed: then this throws
 * `corrupt_entry`. If it returns the same text for the same hash, all entries share that text.
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
  if (!places) throw corrupt(seq, 'its list of images is not one')
  let next = 0
  replaceTexts(value.raw, (text, number) => {
    const place = places[next]
    if (place?.[0] !== number) return text
    next++
    const image = text === '' ? find(place[1]) : undefined
    if (image === undefined) throw corrupt(seq, 'an image of it is missing or was changed')
    return image
  })
  if (next < places.length) throw corrupt(seq, 'it has no place for one of its images')
  return Object.assign(entryOfValue(value, seq), { checksum })
}

/**
 * The entry with an empty text in place of each long image: for what a store does with it by itself, and never for a
 * caller.
 */
export function withoutImages(line: KeptLine): StoredEntry {
  return putImagesBack(line, () => '')
}

/** Every runtime has it; the library of types that this is compiled with does not know it yet. */
type WellFormedText = string & { isWellFormed(): boolean }

/**
 * Half characters and NUL have no bytes of their own, neither in SHA-256 nor in a database: such a text stays in its
 * place.
 */
function isKeptApart(text: string): boolean {
  return text.length >= shortest && (text as WellFormedText).isWellFormed() && !text.includes('\u0000')
}

/** Undefined if it has no list of places. */
function placesOf(kept: unknown): readonly Place[] | undefined {
  const { images } = Object(kept) as { readonly images?: unknown }
  const isPlace = (place: unknown): place is Place =>
    Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string'
  return Array.isArray(images) && images.every(isPlace) ? images : undefined
}

/**
 * Replaces the texts of images by what `each` returns for them: those of `images`, and all within parts of `content`
 * that are no text. `each` gets their numbers, from 0.
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
      visit(part as Record<string, unknown>, deepest)
  }
}
