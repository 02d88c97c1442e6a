import type { ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'
import type { Stores } from './open-store.ts'

const patience = 2000

/** The process runs. `instance` tells the minutebook command whether it is the server that it looks for. */
export function answerLive(response: ServerResponse, instance: string): void {
  answer(response, 200, { live: true, instance })
}

/** It can take chats: the store answers, and it is not about to close. */
export function answerReady(response: ServerResponse, stores: Stores, isClosing: boolean): void {
  if (isClosing) return answer(response, 503, { ready: false, why: 'closing' })
  const timer = setTimeout(() => answer(response, 503, { ready: false, why: 'the store does not answer' }), patience)
  stores
    .ready()
    .then(
      () => answer(response, 200, { ready: true }),
      () => answer(response, 503, { ready: false, why: 'the store cannot be reached' }),
    )
    .finally(() => clearTimeout(timer))
}

export function answerMetrics(response: ServerResponse, metrics: Metrics): void {
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
  response.end(metrics.text())
}

function answer(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(response.req.method === 'HEAD' ? undefined : JSON.stringify(body))
}
