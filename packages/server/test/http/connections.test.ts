import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openSocket } from '../../../../tests/support/server/raw.ts'
import { connectionLimits, watchConnections, type Connections } from '../../src/http/connections.ts'

interface Watched {
  readonly connections: Connections
  readonly server: Server
  readonly url: string
  /** Moves the clock. */
  readonly pass: (milliseconds: number) => void
  /** Sends a text over a new connection, and waits until its request has come. */
  readonly send: (text: string) => Promise<Sent>
}

interface Sent {
  readonly socket: Socket
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly refused: () => boolean
}

async function watched(strangers = 10): Promise<Watched> {
  let now = 0
  const server = createServer({ keepAliveTimeout: 600_000 })
  const connections = watchConnections(server, { connections: 100, strangers, perKey: 2 }, () => now)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    connections,
    server,
    url,
    pass: (milliseconds) => void (now += milliseconds),
    send: async (text) => {
      const socket = openSocket(url)
      socket.resume()
      socket.write(text)
      const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
      let isRefused = false
      connections.take(request, response, () => {
        isRefused = true
        response.writeHead(408, { connection: 'close' }).end()
      })
      return { socket, request, response, refused: () => isRefused }
    },
  }
}

const post = (length: number): string => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`
const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a body that drips is refused after 30 seconds, whoever sends it', async () => {
  const { connections, send, pass } = await watched()
  const stranger = await send(`${post(100)}x`)
  const known = await send(`${post(100)}x`)
  connections.admit(known.request)
  const pieces = [stranger, known].map(({ request }) => once(request, 'data'))
  await Promise.all(pieces)
  pass(29_000)
  for (const { socket, request } of [stranger, known]) {
    socket.write('x')
    await once(request, 'data')
  }
  connections.endSlow()
  expect([stranger.refused(), known.refused()]).toEqual([false, false])
  pass(2000)
  const closed = Promise.all([stranger, known].map(({ socket }) => once(socket, 'close')))
  connections.endSlow()
  expect([stranger.refused(), known.refused()]).toEqual([true, true])
  await closed
})

test('a body that comes at 32 KB a second is read to its end, however long that takes', async () => {
  const { connections, send, pass } = await watched()
  const second = 'x'.repeat(32 << 10)
  const { socket, request, refused } = await send(post(100 * second.length))
  let read = 0
  request.on('data', ({ length }: Buffer) => (read += length))
  for (let count = 1; count <= 100; count++) {
    socket.write(second)
    while (read < count * second.length) await once(request, 'data')
    pass(1000)
    connections.endSlow()
  }
  expect([refused(), read]).toEqual([false, 100 * second.length])
  if (!request.complete) await once(request, 'end')
  pass(1_000_000)
  connections.endSlow()
  expect(refused()).toBe(false)
})

test('a body that waits to be read is not slow, however long that takes', async () => {
  const { connections, send, pass } = await watched()
  const unread = await send(`${post(100)}x`)
  await expect.poll(() => unread.request.readableLength).toBe(1)
  const paused = await send(`${post(100)}x`)
  await once(paused.request, 'data')
  paused.request.pause()
  pass(1_000_000)
  connections.endSlow()
  expect([unread.refused(), paused.refused()]).toEqual([false, false])
  // Now it is the sender that others wait for.
  unread.request.read()
  paused.request.resume()
  pass(29_000)
  connections.endSlow()
  expect([unread.refused(), paused.refused()]).toEqual([false, false])
  pass(2000)
  connections.endSlow()
  expect([unread.refused(), paused.refused()]).toEqual([true, true])
})

test('a request that is answered before its body has come keeps no connection', async () => {
  const { connections, send, pass } = await watched()
  const { socket, response, refused } = await send(`${post(100)}x`)
  response.writeHead(401).end()
  await once(response, 'close')
  connections.endSlow()
  expect(socket.destroyed).toBe(false)
  pass(31_000)
  const closed = once(socket, 'close')
  connections.endSlow()
  await closed
  expect(refused()).toBe(false)
})

test('of too many strangers the oldest makes way; an answer to a known client goes on, and so does one that rests', async () => {
  const { connections, send, url } = await watched(3)
  const streaming = await send(get)
  connections.admit(streaming.request)
  streaming.response.write('first')
  const resting = await send(get)
  connections.admit(resting.request)
  resting.response.end()
  const silent = openSocket(url)
  await once(silent, 'connect')
  const half = await send(post(100))
  const gone = Promise.all([silent, half.socket].map((socket) => once(socket, 'close')))
  const last = [await send(post(100)), await send(post(100)), await send(post(100))]
  await gone
  expect(last.map(({ request }) => request.destroyed)).toEqual([false, false, false])
  const over = once(streaming.socket, 'data')
  streaming.response.end('last')
  expect(String(await over)).toContain('last')
  expect(resting.socket.destroyed).toBe(false)
})

test('a known client that sends a request without its key is a stranger again', async () => {
  const { connections, send, server } = await watched(2)
  const { socket, request, response } = await send(get)
  connections.admit(request)
  response.end()
  await once(response, 'close')
  const next = once(server, 'request')
  socket.write(post(100))
  connections.take(...((await next) as [IncomingMessage, ServerResponse]), () => undefined)
  const closed = once(socket, 'close')
  await send(get)
  await send(get)
  await closed
})

test('one key has its share of the connections, and no more until one of them ends or shows another key', async () => {
  const { connections, send } = await watched()
  const [one, two, three, four] = [await send(get), await send(get), await send(get), await send(get)]
  const admitted = (sent: Sent, owner?: string): boolean => connections.admit(sent.request, owner)
  expect([one, two, three].map((sent) => admitted(sent, 'ann'))).toEqual([true, true, false])
  expect([admitted(one, 'ann'), admitted(four, 'ben'), admitted(three)]).toEqual([true, true, true])
  const closed = once(one.request.socket, 'close')
  one.socket.destroy()
  await closed
  expect([admitted(three, 'ann'), admitted(four, 'ann')]).toEqual([true, false])
  expect([admitted(two, 'ben'), admitted(four, 'ann'), admitted(two, 'ann')]).toEqual([true, true, false])
})

test('there are as many connections as there are file handles for them and their upstreams', () => {
  expect(connectionLimits(256)).toEqual({ connections: 96, strangers: 48, perKey: 32 })
  expect(connectionLimits(1 << 20)).toEqual({ connections: 524_256, strangers: 2000, perKey: 174_752 })
  expect(connectionLimits(20)).toEqual({ connections: 16, strangers: 8, perKey: 5 })
  expect(connectionLimits().connections).toBeGreaterThan(16)
})
