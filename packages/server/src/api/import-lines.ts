import { MinutebookError } from 'minutebook'

/** The lines of a request's body, as fast as they are read; no more than `limit` bytes of them. */
export async function* linesOf({ body, headers }: Request, limit: number): AsyncGenerator<string> {
  if (!(headers.get('content-type') ?? '').startsWith('application/x-ndjson')) throw new MinutebookError('wrong_media_type', 'An import is lines of JSON; send them as application/x-ndjson.')
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let [rest, length] = ['', 0]
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += bytes.length
    if (length > limit) throw new MinutebookError('body_too_long', `The body is longer than ${limit} bytes; raise bodyLimit in the settings of the server.`)
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
