import { parseJson } from 'minutebook/store'
import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { openRequest, type OpenRequest, type Refusal, type UpstreamFaults } from './chat.ts'
import type { Protocol } from './protocols.ts'

/** A request, and where its answer goes. */
export interface Connection {
  readonly request: OpenRequest
  readonly response: ServerResponse
  readonly closed: Promise<void>
  /** Says that from here on it is no longer the client that breaks off. */
  readonly over: () => void
}

/** Reads the whole body. A client that goes away while it sends has sent nothing. */
export async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<Connection> {
  let request: OpenRequest | undefined
  let isOver = false
  const closed = new Promise<void>((resolve) => void response.on('close', resolve)).then(() => {
    if (request) request.aborted = !isOver
  })
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString('utf8')
  const { method = 'GET', url = '/', headers } = incoming
  request = openRequest({
    method,
    path: url.split('?')[0] ?? url,
    headers,
    bytes,
    text,
    json: text === '' ? undefined : parseJson(text),
    closed,
  })
  return { request, response, closed, over: () => void (isOver = true) }
}

export function refuse(connection: Connection, protocol: Protocol, { status, text, code }: Refusal): void {
  connection.request.refusal = text
  send(connection, { status, body: protocol.refusal(status, text, code) })
}

export function send(
  { request, response, over }: Connection,
  { status, body, type = 'application/json' }: { status: number; body: string; type?: string },
): void {
  request.status = status
  response.writeHead(status, { 'content-type': type })
  over()
  response.end(request.method === 'HEAD' ? '' : body)
}

/** An answer that is ready to go out. */
export interface Delivery {
  readonly type: string
  readonly chunks: readonly string[]
  /** The chunk that says that the server failed. */
  readonly error: string
}

/** Sends an answer, with all that goes wrong on the way. */
export async function deliver(
  connection: Connection,
  { type, chunks, error }: Delivery,
  faults: UpstreamFaults,
): Promise<void> {
  const { response, closed, over } = connection
  if (faults.stallAfter === 0) return closed
  if (faults.abortAfter === 0) return destroy(connection)
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': type })
  for (let sent = 0; sent <= chunks.length; sent++) {
    if (sent === faults.stallAfter) return closed
    if (sent === faults.abortAfter) return destroy(connection)
    if (sent === faults.pauseAfter?.chunks) await Promise.race([faults.pauseAfter.until, closed])
    if (sent === faults.endAfter) break
    if (sent === faults.errorAfter) {
      await write(connection, error, faults, true)
      break
    }
    const chunk = chunks[sent]
    if (chunk === undefined) break
    if (faults.delay !== undefined) await setTimeout(faults.delay)
    await write(connection, chunk, faults, sent === chunks.length - 1 && faults.stallAfter === undefined)
  }
  over()
  response.end()
}

/** Writes in pieces, each sent before the next one follows, as long as the client listens. */
async function write(
  { response, over }: Connection,
  text: string,
  { split }: UpstreamFaults,
  isLast: boolean,
): Promise<void> {
  const bytes = Buffer.from(text)
  const step = split ?? Math.max(1, bytes.length)
  for (let from = 0; from < bytes.length && !response.destroyed; from += step) {
    if (isLast && from + step >= bytes.length) over()
    await new Promise<void>((resolve) => response.write(bytes.subarray(from, from + step), () => resolve()))
    await setImmediate()
  }
}

function destroy({ response, over }: Connection): void {
  over()
  response.socket?.destroy()
}
