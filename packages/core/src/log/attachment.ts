import { canonicalJson } from './json.ts'

/**
 * What is in a part of a message that is neither text nor an image: a document, a search result, a file, audio, a tool
 * that the model's server runs itself? It costs tokens, but it is not what the message says. All protocols have the
 * same rule:
 *
 * - What can be read counts as text: titles, contents, arguments, addresses.
 * - Data counts in images. A page is 4 images (Anthropic: up to 3,000 tokens of text and the picture of the page), and
 *   64 Ki characters of base64 are a page, up to 100 pages. So is a document of which only the address or the id is
 *   known. 512 Ki characters of audio, at least half a minute, are 1 image.
 * - What is encrypted, or is text in base64, is sealed: 4 characters are a token (`sealedTokens`).
 */
export interface Attachment {
  /** As its protocol calls it, such as `document`, `file` or `server_tool_use`. If it says nothing usable: `part`. */
  readonly type: string
  /** The media type of its data, if it says that. */
  readonly media?: string
  /** What can be read of it. Empty if nothing can. */
  readonly text: string
  /** How many images it counts as. */
  readonly images: number
  /** How many characters of it are sealed. */
  readonly sealed: number
  /** The whole part as canonical JSON. */
  readonly json: string
}

/** An attachment as people see it. */
export type VisibleAttachment = Pick<Attachment, 'type' | 'media' | 'text'>

/** True for a part with an image, in the shape of any protocol. */
export function isImage(part: unknown): boolean {
  const { type, image_url: address } = fieldsOf(part)
  return imageTypes.has(type) || (address !== undefined && address !== null)
}

/** Names of types are shown to people, and a client may write anything there. */
const nameForm = /^[\w./+-]{1,90}$/

const imageTypes: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image'])

/** `part`: neither text nor an image. */
export function readAttachment(part: unknown): Attachment {
  const found: Found = { texts: [], images: 0, sealed: 0, media: undefined }
  readValue(found, part, '', {})
  const { type } = fieldsOf(part)
  return {
    type: typeof type === 'string' && nameForm.test(type) ? type : 'part',
    ...(found.media !== undefined && { media: found.media }),
    text: found.texts.join('\n'),
    images: found.images,
    sealed: found.sealed,
    json: canonicalJson(part),
  }
}

/** The name of an attachment in parentheses, such as `(document, application/pdf)`. */
export function attachmentName({ type, media }: Omit<VisibleAttachment, 'text'>): string {
  return `(${[type, media].filter((name) => name !== undefined).join(', ')})`
}

/** What people see of images and attachments: how many images there are, and what can be read of the others. */
export function shownAttached({ images, attachments = [] }: Partial<Attached> & Pick<Attached, 'images'>): {
  readonly images: number
  readonly attachments?: readonly VisibleAttachment[]
} {
  const shown = attachments.map(({ type, media, text }) => ({ type, ...(media !== undefined && { media }), text }))
  return { images: images.length, ...(shown.length > 0 && { attachments: shown }) }
}

/** Images and attachments as texts, for comparing what two messages say. */
export function attachedTexts({ images, attachments }: Attached): readonly string[] {
  return attachments.length === 0 ? images : [...images, ...attachments.map(({ json }) => json)]
}

/** Says how many images and attachments there are, such as `2 images, 1 attachment`. Empty without any. */
export function attachedCounts({ images, attachments }: Attached): string {
  const counted = (count: number, name: string): string[] =>
    count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  return [...counted(images.length, 'image'), ...counted(attachments.length, 'attachment')].join(', ')
}

/** What a message has next to its text. */
interface Attached {
  readonly images: readonly string[]
  readonly attachments: readonly Attachment[]
}

type Fields = Readonly<Record<string, unknown>>

interface Found {
  readonly texts: string[]
  images: number
  sealed: number
  media: string | undefined
}

/** Messages that nest too deep are refused before this. */
function readValue(found: Found, value: unknown, name: string, holder: Fields): void {
  if (typeof value === 'string') return readText(found, value, name, holder)
  if (typeof value !== 'object' || value === null || unread.has(name)) return
  if (name === 'input') found.texts.push(JSON.stringify(value))
  else if (Array.isArray(value)) for (const each of value) readValue(found, each, name, holder)
  else if (isImage(value)) found.images++
  else {
    const fields = fieldsOf(value)
    if (isElsewhere(fields)) found.images += imagesOfPage
    for (const [field, each] of Object.entries(fields)) readValue(found, each, field, fields)
  }
}

function readText(found: Found, text: string, name: string, holder: Fields): void {
  if (text === '' || unread.has(name) || name.endsWith('_id')) return
  const { type, media_type: media, format } = holder
  if (name === 'signature' || name.startsWith('encrypted_')) found.sealed += text.length
  else if (isDataAddress(text)) readData(found, text.length, text.slice('data:'.length, text.indexOf(';')))
  else if (type !== 'text' && dataNames.has(name))
    readData(found, text.length, media ?? (typeof format === 'string' ? `audio/${format}` : undefined))
  else found.texts.push(text)
}

function isDataAddress(text: string): boolean {
  return text.startsWith('data:') && text.slice(0, 256).includes(';base64,')
}

function readData(found: Found, length: number, media: unknown): void {
  const type = typeof media === 'string' ? media : ''
  if (nameForm.test(type)) found.media ??= type
  if (type.startsWith('text/')) found.sealed += length
  else if (type.startsWith('image/')) found.images++
  else if (type.startsWith('audio/')) found.images += Math.ceil(length / audioOfImage)
  else found.images += imagesOfPage * Math.min(mostPages, Math.ceil(length / dataOfPage))
}

const imagesOfPage = 4
const dataOfPage = 1 << 16
/** Anthropic's servers refuse more. */
const mostPages = 100
const audioOfImage = 1 << 19

/** Names of fields that models do not read, and of citations, which repeat what is elsewhere. */
const unread: ReadonlySet<string> = new Set(['type', 'id', 'media_type', 'format', 'cache_control', 'citations'])
const dataNames: ReadonlySet<string> = new Set(['data', 'file_data'])

/** True for a document that the server gets from somewhere else. */
function isElsewhere({ type, source, file, file_id: id, file_url: address }: Fields): boolean {
  if (type === 'document') return ['url', 'file'].includes(String(fieldsOf(source)['type']))
  if (type === 'file') return fieldsOf(file)['file_id'] !== undefined
  return type === 'input_file' && (id !== undefined || address !== undefined)
}

function fieldsOf(value: unknown): Fields {
  return Object(value) as Fields
}
