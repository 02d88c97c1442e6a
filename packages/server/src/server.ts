import type { IncomingMessage, ServerResponse } from 'node:http'
import { instanceOf } from './address-file.ts'
import { keysUnread, noKey, orUnread, type Keys } from './auth/auth.ts'
import { createRateLimit } from './auth/limits.ts'
import type { ProtocolName } from './config/settings.ts'
import type { ConsoleHandler } from './console/console.ts'
import type { Sessions } from './console/sessions.ts'
import { directionOf, pass } from './gateway/pass.ts'
import { isolation } from './http/headers.ts'
import { receive, type Reception, type Visit } from './http/http.ts'
import { busy } from './http/memory.ts'
import { answerPreflight, createGuard, isPreflight, setCors } from './http/origins.ts'
import { refuse, type Refusal } from './http/reply.ts'
import { refusedAt, routeOf, type Route } from './http/routes.ts'
import { readTarget, type Target } from './http/target.ts'
import { answerResponses, type ResponsesHandler } from './responses/responses.ts'
import type { ApiHandler, ChatHandler, Services } from './services.ts'
import type { Stores } from './stores/stores.ts'
import type { Metrics } from './telemetry/metrics.ts'

/** What a front needs beside the services. */
export interface FrontOptions {
  readonly chat: ChatHandler
  readonly api: ApiHandler
  readonly console: ConsoleHandler
  readonly keys: Keys
  readonly sessions: Sessions
  readonly token: string
  readonly isClosing: () => boolean
}

/** The one entry of every request. */
export interface Front {
  open(request: IncomingMessage, response: ServerResponse, wantsContinue?: boolean): void
  /** Resolves when no handler is at work. */
  settled(): Promise<void>
}

/** Target, guard, key, scope, limits, route: in this order, and nothing behind one that refuses. */
export function createFront(services: Services, options: FrontOptions): Front {
  const { keys, sessions, token, isClosing } = options
  const { config, metrics, log } = services
  const guard = createGuard(config)
  const responses = answerResponses()
  const rateLimit = config.rateLimit && createRateLimit(config.rateLimit, metrics)
  const instance = instanceOf(token)
  const isUnguarded = (services.stores.role?.unguarded.length ?? 0) > 0
  const working = new Set<Promise<void>>()

  const open: Front['open'] = (request, response, wantsContinue = false) => {
    const target = readTarget(request.url ?? '')
    const route = target ? routeOf(request.method ?? '', target.path, config) : unreadable
    const reception = receive(request, response, { route, log, metrics })
    if (isClosing()) response.setHeader('connection', 'close')
    for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value)
    if (!target) return reception.refuse(oddPath)
    // Whoever watches the server calls it by its bare address, and learns nothing.
    if (route.kind === 'livez') return answerLive(response, instance)
    if (route.kind === 'readyz') return answerReady(response, services.stores, isClosing())
    const refusal = guard.check(request, { route, authority: target.authority })
    if (refusal) return reception.refuse(refusal)
    setCors(request, response)
    if (isPreflight(request)) return answerPreflight(request, response)
    // The page itself is for everybody; what it shows is not.
    const arriving =
      route.kind === 'console'
        ? options.console(request, response, target)
        : letIn({ request, target, route, reception, wantsContinue })
    const work = arriving
      .catch((error: unknown) => {
        log.unforeseen(error)
        reception.refuse(unforeseen)
      })
      .finally(() => working.delete(work))
    working.add(work)
  }

  const letIn = async ({ request, target, route, reception, wantsContinue }: Arrival): Promise<void> => {
    const { authorization } = request.headers
    // Who shows a session must have one, also if the server lets anybody in: the console is to hear that its session
    // has ended.
    const bySession = route.kind === 'api' && authorization === undefined && sessions.isShown(request)
    const caller = await orUnread(() => (bySession ? sessions.callerOf(request) : keys.identify(authorization)))
    if (caller === 'unread') return reception.refuse(keysUnread)
    if (!caller) return reception.refuse(bySession ? sessionEnded : noKey)
    if (caller.tenant !== 'default' && isUnguarded) return reception.refuse(unguardedTenant)
    const hold = services.memory.hold(caller.tenant)
    if (!hold) return reception.refuse(busy)
    await serveVisit(reception.visit(caller, target, hold), { route, reception, wantsContinue }).finally(() =>
      hold.leave(),
    )
  }

  const serveVisit = async (
    visit: Visit,
    { route, reception, wantsContinue }: Pick<Arrival, 'route' | 'reception' | 'wantsContinue'>,
  ): Promise<void> => {
    const { request, response, caller, path, query } = visit
    const limited = await rateLimit?.take(caller)
    for (const [name, value] of Object.entries(limited?.headers ?? {})) response.setHeader(name, value)
    const refusal = limited?.refusal ?? refusedAt(route, { method: request.method ?? '', path, query, caller })
    if (refusal) return reception.refuse(refusal)
    // Whoever went away meanwhile will not be heard of again.
    if (request.destroyed || response.closed) return
    if (wantsContinue) response.writeContinue()
    await answer(visit, route, services, { ...options, responses })
  }
  return {
    open,
    settled: async () => {
      while (working.size > 0) await Promise.all(working)
    },
  }
}

/** A request that passed the guard. */
interface Arrival {
  readonly request: IncomingMessage
  readonly target: Target
  readonly route: Route
  readonly reception: Reception
  readonly wantsContinue: boolean
}

async function answer(
  visit: Visit,
  route: Route,
  services: Services,
  { chat, api, responses }: FrontOptions & { readonly responses: ResponsesHandler },
): Promise<void> {
  switch (route.kind) {
    case 'chat':
      return admitted(visit, route.protocol, services, () => chat(visit, route.protocol, services))
    case 'responses':
      return visit.request.method === 'POST' && visit.path === '/v1/responses'
        ? admitted(visit, route.protocol, services, () => responses(visit, services))
        : responses(visit, services)
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

/** With a place among those that the key may have at once. */
async function admitted(
  visit: Visit,
  protocol: ProtocolName,
  { admission }: Services,
  work: () => Promise<void>,
): Promise<void> {
  const place = admission.enter(visit.caller, 'chat')
  if (!('refusal' in place)) return work().finally(place.leave)
  visit.tell({ code: place.refusal.code })
  refuse(visit.response, place.refusal, protocol)
}

async function passOn(visit: Visit, protocol: ProtocolName, services: Services): Promise<void> {
  // Clients look here for a server of any kind, and so do people with a browser.
  if (visit.path === '/' && (isOpened(visit) || !services.upstreams.choose(protocol))) return sayRunning(visit)
  const direction = await directionOf(visit, protocol, services)
  if ('refusal' in direction) return refuse(visit.response, direction.refusal, protocol)
  if (!('gone' in direction)) return pass(visit, services, { protocol, ...direction })
}

/** Whether a person has opened the address in a browser. */
function isOpened({ request }: Visit): boolean {
  return request.headers['sec-fetch-dest'] === 'document'
}

function sayRunning(visit: Visit): void {
  visit.response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
  visit.response.end(isOpened(visit) ? 'Minutebook is running. The console is at /console.' : 'Minutebook is running')
}

const unreadable: Route = { kind: 'none', name: 'other' }

const oddPath: Refusal = {
  status: 400,
  code: 'odd_path',
  message:
    'This path can be read in more than one way. Write it plainly: no "//", no dot segments, no letters or slashes as codes.',
}

const sessionEnded: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'This session of the console has ended, or was not begun by this page. Log in again at /console.',
}

const nothingHere: Refusal = {
  status: 404,
  code: 'no_such_path',
  message:
    'There is nothing here. There is /api/… as Ollama has it, /v1/… as OpenAI has it, /minutebook/v1/…, /console, /livez, /readyz and /metrics.',
}

/** A key that was made after the server had started. */
const unguardedTenant: Refusal = {
  status: 503,
  code: 'tenants_unguarded',
  message:
    'This server serves the tenant "default" alone, because its database does not keep tenants apart from its role. Its operator must let it connect as another role; minutebook doctor says how.',
}

const unforeseen: Refusal = {
  status: 500,
  code: 'unforeseen',
  message: 'The gateway failed in a way that was not foreseen. Ask again; its log says more.',
}

const patience = 2000

/** The process runs. `instance` tells the minutebook command whether it is the server that it looks for. */
function answerLive(response: ServerResponse, instance: string): void {
  answerPlain(response, 200, { live: true, instance })
}

/** It can take chats: the store answers, and it is not about to close. */
function answerReady(response: ServerResponse, stores: Stores, isClosing: boolean): void {
  if (isClosing) return answerPlain(response, 503, { ready: false, why: 'closing' })
  const timer = setTimeout(
    () => answerPlain(response, 503, { ready: false, why: 'the store does not answer' }),
    patience,
  )
  stores
    .ready()
    .then(
      () => answerPlain(response, 200, { ready: true }),
      () => answerPlain(response, 503, { ready: false, why: 'the store cannot be reached' }),
    )
    .finally(() => clearTimeout(timer))
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
