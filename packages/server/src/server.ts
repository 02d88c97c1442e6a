import type { IncomingMessage, ServerResponse } from 'node:http'
import { instanceOf } from './address-file.ts'
import { keysUnread, noKey, orUnread, type Keys } from './auth/auth.ts'
import { createRateLimit, nameOf } from './auth/limits.ts'
import type { Caller } from './config/caller.ts'
import type { ProtocolName } from './config/settings.ts'
import type { ConsoleHandler } from './console/console.ts'
import type { Sessions } from './console/sessions.ts'
import { countTokens } from './gateway/count-tokens.ts'
import { pass, passedProtocol, upstreamFor } from './gateway/pass.ts'
import type { Connections } from './http/connections.ts'
import { keyIn, isolation } from './http/headers.ts'
import { beginVisit, type PendingVisit, type Visit } from './http/http.ts'
import { busy } from './http/memory.ts'
import { answerPreflight, createOriginCheck, isPreflight, setCors } from './http/origins.ts'
import { onlyReads, refuse, type Refusal } from './http/reply.ts'
import { refusalAt, routeOf, type Route } from './http/routes.ts'
import { readTarget, type Target } from './http/target.ts'
import { answerResponses, type ResponsesHandler } from './responses/responses.ts'
import type { ApiHandler, ChatHandler, Services } from './services.ts'
import type { Stores } from './stores/stores.ts'
import type { Metrics } from './telemetry/metrics.ts'

/** What the handler needs next to the services. */
export interface RequestHandlerOptions {
  readonly chat: ChatHandler
  readonly api: ApiHandler
  readonly console: ConsoleHandler
  readonly connections: Connections
  readonly keys: Keys
  readonly sessions: Sessions
  readonly token: string
  readonly isClosing: () => boolean
}

/** The one entry of every request. */
export interface RequestHandler {
  handle(request: IncomingMessage, response: ServerResponse, wantsContinue?: boolean): void
  /** Resolves when no request is being answered. */
  settled(): Promise<void>
}

/**
 * The steps of a request, in order. A step that refuses it ends it.
 *
 * | step       | file                         | what it does                                              |
 * | ---------- | ---------------------------- | --------------------------------------------------------- |
 * | target     | http/target.ts               | the path can be read in one way only                      |
 * | route      | http/routes.ts               | which handler answers it                                  |
 * | visit      | http/http.ts                 | is counted, and logged when it ends, however it ends      |
 * | connection | http/connections.ts          | its body comes in time; strangers have few connections, and so does each key |
 * | headers    | http/headers.ts              | those of every response                                   |
 * | health     | below                        | /livez and /readyz, for everybody                         |
 * | origin     | http/origins.ts              | Host and Origin are allowed; CORS, preflight              |
 * | home       | below                        | leads a browser from `/` to the console                   |
 * | console    | console/console.ts           | the page, for everybody: it shows nothing without a key   |
 * | key        | auth/auth.ts, console/sessions.ts | whose request it is                                  |
 * | tenant     | below                        | the database keeps it apart from others                   |
 * | memory     | http/memory.ts               | the tenant has room for one more                          |
 * | rate limit | auth/limits.ts               | the key has requests left                                 |
 * | permission | http/routes.ts               | the key may do this                                       |
 * | slots      | auth/limits.ts               | chats and responses: the key may have one more at once    |
 * | answer     | gateway/gateway.ts, responses/responses.ts, gateway/pass.ts, api/api.ts | by its route; serve.ts passes in `chat` and `api` |
 */
export function createRequestHandler(services: Services, options: RequestHandlerOptions): RequestHandler {
  const { connections, keys, sessions, token, isClosing } = options
  const { config, metrics, requestLog } = services
  const origins = createOriginCheck(config)
  const responses = answerResponses()
  const rateLimit = config.rateLimit && createRateLimit(config.rateLimit, metrics)
  const instance = instanceOf(token)
  const isUnguarded = (services.stores.role?.unguarded.length ?? 0) > 0
  const working = new Set<Promise<void>>()

  const handle: RequestHandler['handle'] = (request, response, wantsContinue = false) => {
    const target = readTarget(request.url ?? '')
    const route = target ? routeOf(request.method ?? '', target.path, config) : unreadable
    const pending = beginVisit(request, response, { route, log: requestLog, metrics })
    connections.take(request, response, () => pending.refuse(tooSlow))
    if (isClosing()) response.setHeader('connection', 'close')
    for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value)
    if (!target) return pending.refuse(oddPath)
    if (route.kind === 'livez') return answerLive(response, instance)
    if (route.kind === 'readyz') return void answerReady(response, services.stores, isClosing())
    const refusal = origins.check(request, { route, authority: target.authority })
    if (refusal) return pending.refuse(refusal)
    setCors(request, response)
    if (isPreflight(request)) return answerPreflight(request, response)
    if (target.path === '/' && isOpened(request)) return leadToConsole(response)
    const answering =
      route.kind === 'console'
        ? options.console(request, response, target)
        : letIn({ request, response, target, route, pending, wantsContinue })
    const work = answering
      .catch((error: unknown) => {
        requestLog.unforeseen(error)
        pending.refuse(unforeseen)
      })
      .finally(() => working.delete(work))
    working.add(work)
  }

  const letIn = async ({ request, response, target, route, pending, wantsContinue }: Arrival): Promise<void> => {
    const caller = await callerOf(request, route)
    if ('code' in caller) return pending.refuse(caller)
    // Without keys, anybody may send: then only a body that has come to its end tells a client from an attacker.
    if (caller.shown === 'nothing' && !request.complete) request.once('end', () => connections.admit(request))
    else if (!connections.admit(request, caller.shown === 'key' ? nameOf(caller) : undefined))
      return pending.refuse(tooManyConnections)
    if (caller.tenant !== 'default' && isUnguarded) return pending.refuse(unguardedTenant)
    const hold = services.memory.hold(caller.tenant)
    if (!hold) return pending.refuse(busy)
    const visit = pending.visit(caller, target, hold)
    try {
      const limited = await rateLimit?.take(caller)
      for (const [name, value] of Object.entries(limited?.headers ?? {})) response.setHeader(name, value)
      const { path, query } = target
      const refusal =
        limited?.refusal ??
        (services.stores.readOnly && writing.has(route.kind) ? onlyReads : undefined) ??
        refusalAt(route, { method: request.method ?? '', path, query, caller })
      if (refusal) return pending.refuse(refusal)
      // The client went away meanwhile.
      if (request.destroyed || response.closed) return
      if (wantsContinue) response.writeContinue()
      await answer(visit, route, services, { ...options, responses })
    } finally {
      hold.leave()
    }
  }

  const callerOf = async (request: IncomingMessage, route: Route): Promise<Caller | Refusal> => {
    const authorization = keyIn(request.headers)
    // A request with a session must have a valid one, also if the server needs no key: the console must learn that its
    // session has ended.
    const bySession = route.kind === 'api' && authorization === undefined && sessions.isShown(request)
    const caller = await orUnread(() => (bySession ? sessions.callerOf(request) : keys.identify(authorization)))
    if (caller === 'unread') return keysUnread
    return caller ?? (bySession ? sessionEnded : noKey)
  }
  return {
    handle,
    settled: async () => {
      while (working.size > 0) await Promise.all(working)
    },
  }
}

/** A request that passed the check of its origin. */
interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly route: Route
  readonly pending: PendingVisit
  readonly wantsContinue: boolean
}

async function answer(
  visit: Visit,
  route: Route,
  services: Services,
  { chat, api, responses }: RequestHandlerOptions & { readonly responses: ResponsesHandler },
): Promise<void> {
  switch (route.kind) {
    case 'chat':
      return admitted(visit, route.protocol, services, () => chat(visit, route.protocol, services))
    case 'responses':
      return visit.request.method === 'POST' && visit.path === '/v1/responses'
        ? admitted(visit, route.protocol, services, () => responses(visit, services))
        : responses(visit, services)
    case 'count':
      return countTokens(visit, services)
    case 'pass':
      return passOn(visit, route.protocol, services)
    case 'api':
      return api(visit, services)
    case 'metrics':
      return answerMetrics(visit.response, services.metrics)
    default:
      refuse(visit.response, nothingHere)
  }
}

/** With a place among the requests that the key may have at once. */
async function admitted(
  visit: Visit,
  protocol: ProtocolName,
  { turnLimits }: Services,
  work: () => Promise<void>,
): Promise<void> {
  const place = turnLimits.enter(visit.caller, 'chat')
  if (!('refusal' in place)) return work().finally(place.leave)
  visit.tell({ code: place.refusal.code })
  refuse(visit.response, place.refusal, protocol)
}

async function passOn(visit: Visit, byPath: ProtocolName, services: Services): Promise<void> {
  const protocol = passedProtocol(visit, byPath, services)
  // Clients look here for a server of any kind.
  if (visit.path === '/' && !services.upstreams.choose(protocol)) return sayRunning(visit.response)
  const direction = await upstreamFor(visit, protocol, services)
  if ('refusal' in direction) return refuse(visit.response, direction.refusal, protocol)
  if (!('gone' in direction)) return pass(visit, services, { protocol, ...direction })
}

/** Whether a person has opened the address in a browser. Browsers say what for only to servers that they trust. */
function isOpened({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return headers['sec-fetch-dest'] === 'document' || /\btext\/html\b/i.test(headers.accept ?? '')
}

function leadToConsole(response: ServerResponse): void {
  response.writeHead(302, { location: '/console', 'cache-control': 'no-store', 'content-length': 0 })
  response.end()
}

function sayRunning(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
  response.end('Minutebook is running')
}

const unreadable: Route = { kind: 'none', name: 'other' }

const oddPath: Refusal = {
  status: 400,
  code: 'odd_path',
  problem: 'This path can be read in more than one way.',
  fix: 'Write the path without "//", without dot segments, and without letters or slashes as codes.',
}

const sessionEnded: Refusal = {
  status: 401,
  code: 'unauthorized',
  problem: 'This session of the console has ended, or another page began it.',
  fix: 'Log in again at /console.',
}

const nothingHere: Refusal = {
  status: 404,
  code: 'no_such_path',
  problem: 'There is nothing at this address.',
  fix: 'Use /api/… (the protocol of Ollama), /v1/… (the protocol of OpenAI), /v1/messages (the protocol of Anthropic), /minutebook/v1/…, /console, /livez, /readyz or /metrics.',
}

/** What a server does not answer that only reads a file: it calls no model. Operations of the API decide themselves. */
const writing: ReadonlySet<Route['kind']> = new Set(['chat', 'pass', 'responses'])

/** A key that was made after the server started. */
const unguardedTenant: Refusal = {
  status: 503,
  code: 'tenants_unguarded',
  problem:
    'This server serves only the tenant "default", because row-level security does not apply to its database role.',
  fix: 'The operator of the server must let it connect as another role. minutebook doctor says how.',
}

const tooSlow: Refusal = {
  status: 408,
  code: 'body_too_slow',
  problem: 'The body of this request did not come in time.',
  fix: 'Send it again, faster: it may take 30 seconds, and one more for each 32 KB that has come.',
  headers: { connection: 'close' },
}

const tooManyConnections: Refusal = {
  status: 429,
  code: 'rate_limited',
  problem: 'This key has as many connections to this instance as one key may have.',
  fix: 'Send fewer requests at once, or use connections again.',
  headers: { 'retry-after': '1', connection: 'close' },
}

const unforeseen: Refusal = {
  status: 500,
  code: 'unforeseen',
  problem: 'The gateway failed unexpectedly.',
  fix: 'Ask again. The log of the gateway contains the cause.',
}

/** The process runs. `instance` shows the minutebook command whether it is the server that it looks for. */
function answerLive(response: ServerResponse, instance: string): void {
  answerPlain(response, 200, { live: true, instance })
}

/** It can take chats: the store answers, the server takes up turns, and it is not closing. */
async function answerReady(response: ServerResponse, stores: Stores, isClosing: boolean): Promise<void> {
  const readiness = isClosing ? { ready: false, why: 'closing' } : await stores.ready()
  answerPlain(response, readiness.ready ? 200 : 503, readiness)
}

function answerMetrics(response: ServerResponse, metrics: Metrics): void {
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
  response.end(metrics.text())
}

function answerPlain(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(response.req.method === 'HEAD' ? undefined : JSON.stringify(body))
}
