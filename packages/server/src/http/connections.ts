import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createTally } from './memory-budget.ts'

/**
 * The connections of a server. A connection on which no key was shown yet is a stranger's. Connections without a key are
 * limited; at the limit the oldest is closed. So are those of one key; beyond that limit its requests are refused. Each
 * body has to come in time.
 *
 * Node limits the time for headers itself. Its limit for a whole request does not fit, because an upload to the upstream
 * may be of any size.
 */
export interface Connections {
  /**
   * A request has come. Its connection is a stranger's, and busy until the request is answered. `refuse` answers it if
   * its body does not come in time.
   */
  take(request: IncomingMessage, response: ServerResponse, refuse: () => void): void
  /**
   * The request has shown a key, or needs none: its connection is no stranger's until the next request. `owner`: whose
   * key it is. Returns false if that key has all the connections that it may have: this one remains a stranger's.
   */
  admit(request: IncomingMessage, owner?: string): boolean
  /**
   * Refuses requests whose body is too slow. The time does not count while bytes wait to be read here. Closes the
   * connection if the request was answered before.
   */
  endSlow(): void
  /** Closes connections on which nothing is asked, or all is answered, for a while. For a server that ends. */
  endQuiet(): void
}

export interface ConnectionLimits {
  /** At once. Node refuses more. */
  readonly connections: number
  /** How many of them may be strangers'. */
  readonly strangers: number
  /** How many of them one key may have. */
  readonly perKey: number
}

interface Connection {
  /** The newest request. */
  request?: IncomingMessage
  refuse: () => void
  /** How many requests are not answered yet. */
  busy: number
  /** Since when the newest request comes, or since when nothing is asked. */
  since: number
  /** What had come then, in bytes. */
  read: number
  /** Whose key was shown last. */
  owner?: string
}

/**
 * Call it before the server listens. `now`: milliseconds.
 *
 * @example
 * const connections = watchConnections(server, connectionLimits())
 */
export function watchConnections(
  server: Server,
  { connections: most, strangers: mostStrangers, perKey }: ConnectionLimits,
  now: () => number = () => performance.now(),
): Connections {
  const connections = new Map<Socket, Connection>()
  /** The oldest first. */
  const strangers = new Set<Socket>()
  const owners = createTally()
  const addStranger = (socket: Socket): void => {
    strangers.add(socket)
    const [oldest] = strangers
    if (strangers.size <= mostStrangers || !oldest) return
    strangers.delete(oldest)
    oldest.destroy()
  }
  server.maxConnections = most
  server.on('drop', () => server.closeIdleConnections())
  server.on('connection', (socket: Socket) => {
    const connection: Connection = { refuse: () => undefined, busy: 0, since: now(), read: 0 }
    connections.set(socket, connection)
    socket.once('close', () => {
      if (connection.owner !== undefined) owners.add(connection.owner, -1)
      connections.delete(socket)
      strangers.delete(socket)
    })
    addStranger(socket)
  })
  return {
    take: (request, response, refuse) => {
      const { socket } = request
      const connection = connections.get(socket)
      if (!connection) return
      // A client that does not wait for the answer may send a request while another one is answered.
      if (connection.busy++ === 0) addStranger(socket)
      Object.assign(connection, { request, refuse, since: now(), read: socket.bytesRead })
      response.once('close', () => {
        connection.busy--
        connection.since = now()
        connection.read = socket.bytesRead
        if (!request.complete && connections.has(socket)) addStranger(socket)
      })
    },
    admit: ({ socket }, owner) => {
      const connection = connections.get(socket)
      if (connection && owner !== undefined && owner !== connection.owner) {
        if (owners.of(owner) >= perKey) return false
        if (connection.owner !== undefined) owners.add(connection.owner, -1)
        owners.add(owner, 1)
        connection.owner = owner
      }
      strangers.delete(socket)
      return true
    },
    endSlow: () => {
      for (const [socket, connection] of connections) {
        const { request, refuse, busy, since, read } = connection
        if (!request || request.complete) continue
        // It waits for us, as for an upstream that reads slowly: that is not the sender's fault.
        if (busy > 0 && (request.isPaused() || request.readableLength > 0)) {
          Object.assign(connection, { since: now(), read: socket.bytesRead })
          continue
        }
        if (now() - since <= patience + ((socket.bytesRead - read) / pace) * 1000) continue
        if (busy > 0) refuse()
        else socket.destroy()
      }
    },
    endQuiet: () => {
      for (const [socket, { busy, since }] of connections) if (busy === 0 && since < now() - grace) socket.destroy()
    },
  }
}

/**
 * How long a body may stop, in milliseconds, and how slowly it may come, in bytes per second: 32 MB may take 17
 * minutes.
 */
const [patience, pace] = [30_000, 32 << 10]

/** Milliseconds in which a request may still come, and in which a sending client can read its refusal. */
const grace = 500

/** From how many files this process may have open. Each request may need another handle for its upstream. */
export function connectionLimits(handles: number = fileHandles()): ConnectionLimits {
  const connections = Math.max(16, Math.floor((handles - 64) / 2))
  // One key and strangers together leave a sixth to others.
  return { connections, strangers: Math.min(2000, Math.floor(connections / 2)), perKey: Math.floor(connections / 3) }
}

/** Linux says it. Node takes as many as the system lets it, which is more than this on others. */
function fileHandles(): number {
  try {
    const [, handles] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(handles ?? usualHandles)
  } catch {
    return usualHandles
  }
}

const usualHandles = 4096
