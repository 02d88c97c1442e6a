import { getRequestListener } from '@hono/node-server'
import { $, OpenAPIHono } from '@hono/zod-openapi'
import { runThread } from '@minutebook/experiment/run'
import type { Context } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { configuredCounters } from '../archive/counters.ts'
import { openArchive } from '../archive/open-archive.ts'
import { isWithin } from '../config/caller.ts'
import type { Visit } from '../http/http.ts'
import { onlyReads, refusalError } from '../http/reply.ts'
import type { Services } from '../services.ts'
import { bodyTooLong, withWholeBody } from './bodies.ts'
import { apiDocument, routeOf } from './document.ts'
import { codeOf, failureOf, forbiddenError, refused, refusedWith, type Failure } from './errors.ts'
import { invalidRequest } from './invalid-request.ts'
import { holdThread, isReading, type Operation, type ApiCall } from './operation.ts'
import { apiPath, operations } from './routes/routes.ts'

interface Environment {
  readonly Bindings: {
    /** Undefined if the request came without a valid key or token. */
    readonly call?: ApiCall | undefined
  }
}

/**
 * Everything below `/minutebook/v1`. The server has checked the key or token before: without a `call` every request is
 * refused. A caller whose scope is too small for an operation is refused before the body is read.
 *
 * @example
 * const api = createApi()
 * const response = await api.request('/minutebook/v1/threads', {}, { call })
 */
export function createApi(): OpenAPIHono<Environment> {
  const api = new OpenAPIHono<Environment>({
    defaultHook: (result) =>
      result.success ? undefined : refused(invalidRequest(result as typeof result & { readonly data: unknown })),
  })
  const below = $(api.basePath(apiPath))
  below.use('*', async (context, next) => {
    if (!context.env.call) return refused(unauthorized)
    await next()
    const code = codeOf(context.res)
    if (code !== undefined) context.env.call.tell({ code })
    context.header('x-content-type-options', 'nosniff')
    context.header('cache-control', 'no-store')
    return undefined
  })
  below.get('/openapi.json', (context) => context.json(apiDocument()))
  for (const operation of operations) {
    below.on(operation.method.toUpperCase(), pathOf(operation), (context, next) => admit(context, operation, next))
    below.openapi(routeOf(operation), ((context: Context<Environment>) => answered(context, operation)) as never)
  }
  for (const [path, methods] of methodsByPath())
    below.all(path, () => refused(wrongMethod, { allow: methods.join(', ') }))
  api.notFound(() => refused(nowhere))
  api.onError((error, context) => {
    const failure = failureOf(error)
    if (failure.code === 'internal') context.env.call?.services.requestLog.unforeseen(error)
    return refused(failure)
  })
  return api
}

/** Refuses a caller whose scope is too small, or who sends too much, before the body is read. */
async function admit(
  context: Context<Environment>,
  operation: Operation,
  next: () => Promise<void>,
): Promise<Response | void> {
  const { caller, services, hold, tell } = context.env.call!
  const { path, scope, body, takes } = operation
  tell({ route: `${apiPath}${path === '/' ? '' : path}` })
  if (!isWithin(caller.scope, scope)) return refused(failureOf(forbiddenError(scope)))
  if (services.stores.readOnly && !isReading(operation)) return refused(failureOf(refusalError(onlyReads)))
  if (!body || takes !== undefined) return next()
  const type = context.req.header('content-type')
  if (type !== undefined && !isJson.test(type)) return refused(wrongType)
  const whole = await withWholeBody(context.req.raw, { limit: services.config.bodyLimit, hold, tooLong: bodyTooLong })
  if (!(whole instanceof Request)) return refusedWith(whole)
  context.req.raw = whole
  return next()
}

const isJson = /^application\/([a-z0-9.+-]{1,40}\+)?json(;|$)/i

async function answered(
  context: Context<Environment>,
  { status, schema, query, params, body, holdsItself = false, answer }: Operation,
): Promise<Response> {
  const read = (target: string, wanted: unknown): unknown => (wanted ? context.req.valid(target as never) : {})
  if (!holdsItself) await holdLog(context.env.call!, read('param', params) as Readonly<Record<string, string>>)
  const found = await answer({
    params: read('param', params),
    query: read('query', query),
    body: body ? read('json', body) : undefined,
    call: context.env.call!,
  })
  return schema && !(found instanceof Response) ? context.json(found as object, status) : (found as Response)
}

/** Nearly all operations read the whole log of their thread. */
async function holdLog(call: ApiCall, { thread, run }: Readonly<Record<string, string>>): Promise<void> {
  const log = thread ?? (run === undefined ? undefined : runThread(run))
  if (log !== undefined) await holdThread(call, log)
}

/** The path in the router's notation. */
function pathOf({ path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>([['/openapi.json', ['GET', 'HEAD']]])
  for (const operation of operations) {
    const path = pathOf(operation)
    methods.set(path, [
      ...(methods.get(path) ?? []),
      operation.method.toUpperCase(),
      ...(operation.method === 'get' ? ['HEAD'] : []),
    ])
  }
  return methods
}

const unauthorized: Failure = {
  status: 401,
  code: 'unauthorized',
  message: 'This request needs a key, or the token of the local operator.',
  fix: 'Send the key as "Authorization: Bearer …". On the machine of the server, the minutebook command sends the token by itself.',
}
const wrongMethod: Failure = {
  status: 405,
  code: 'wrong_method',
  message: 'This address does not support this method.',
  fix: `Use a method that the header "allow" lists; ${apiPath}/openapi.json describes each.`,
}
const nowhere: Failure = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this address.',
  fix: `Use one of the addresses that ${apiPath}/openapi.json lists.`,
}
const wrongType: Failure = {
  status: 415,
  code: 'wrong_media_type',
  message: 'This operation does not accept the content type of the body.',
  fix: 'Send JSON as application/json.',
}

/** Handles requests below `/minutebook/v1`, with the record of the caller's tenant. */
export async function apiHandler(visit: Visit, services: Services): Promise<void> {
  const { request, response, caller, hold } = visit
  const counters = await configuredCounters(services.config)
  const callOf = (asked: Request): ApiCall => {
    const { store, book } = services.stores.of(caller.tenant)
    const { states, policies, prices } = services.config
    const archive = openArchive(store, { counters, states, policies, prices, runner: book })
    return {
      caller,
      services,
      store,
      book,
      archive,
      request: asked,
      hold,
      ...(request.method !== 'HEAD' && { outgoing: response }),
      breakOff: () => void response.destroy(),
      tell: (facts) => visit.tell(facts),
    }
  }
  await answerApi(request, response, callOf)
}

const api = createApi()

/**
 * Answers a request of `node:http`. Resolves when the response is over, or when the client has left and nothing more is
 * done for it.
 */
export async function answerApi(
  incoming: IncomingMessage,
  response: ServerResponse,
  callOf: (asked: Request) => ApiCall,
): Promise<void> {
  let answering: Promise<Response | undefined> = Promise.resolve(undefined)
  const listener = getRequestListener(
    (asked) => {
      answering = Promise.resolve(api.fetch(asked, { call: callOf(asked) }))
      return answering as Promise<Response>
    },
    { overrideGlobalObjects: false },
  )
  const left = new Promise<void>((resolve) => response.once('close', resolve)).then(async () => {
    const body = (await answering)?.body
    // The listener neither reads nor cancels a stream whose client left before it began.
    if (body && !body.locked) await body.cancel()
  })
  await Promise.race([listener(incoming, response), left])
  // Events are written until their client leaves, or there are no more.
  if (response.headersSent && !response.writableEnded) await left
}
