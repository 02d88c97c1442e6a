import { Agent, request, type IncomingMessage } from 'node:http'

export interface Answered {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Leaves after so many milliseconds. */
  readonly leaveAfter?: number
}

export const soakAgent: Agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** One request. Undefined where the client left before the end; rejects where it was the server. */
export function ask(
  url: string,
  path: string,
  { method = 'POST', headers = {}, body = '', leaveAfter }: AskOptions = {},
): Promise<Answered | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let hasLeft = false
    const fail = (error: Error): void => (hasLeft ? resolve(undefined) : reject(error))
    const call = request(
      { agent: soakAgent, hostname, port, path, method, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (bytes: Buffer) => void pieces.push(bytes))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(pieces).toString('utf8'),
          }),
        )
        answer.on('error', fail)
      },
    )
    call.on('error', fail)
    call.end(body)
    if (leaveAfter !== undefined) setTimeout(() => ((hasLeft = true), call.destroy(), resolve(undefined)), leaveAfter)
  })
}
