/**
 * The request with its body read, in whatever pieces it came; undefined where it is longer than `limit` bytes. One without a
 * body says no type of it either, so that it counts as left out.
 */
export async function withWholeBody(request: Request, limit: number): Promise<Request | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > limit) return undefined
    pieces.push(piece)
  }
  const headers = new Headers(request.headers)
  if (length === 0) headers.delete('content-type')
  return new Request(request.url, { method: request.method, headers, ...(length > 0 && { body: Buffer.concat(pieces) }) })
}
