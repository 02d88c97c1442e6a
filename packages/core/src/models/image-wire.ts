import { fieldsOf, type Fields } from './wire.ts'

// How does an image go to a model server, and come back?

/** The address in an image part of OpenAI's or Anthropic's protocol. Undefined for any other part. */
export function partAddress(part: unknown): string | undefined {
  const { image_url: image, type, source } = fieldsOf(part)
  if (type === 'image') return sourceAddress(fieldsOf(source))
  const address = typeof image === 'string' ? image : fieldsOf(image)['url']
  return typeof address === 'string' ? address : undefined
}

function sourceAddress({ type, url, data, media_type: media }: Fields): string | undefined {
  if (type === 'url' && typeof url === 'string') return url
  return type === 'base64' && typeof data === 'string' && typeof media === 'string'
    ? `data:${media};base64,${data}`
    : undefined
}

/** An image for OpenAI's protocol: an address stays, data becomes a data URL. */
export function imageAddress(image: unknown): string {
  const data = image instanceof Uint8Array ? base64Of(image) : String(image)
  return hasScheme(data) ? data : `data:${mediaType(data)};base64,${data}`
}

/** An image for Ollama: base64. Undefined for an address that would have to be fetched. */
export function imageData(image: unknown): string | undefined {
  if (image instanceof Uint8Array) return base64Of(image)
  const data = String(image)
  if (!hasScheme(data)) return data
  const comma = data.indexOf(',')
  return data.startsWith('data:') && data.slice(0, comma).endsWith(';base64') ? data.slice(comma + 1) : undefined
}

/** Base64 has no colon, and a scheme is short. */
function hasScheme(text: string): boolean {
  return text.slice(0, 32).includes(':')
}

/** Guessed from the first bytes. Servers read the data themselves, but need some type. */
function mediaType(data: string): string {
  return signatures.find(([start]) => data.startsWith(start))?.[1] ?? 'image/png'
}

const signatures: readonly (readonly [start: string, type: string])[] = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk', 'image/bmp'],
]

/** Written by hand, because core does not rely on a platform's function. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    text += alphabet.charAt(first >> 2) + alphabet.charAt(((first & 3) << 4) | ((second ?? 0) >> 4))
    text += second === undefined ? '=' : alphabet.charAt(((second & 15) << 2) | ((third ?? 0) >> 6))
    text += third === undefined ? '=' : alphabet.charAt(third & 63)
  }
  return text
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
