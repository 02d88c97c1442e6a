import { expectedOf } from '../body.ts'
import type { Hold } from '../memory/memory.ts'
import type { Refusal } from '../refusal.ts'

/**
 * The pieces of a body of at most `limit` bytes, as fast as there is memory for them. Ends with the refusal of a body
 * that is too long, too slow or for which there is no memory.
 */
export async function* piecesOf(
  { headers, body }: Request,
  { limit, hold, tooLong }: PieceTerms,
): AsyncGenerator<Uint8Array, Refusal | undefined> {
  const expected = expectedOf(headers.get('content-length'))
  if ((expected ?? 0) > limit) return tooLong
  if (!body) return undefined
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let cut: Refusal | undefined
  hold.onCut((refusal) => {
    cut = refusal
    void reader.cancel().catch(() => undefined)
  })
  let length = 0
  try {
    for (;;) {
      const next = await reader.read()
      if (cut) return cut
      if (next.done) break
      length += next.value.length
      if (length > limit) return tooLong
      const refusal = await hold.piece(next.value, expected)
      if (refusal) return refusal
      yield next.value
    }
    hold.whole()
    return undefined
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** What operations answer to a body that is longer than `bodyLimit`. */
export const bodyTooLong: Refusal = {
  status: 413,
  code: 'body_too_long',
  message: 'The body is longer than the server takes. Send less, or raise bodyLimit in the settings of the server.',
}

export interface PieceTerms {
  /** Bytes. */
  readonly limit: number
  readonly hold: Hold
  readonly tooLong: Refusal
}

/**
 * The request with its body read, in whatever pieces it came, or why it cannot be read. One without a body says no type
 * of it either, so that it counts as left out.
 */
export async function withWholeBody(request: Request, terms: PieceTerms): Promise<Request | Refusal> {
  const pieces: Uint8Array[] = []
  const reading = piecesOf(request, terms)
  for (let next = await reading.next(); ; next = await reading.next()) {
    if (!next.done) {
      pieces.push(next.value)
      continue
    }
    if (next.value) return next.value
    break
  }
  const headers = new Headers(request.headers)
  if (pieces.length === 0) headers.delete('content-type')
  return new Request(request.url, {
    method: request.method,
    headers,
    ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
  })
}
