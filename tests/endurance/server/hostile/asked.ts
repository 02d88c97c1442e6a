import { Agent, request } from 'node:http'
import { connect } from 'node:net'

/** Something that a client sends. */
export interface Sending {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** As JSON, unless it is a text. */
  readonly body?: unknown
  /** Milliseconds after which the client leaves. */
  readonly leaveAfter?: number
  /** Bytes of the body that are sent; then the client says nothing more, and leaves in the end. */
  readonly stopAt?: number
}

/** What came of it. */
export interface Outcome {
  readonly status: number
  readonly text: string
  /** Of the body, as far as it was sent. */
  readonly bytes: number
  readonly milliseconds: number
}

/** Clients of one key. Never rejects: status 0 if there is no answer. */
export interface Asker {
  ask(sending: Sending): Promise<Outcome>
  /** Opens connections, says nothing, and closes them after a while. */
  readonly idle: (connections: number, milliseconds: number) => Promise<void>
  close(): void
}

/** Characters of an answer that are kept. */
const most = 100_000

export function createAsker(url: string, key: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(url)
  return {
    ask: ({ method = 'POST', path, headers = {}, body, leaveAfter, stopAt }) => {
      const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
      const began = performance.now()
      return new Promise((resolve) => {
        let text = ''
        const end = (status: number): void =>
          resolve({
            status,
            text,
            bytes: Math.min(bytes.length, stopAt ?? Infinity),
            milliseconds: performance.now() - began,
          })
        const call = request(
          {
            agent,
            hostname,
            port,
            path,
            method,
            headers: {
              authorization: `Bearer ${key}`,
              ...(body !== undefined && { 'content-type': 'application/json', 'content-length': bytes.length }),
              ...headers,
            },
          },
          (answer) => {
            answer.setEncoding('utf8')
            answer.on('data', (piece: string) => void (text.length < most && (text += piece)))
            answer.on('end', () => end(answer.statusCode ?? 0))
            answer.on('error', () => end(0))
            answer.on('close', () => end(0))
          },
        )
        call.on('error', () => end(0))
        if (stopAt === undefined) call.end(bytes)
        else call.write(bytes.subarray(0, stopAt))
        if (leaveAfter !== undefined) setTimeout(() => call.destroy(), leaveAfter)
      })
    },
    idle: (connections, milliseconds) =>
      new Promise((resolve) => {
        const sockets = Array.from({ length: connections }, () =>
          connect(Number(port), hostname).on('error', () => undefined),
        )
        setTimeout(() => {
          for (const socket of sockets) socket.destroy()
          resolve()
        }, milliseconds)
      }),
    close: () => agent.destroy(),
  }
}
