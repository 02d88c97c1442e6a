import type { IncomingMessage, ServerResponse } from 'node:http'
import { instanceOf } from './address-file.ts'
import type { ApiHandler } from './api-handler.ts'
import type { ChatHandler } from './chat-handler.ts'
import { answerPreflight, isPreflight, setCors } from './cors.ts'
import { createGuard } from './guard.ts'
import { createKeys, noKey, notOperator, onlyChats } from './keys.ts'
import type { Log } from './log.ts'
import { answerLive, answerMetrics, answerReady } from './health.ts'
import { pass } from './pass.ts'
import { directionOf } from './passed-upstream.ts'
import type { ProtocolName } from './protocol-name.ts'
import { receive } from './reception.ts'
import { refuse, type Refusal } from './refusal.ts'
import { routeOf, type Route } from './route.ts'
import type { Services } from './services.ts'
import { readTarget } from './target.ts'
import type { Visit } from './visit.ts'

/** What a front needs beside the services. */
export interface FrontOptions {
  readonly chat: ChatHandler
  readonly api: ApiHandler
  readonly log: Log
  readonly token: string
  readonly isClosing: () => boolean
}

/** The one entry of every request. */
export interface Front {
  open(request: IncomingMessage, response: ServerResponse, wantsContinue?: boolean): void
  /** Resolves when no handler is at work. */
  settled(): Promise<void>
}

/** Target, guard, key, route: in this order, and nothing behind one that refuses. */
export function createFront(services: Services, options: FrontOptions): Front {
  const { log, token, isClosing } = options
  const guard = createGuard(services.config)
  const keys = createKeys(services.config.keys, token)
  const instance = instanceOf(token)
  const working = new Set<Promise<void>>()

  const open: Front['open'] = (request, response, wantsContinue = false) => {
    const target = readTarget(request.url ?? '')
    const route = target ? routeOf(request.method ?? '', target.path) : unreadable
    const reception = receive(request, response, { route, log, metrics: services.metrics })
    if (isClosing()) response.setHeader('connection', 'close')
    if (!target) return reception.refuse(oddPath)
    // Whoever watches the server calls it by its bare address, and learns nothing.
    if (route.kind === 'livez') return answerLive(response, instance)
    if (route.kind === 'readyz') return answerReady(response, services.stores, isClosing())
    const refusal = guard.check(request, target.authority)
    if (refusal) return reception.refuse(refusal)
    setCors(request, response)
    if (isPreflight(request)) return answerPreflight(request, response)
    const caller = keys.identify(request.headers.authorization)
    if (!caller) return reception.refuse(noKey)
    if (wantsContinue) response.writeContinue()
    const visit = reception.visit(caller, target)
    const work = answer(visit, route, services, options).catch((error: unknown) => {
      log.unforeseen(error)
      reception.refuse(unforeseen)
    }).finally(() => working.delete(work))
    working.add(work)
  }
  return {
    open,
    settled: async () => {
      while (working.size > 0) await Promise.all(working)
    },
  }
}

async function answer(visit: Visit, route: Route, services: Services, { chat, api }: FrontOptions): Promise<void> {
  switch (route.kind) {
    case 'chat':
      return chat(visit, route.protocol, services)
    case 'pass':
      return passOn(visit, route.protocol, services)
    case 'api':
      return visit.caller.operator ? api(visit, services) : refuse(visit.response, services.config.keys.length > 0 ? notOperator : { ...notOperator, status: 401, code: 'no_token' })
    case 'metrics':
      return answerMetrics(visit.response, services.metrics)
    default:
      refuse(visit.response, nothingHere)
  }
}

async function passOn(visit: Visit, protocol: ProtocolName, services: Services): Promise<void> {
  // Clients look here for a server of any kind.
  if (visit.path === '/' && !services.upstreams.choose(protocol)) return void visit.response.end('Minutebook is running')
  if (visit.caller.system === false && !looks.has(visit.request.method ?? '')) return refuse(visit.response, onlyChats, protocol)
  const direction = await directionOf(visit, protocol, services)
  if ('refusal' in direction) return refuse(visit.response, direction.refusal, protocol)
  if (!('gone' in direction)) return pass(visit, services, { protocol, ...direction })
}

/** Methods that bring nothing along. */
const looks: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const unreadable: Route = { kind: 'none', name: 'other' }

const oddPath: Refusal = { status: 400, code: 'odd_path', message: 'This path can be read in more than one way. Write it plainly: no "//", no dot segments, no letters or slashes as codes.' }

const nothingHere: Refusal = {
  status: 404,
  code: 'no_such_path',
  message: 'There is nothing here. There is /api/… as Ollama has it, /v1/… as OpenAI has it, /minutebook/v1/…, /livez, /readyz and /metrics.',
}

const unforeseen: Refusal = { status: 500, code: 'unforeseen', message: 'The gateway failed in a way that was not foreseen. Ask again; its log says more.' }
