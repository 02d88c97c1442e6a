import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, and on which of them something is under way. */
export interface Connections {
  /** A request has come. Its connection is busy until it is answered, however much of its body is still to come. */
  take(request: IncomingMessage, response: ServerResponse): void
  /**
   * Ends those that have not been busy for a while: nothing was asked there, or it is answered and nobody wants the
   * rest of its body.
   */
  endQuiet(): void
}

/** Has to be there before the server listens. */
export function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, { busy: number; since: number }>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { busy: 0, since: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })
  return {
    take: ({ socket }, response) => {
      const connection = connections.get(socket)
      if (!connection) return
      connection.busy++
      response.once('close', () => {
        connection.busy--
        connection.since = performance.now()
      })
    },
    endQuiet: () => {
      const before = performance.now() - grace
      for (const [socket, { busy, since }] of connections) if (busy === 0 && since < before) socket.destroy()
    },
  }
}

/** Milliseconds in which a request may still come, and in which a client that sends reads that it was refused. */
const grace = 500
