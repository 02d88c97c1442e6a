import { MinutebookError, visible, type Store } from 'minutebook'
import { unknownEntry } from 'minutebook/store'
import { fieldsOf } from 'minutebook/wire'
import { parseObject } from '../http/json.ts'

/** An image that a browser can show without running anything. */
export interface ShownImage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly bytes: Buffer<ArrayBuffer>
}

interface ImageChoice {
  readonly thread: string
  readonly entry: string
  /** The place of the image in the entry, counted from 0. */
  readonly image: number
  /** Also images of entries that people do not see. For admins only. */
  readonly hidden: boolean
}

/**
 * Which bytes has an image of an entry? Only bitmaps that are recorded themselves: their first bytes say what they are,
 * whatever their sender says. Addresses are not followed. An entry that the caller may not see is unknown.
 */
export async function entryImage(store: Store, { thread, entry: id, image, hidden }: ImageChoice): Promise<ShownImage> {
  const [entry] = await store.read(thread, { id })
  if (!entry) throw unknownEntry(id)
  // A result is hidden if its call left a note.
  const around = entry.kind === 'tool' && !hidden ? await store.read(thread, { head: id, last: mostOfStep }) : [entry]
  if (!hidden && !visible(around).some((seen) => seen.id === id)) throw unknownEntry(id)
  const shown = shownImage(entry.images[image] ?? '')
  if (!shown) throw unknownImageError()
  return shown
}

/** Entries. A step has few. */
const mostOfStep = 32

/** Undefined for anything but a bitmap. `image`: as an entry has it: base64, a data URL, or a part of a message. */
export function shownImage(image: string): ShownImage | undefined {
  if (image.length > longest) return undefined
  const data = dataIn(image)
  const start = Buffer.from(data.slice(0, 32), 'base64').toString('hex')
  const type = signatures.find(([, looks]) => looks.test(start))?.[0]
  return type && { type, bytes: Buffer.from(data, 'base64') }
}

/** Characters of base64: 8 MB. */
const longest = 11_184_812

/** How the bytes of a bitmap begin, in hexadecimal. */
const signatures: readonly (readonly [type: ShownImage['type'], looks: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
]

/** The base64 in an image. Any other text does not begin like a bitmap. */
function dataIn(image: string): string {
  // Ollama's clients send whatever text they like as an image.
  const address = image.startsWith('{') ? addressIn(parseObject(image)) : image
  return address.startsWith('data:') ? address.slice(address.indexOf(',') + 1) : address
}

function addressIn(part: unknown): string {
  const { image_url: image, source } = fieldsOf(part)
  const address = typeof image === 'string' ? image : (fieldsOf(image)['url'] ?? fieldsOf(source)['data'])
  return typeof address === 'string' ? address : ''
}

function unknownImageError(): MinutebookError {
  return new MinutebookError(
    'unknown_image',
    'The entry has no such image, or none that can be shown.',
    'Only PNG, JPEG, GIF and WebP images of up to 8 MB that are recorded themselves are shown, not those behind an address.',
  )
}
