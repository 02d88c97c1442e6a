import { connect, type Socket } from 'node:net'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/**
 * Sends the very bytes and gives all that comes back until the other side closes. Write `connection: close` into them.
 */
export function raw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('error', reject)
    socket.on('close', () => resolve(answerOf(Buffer.concat(pieces).toString('latin1'))))
  })
}

/** A request without a body; `host` is a whole line or none. */
export function rawGet(
  url: string,
  target: string,
  headers: readonly string[] = [`Host: ${new URL(url).host}`],
): Promise<RawAnswer> {
  return raw(url, [`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
}

/** A connection that stays open, to write to as one likes. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return socket
}

function answerOf(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(text.split(' ', 2)[1]), head: text.slice(0, end), body: text.slice(end + 4) }
}

/** An upstream that does what the test says, until the test is done. */
export async function plainUpstream(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(answer)
  // On a busy machine, a client may ask over a connection that is about to be closed because it was idle.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** A server of tools that returns the same result for every call, and keeps what it was told. */
export async function toolServer<Told>(
  result: unknown,
): Promise<{ readonly url: string; readonly told: readonly Told[] }> {
  const told: Told[] = []
  const { url } = await plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      told.push(JSON.parse(Buffer.concat(pieces).toString()) as Told)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
    })
  })
  return { url, told }
}
