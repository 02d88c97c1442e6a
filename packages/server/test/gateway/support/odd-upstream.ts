import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { StoredEntry } from 'minutebook/store'
import { relayChat } from '../../../src/gateway/gateway.ts'
import type { Running } from '../../../src/serve.ts'
import { gateway } from '../../../../../tests/support/server/gateway.ts'

/** An upstream that answers as it is told, byte for byte. */
export async function oddUpstream(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST' && request.url?.startsWith('/api/show') !== true) return answer(response, request)
      response.writeHead(404).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A gateway before such an upstream. */
export async function gatewayBeforeOdd(answer: Parameters<typeof oddUpstream>[0]): Promise<Running> {
  return gateway({ upstreams: [{ url: await oddUpstream(answer) }] }, { chat: relayChat() })
}

/** Writes a text in pieces of so many bytes. */
export function writeInPieces(response: ServerResponse, text: string, size: number): void {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) response.write(bytes.subarray(from, from + size))
  response.end()
}

/** The answers that a gateway has recorded, as `status: text`. */
export async function answersOf({ services }: Running): Promise<readonly string[]> {
  const { store } = services.stores.of('default')
  const { threads } = await store.list()
  const logs: StoredEntry[][] = await Promise.all(
    threads.filter(({ thread }) => !thread.startsWith('minutebook:')).map(({ thread }) => store.read(thread)),
  )
  return logs
    .flat()
    .filter(({ kind }) => kind === 'assistant')
    .map(({ status, text }) => `${status}: ${text}`)
}
