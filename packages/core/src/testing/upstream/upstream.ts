import { createServer, type Server } from 'node:http'
import type { UpstreamAnswers } from './answer.ts'
import type { UpstreamFaults } from './faults.ts'
import type { StrictUpstreamOptions } from './options.ts'
import type { UpstreamRequest } from './request.ts'
import { serving } from './serving.ts'

/** A strict server that listens on this machine. */
export interface StrictUpstream {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** All that it received, oldest first. */
  readonly requests: readonly UpstreamRequest[]
  /** Faults, or another answer, for the next chat that is in order. Can be called several times, for one chat each. */
  next(faults: UpstreamFaults & { readonly answer?: UpstreamAnswers }): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A local server that speaks Ollama's and OpenAI's chat protocols, refuses what strict servers refuse, fails as it is
 * told, and records every request byte for byte. Its answers are the same bytes every time.
 *
 * @example
 * await using upstream = await strictUpstream({ answer: ['Hello.', { calls: [{ name: 'now' }] }], window: 4096 })
 * const client = new Ollama({ host: upstream.url })
 */
export async function strictUpstream(options: StrictUpstreamOptions = {}): Promise<StrictUpstream> {
  const upstream = serving(options)
  const server = createServer((incoming, response) => {
    upstream.serve(incoming, response).catch(() => response.socket?.destroy())
  })
  const url = await listen(server)
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, requests: upstream.requests, next: upstream.next, close, [Symbol.asyncDispose]: close }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
    })
  })
}
