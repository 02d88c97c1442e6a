import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../config/caller.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { RequestFacts, RequestLog } from '../telemetry/request-log.ts'
import type { MemoryHold } from './memory.ts'
import { refuse, type Refusal } from './reply.ts'
import type { Route } from './routes.ts'
import type { Target } from './target.ts'

/**
 * One HTTP request that passed the checks of its origin and its key. The CORS headers are already set on the response.
 */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As it came, without the query. */
  readonly path: string
  /** '' or '?…', as it came. */
  readonly query: string
  readonly caller: Caller
  /** The share of the request in the memory that all requests use, until it is over. */
  readonly hold: MemoryHold
  /** Adds to the log line of this request, which is written when the response is over. */
  tell(facts: RequestFacts): void
}

/** A request that has arrived, and how it continues. */
export interface PendingVisit {
  /** Refuses it, in the form of its route's protocol. */
  refuse(refusal: Refusal): void
  /** Lets it in. */
  visit(caller: Caller, target: Target, hold: MemoryHold): Visit
}

/** Makes sure that every request is counted and logged, however it ends. */
export function beginVisit(
  request: IncomingMessage,
  response: ServerResponse,
  { route, log, metrics }: { readonly route: Route; readonly log: RequestLog; readonly metrics: Metrics },
): PendingVisit {
  const started = performance.now()
  const over = metrics.begin()
  let facts: RequestFacts = {}
  let key = ''
  // A writer to a client that is gone learns it from the end of the response.
  response.on('error', () => undefined)
  response.on('close', () => {
    const ms = performance.now() - started
    const status = response.headersSent ? response.statusCode : clientGone
    over(route.name, status, ms / 1000)
    const code = facts.code ?? (response.writableFinished ? undefined : 'cut_off')
    log.request({ ...facts, code, method: request.method ?? '', route: facts.route ?? route.name, status, ms, key })
  })
  return {
    refuse: (refusal) => {
      facts = { ...facts, code: refusal.code }
      refuse(response, refusal, 'protocol' in route ? route.protocol : undefined)
    },
    visit: (caller, { path, query }, hold) => {
      key = caller.name
      return { request, response, path, query, caller, hold, tell: (more) => void (facts = { ...facts, ...more }) }
    },
  }
}

/** The status that other servers log for a client that left before it was answered. */
const clientGone = 499
