import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a server that counts how often it is waited for. */
export interface LineProxy {
  readonly url: string
  /** Since last asked: connections made, and times that something was sent after an answer had come. */
  readonly count: () => { readonly connections: number; readonly trips: number }
  /**
   * From now on nothing passes on the connections that were made until now, and none of them is closed: each end waits,
   * as after the silent death of a machine between them. New connections work.
   */
  readonly silence: () => void
}

/**
 * For one test. Answers are held back a little, so that what is sent without waiting for one is sent before it comes.
 */
export async function lineProxy(serverUrl: string, delay = 15): Promise<LineProxy> {
  const { hostname, port } = new URL(serverUrl)
  let connections = 0
  let trips = 0
  const ends = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    connections++
    const upstream = connect(Number(port), hostname)
    let answered = true
    let silent = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    ends.add(() => (silent = true))
    client.on('data', (bytes) => {
      if (silent) return
      if (answered) trips++
      answered = false
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (silent) return
      setTimeout(() => {
        answered = true
        if (!client.destroyed) client.write(bytes)
      }, delay)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => setTimeout(() => silent || other.destroy(), delay))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = Object.assign(new URL(serverUrl), {
    hostname: '127.0.0.1',
    port: String((server.address() as AddressInfo).port),
  }).href
  return {
    url,
    silence: () => {
      for (const end of ends) end()
      ends.clear()
    },
    count: () => {
      const counted = { connections, trips }
      connections = 0
      trips = 0
      return counted
    },
  }
}
