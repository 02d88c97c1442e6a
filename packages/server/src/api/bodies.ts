import { MinutebookError } from 'minutebook'
import { expectedOf } from '../http/body.ts'
import type { MemoryHold } from '../http/memory.ts'
import { refusalError, type Refusal } from '../http/reply.ts'

/**
 * The pieces of a body of at most `limit` bytes, as fast as there is memory for them. Ends with a refusal if the body
 * is too long, too slow, or if there is no memory for it.
 */
async function* piecesOf(
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

/** The refusal of a body that is longer than `bodyLimit`. */
export const bodyTooLong: Refusal = {
  status: 413,
  code: 'body_too_long',
  problem: 'The body is longer than the server accepts.',
  fix: 'Send less, or raise bodyLimit in the settings of the server.',
}

interface PieceTerms {
  /** Bytes. */
  readonly limit: number
  readonly hold: MemoryHold
  readonly tooLong: Refusal
}

/**
 * Returns the request with its whole body read, or why it cannot be read. A request without a body has no content type
 * either, so the body counts as left out.
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

/**
 * Sends lines as the body of a response, as fast as they are read. It waits for the first line, so an earlier failure
 * can still be answered with a status. A later failure must break the response off so that it never looks whole:
 * `onBroken` does that, since an error in the body would end it normally.
 */
export async function exportBody(
  lines: AsyncIterable<string>,
  onBroken?: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = lines[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let waiting: IteratorResult<string> | undefined = await iterator.next()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = waiting ?? (await iterator.next())
        waiting = undefined
        if (done) controller.close()
        else controller.enqueue(encoder.encode(`${value}\n`))
      } catch (error) {
        if (!onBroken) throw error
        onBroken()
        controller.close()
      }
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}

/** The lines of a request's body, as fast as they are read and there is memory for them. */
export async function* linesOf(request: Request, terms: PieceTerms): AsyncGenerator<string> {
  if (!(request.headers.get('content-type') ?? '').startsWith('application/x-ndjson'))
    throw new MinutebookError(
      'wrong_media_type',
      'An import consists of lines of JSON.',
      'Send them as application/x-ndjson.',
    )
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reading = piecesOf(request, terms)
  let rest: string[] = []
  for (let next = await reading.next(); ; next = await reading.next()) {
    if (next.done) {
      if (next.value) throw refusalError(next.value)
      break
    }
    const lines = decoder.decode(next.value, { stream: true }).split('\n')
    const last = lines.pop() ?? ''
    const [first, ...others] = lines
    if (first !== undefined) {
      yield [...rest, first].join('')
      yield* others
      rest = []
    }
    if (last !== '') rest.push(last)
  }
  if (rest.length > 0) yield rest.join('')
}
