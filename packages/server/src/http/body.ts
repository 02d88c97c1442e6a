import type { IncomingMessage } from 'node:http'
import type { MemoryHold } from './memory.ts'
import type { Refusal } from './reply.ts'

/** A body, or why it is refused. `gone`: the client left while it sent, so no answer is possible. */
export type Body = { readonly bytes: Buffer } | { readonly refusal: Refusal } | { readonly gone: true }

/** How much of a body is read. */
export interface BodyTerms {
  /** Bytes. */
  readonly limit: number
  /**
   * The share of the body in the memory that all requests use. Default: it is not counted, so `limit` must be small.
   */
  readonly hold?: MemoryHold | undefined
}

/**
 * Reads a whole body of at most `limit` bytes, as fast as there is memory for it. A body that is too long is refused at
 * once. The rest is read and thrown away for a while, since a client that is still sending does not see the refusal.
 *
 * @example
 * const body = await readBody(visit.request, { limit: config.bodyLimit, hold: visit.hold })
 */
export function readBody(request: IncomingMessage, { limit, hold }: BodyTerms): Promise<Body> {
  const expected = expectedOf(request.headers['content-length'])
  if ((expected ?? 0) > limit) return Promise.resolve(tooLong(limit))
  return new Promise((resolve) => {
    let pieces: Buffer[] = []
    let length = 0
    let isRefused = false
    const refuse = (refusal: Refusal): void => {
      isRefused = true
      pieces = []
      resolve({ refusal })
    }
    hold?.onCut(refuse)
    request.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > 2 * limit) request.destroy()
      if (isRefused) return
      if (length > limit) return refuse(tooLong(limit).refusal)
      pieces.push(piece)
      const wait = hold?.piece(piece, expected)
      if (!wait) return
      request.pause()
      void wait.then((refusal) => {
        if (refusal) refuse(refusal)
        request.resume()
      })
    })
    request.on('end', () => {
      hold?.whole()
      resolve({ bytes: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces) })
      pieces = []
    })
    request.on('close', () => resolve({ gone: true }))
    request.on('error', () => resolve({ gone: true }))
  })
}

/** How long a body will be, if its header says so. */
export function expectedOf(length: string | null | undefined): number | undefined {
  return length === null || length === undefined ? undefined : Number(length)
}

function tooLong(limit: number): { readonly refusal: Refusal } {
  return {
    refusal: {
      status: 413,
      code: 'body_too_long',
      problem: `The body is longer than ${limit} bytes.`,
      fix: 'Send less (images count as they are sent), or raise bodyLimit (MINUTEBOOK_BODY_LIMIT).',
    },
  }
}
