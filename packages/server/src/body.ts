import type { IncomingMessage } from 'node:http'
import type { Refusal } from './refusal.ts'

/** A body, or why there is none. `gone`: the client went away while it sent, and there is nobody to answer. */
export type Body = { readonly bytes: Buffer } | { readonly refusal: Refusal } | { readonly gone: true }

/**
 * Reads a whole body of at most `limit` bytes. What is too long is refused at once; the rest of it is read and thrown away
 * for a while, since a client that cannot send to its end does not see the refusal.
 *
 * @example
 * const body = await readBody(request, config.bodyLimit)
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLong(limit))
  return new Promise((resolve) => {
    let pieces: Buffer[] = []
    let length = 0
    request.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= limit) return void pieces.push(piece)
      pieces = []
      resolve(tooLong(limit))
      if (length > 2 * limit) request.destroy()
    })
    request.on('end', () => resolve({ bytes: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces) }))
    request.on('close', () => resolve({ gone: true }))
    request.on('error', () => resolve({ gone: true }))
  })
}

function tooLong(limit: number): Body {
  const message = `The body is longer than ${limit} bytes. Send less (images count as they are sent), or raise bodyLimit (MINUTEBOOK_BODY_LIMIT).`
  return { refusal: { status: 413, code: 'body_too_long', message } }
}
