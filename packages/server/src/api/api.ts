import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { explain, MinutebookError, type CallChoice } from 'minutebook'
import type { Desk } from '../desk.ts'
import { exportBody } from './export-body.ts'
import { failureOf, type Failure } from './failure.ts'
import { readable } from './readable.ts'
import { threadOf } from './segment.ts'

/** What there is to know of the server. */
export interface ApiOptions {
  /** What `GET /minutebook/v1` says: plain JSON without secrets. */
  readonly about: () => object | Promise<object>
}

export const apiPath = '/minutebook/v1'

interface Environment {
  readonly Bindings: {
    /** Of whoever asks; undefined where that is nobody who may read. */
    readonly desk?: Desk | undefined
    /** Breaks off a response that has begun. */
    readonly breakOff?: (() => void) | undefined
  }
  readonly Variables: { desk: Desk }
}

/**
 * The record over HTTP, read-only: everything below `/minutebook/v1`. Whose desk it is has been decided before, by key or token;
 * without one there is nothing but a refusal.
 *
 * @example
 * const api = createApi({ about: () => ({ version: '0.1.0' }) })
 * const response = await api.request('/minutebook/v1/threads', {}, { desk: localDesk(store) })
 */
export function createApi({ about }: ApiOptions): Hono<Environment> {
  const api = new Hono<Environment>().basePath(apiPath)
  api.use('*', async (context, next) => {
    context.header('x-content-type-options', 'nosniff')
    context.header('cache-control', 'no-store')
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') return refused(context, readOnly)
    const { desk } = context.env
    if (!desk) return refused(context, unauthorized)
    context.set('desk', desk)
    return next()
  })

  api.get('/', async (context) => context.json(await about()))
  api.get('/threads', async (context) => context.json(await context.var.desk.threads(pageOf(context))))
  api.get('/threads/:thread', async (context) => context.json(await context.var.desk.show(threadIn(context), { head: context.req.query('head') })))
  api.get('/threads/:thread/receipts', async (context) => context.json({ receipts: await context.var.desk.receipts(threadIn(context)) }))
  api.get('/threads/:thread/dump', async (context) => {
    const dump = await context.var.desk.dump(threadIn(context), callIn(context))
    return wantsText(context) ? context.text(dump.text) : context.json(dump)
  })
  api.get('/threads/:thread/explain', async (context) => {
    const explanation = await context.var.desk.explain(threadIn(context), callIn(context))
    return wantsText(context) ? context.text(readable(explain(explanation.plan, { width: 100 }))) : context.json(explanation)
  })
  api.get('/threads/:thread/verify', async (context) => context.json(await context.var.desk.verify(threadIn(context))))
  api.get('/threads/:thread/export', async (context) => {
    const body = await exportBody(context.var.desk.export(threadIn(context)), context.env.breakOff)
    return context.body(body, 200, { 'content-type': 'application/x-ndjson' })
  })

  api.notFound((context) => refused(context, nowhere))
  api.onError((error, context) => refused(context, failureOf(error)))
  return api
}

/** Answers a request of `node:http` at somebody's desk. */
export type ApiListener = (incoming: IncomingMessage, response: ServerResponse, desk: Desk | undefined) => Promise<void>

/** The same for a server of `node:http`. */
export function apiListener(options: ApiOptions): ApiListener {
  const api = createApi(options)
  return (incoming, response, desk) => {
    const environment = { desk, breakOff: () => void response.destroy() }
    return getRequestListener((request) => api.fetch(request, environment), { overrideGlobalObjects: false })(incoming, response)
  }
}

function threadIn(context: Context<Environment>): string {
  return threadOf(context.req.param('thread') ?? '')
}

function pageOf(context: Context<Environment>): { readonly limit?: number | undefined; readonly after?: string | undefined } {
  const { limit, after } = context.req.query()
  return { limit: limit === undefined ? undefined : Number(limit), after }
}

function callIn(context: Context<Environment>): CallChoice {
  const { turn, receipt } = context.req.query()
  if (turn !== undefined && receipt !== undefined) throw new MinutebookError('invalid_call', 'Both a turn and a receipt are named; pass one of them.')
  return { turn: turn !== undefined && /^\d{1,9}$/.test(turn) ? Number(turn) : turn, receipt }
}

function wantsText(context: Context<Environment>): boolean {
  return (context.req.header('accept') ?? '').includes('text/plain')
}

function refused(context: Context<Environment>, { status, code, message, fix }: Failure): Response {
  if (status === 401) context.header('www-authenticate', 'Bearer realm="minutebook"')
  if (status === 405) context.header('allow', 'GET, HEAD')
  return context.json({ error: { code, message, fix } }, status satisfies ContentfulStatusCode)
}

const unauthorized: Failure = {
  status: 401,
  code: 'unauthorized',
  message: 'This needs the token of the local operator, or an operator key.',
  fix: 'Send it as "Authorization: Bearer …"; the minutebook command does so by itself on the machine that serves.',
}
const readOnly: Failure = { status: 405, code: 'read_only', message: 'The record can only be read here.', fix: 'Use GET; to say something, send a chat to the gateway.' }
const nowhere: Failure = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this address.',
  fix: `There are ${apiPath}/threads and ${apiPath}/threads/{thread}, with /receipts, /dump, /explain, /export and /verify below.`,
}
