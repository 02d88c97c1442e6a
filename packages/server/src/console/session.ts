import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusedUse } from '../access.ts'
import { readBody } from '../body.ts'
import type { Caller } from '../caller.ts'
import { keysUnread, type Keys } from '../keys.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { cookieWith, fitsCookie, isOwnPages } from './cookie.ts'
import type { LoginCodes } from './login-codes.ts'

/** What logging in needs. */
export interface SessionOptions {
  readonly keys: Keys
  /** Of the local operator. */
  readonly token: string
  readonly codes: LoginCodes
}

/**
 * `POST /console/session` with a key, or with a code of the local operator: answers with the cookie. `DELETE` ends it. Whoever
 * sends anything else learns only that it was wrong.
 */
export async function answerSession(request: IncomingMessage, response: ServerResponse, options: SessionOptions): Promise<void> {
  if (!isOwnPages(request)) return refuse(response, notOwn)
  if (request.method === 'DELETE') return answerWith(response, cookieWith(request, ''), {})
  if (request.method !== 'POST') return refuse(response, wrongMethod)
  const secret = await secretIn(request, options)
  if (secret === undefined || !fitsCookie(secret)) return refuse(response, wrongKey)
  const caller = await identified(options.keys, `Bearer ${secret}`)
  if (caller === 'unread') return refuse(response, keysUnread)
  if (!caller || caller.shown === 'nothing') return refuse(response, wrongKey)
  const refusal = refusedUse('console', caller)
  if (refusal) return refuse(response, refusal)
  answerWith(response, cookieWith(request, secret), { scope: caller.scope, tenant: caller.tenant })
}

async function secretIn(request: IncomingMessage, { codes, token }: SessionOptions): Promise<string | undefined> {
  const { key, code } = await fieldsOf(request)
  if (typeof code === 'string') return codes.redeem(code) ? token : undefined
  return typeof key === 'string' ? key.trim() : undefined
}

async function fieldsOf(request: IncomingMessage): Promise<{ readonly key?: unknown; readonly code?: unknown }> {
  try {
    const body = await readBody(request, mostBytes)
    return 'bytes' in body ? (Object(JSON.parse(body.bytes.toString('utf8'))) as object) : {}
  } catch {
    return {}
  }
}

/** Who that is; `unread` where it cannot be told. */
export async function identified(keys: Keys, authorization: string | undefined): Promise<Caller | 'unread' | undefined> {
  try {
    return await keys.identify(authorization)
  } catch {
    return 'unread'
  }
}

function answerWith(response: ServerResponse, cookie: string, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store', 'set-cookie': cookie })
  response.end(text)
}

const mostBytes = 4096

const wrongKey: Refusal = { status: 401, code: 'unauthorized', message: 'This is no key that the server knows, or the link was used before. Paste a key, or take a new link from the machine of the server.' }
const notOwn: Refusal = { status: 403, code: 'foreign_origin', message: 'Only the console itself logs in here. Open it at /console.' }
const wrongMethod: Refusal = { status: 405, code: 'wrong_method', message: 'There is nothing under this method. Send POST to log in, DELETE to log out.', headers: { allow: 'POST, DELETE' } }
