import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MinutebookError } from 'minutebook'
import { refusedUse } from '../access.ts'
import { readBody } from '../body.ts'
import { fieldsFrom, type Fields } from '../fields.ts'
import { keysUnread, type Keys } from '../keys.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { cookieWith, isOwnPages } from './cookie.ts'
import type { LoginCodes } from './login-codes.ts'
import { sessionLife, type Sessions } from './sessions.ts'

/** What logging in needs. */
export interface LoginOptions {
  readonly keys: Keys
  readonly codes: LoginCodes
  readonly sessions: Sessions
}

/**
 * `POST /console/session` with a key, or with a code of the local operator: begins a session, and answers with its two
 * halves, one in a cookie, one in the body. Ends the session that the page had before. `DELETE` only ends it. Whoever
 * sends anything else learns only that it was wrong.
 */
export async function answerLogin(
  request: IncomingMessage,
  response: ServerResponse,
  options: LoginOptions,
): Promise<void> {
  if (!isOwnPages(request)) return refuse(response, notOwn)
  if (request.method !== 'POST' && request.method !== 'DELETE') return refuse(response, wrongMethod)
  try {
    await (request.method === 'POST' ? logIn(request, response, options) : logOut(request, response, options))
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    refuse(response, keysUnread)
  }
}

async function logIn(
  request: IncomingMessage,
  response: ServerResponse,
  { keys, codes, sessions }: LoginOptions,
): Promise<void> {
  const { key, code } = await fieldsIn(request)
  const secret = typeof key === 'string' ? key.trim() : ''
  const caller =
    typeof code === 'string'
      ? codes.redeem(code)
        ? keys.operator()
        : undefined
      : await keys.identify(`Bearer ${secret}`)
  if (!caller || caller.shown === 'nothing') return refuse(response, wrongKey)
  const refusal = refusedUse('console', caller)
  if (refusal) return refuse(response, refusal)
  const session = await sessions.begin(caller.shown === 'token' ? 'operator' : { key: hash('sha256', secret) })
  await sessions.end(request)
  answerWith(response, cookieWith(request, session.cookie, sessionLife), {
    scope: caller.scope,
    tenant: caller.tenant,
    session: session.page,
  })
}

async function logOut(request: IncomingMessage, response: ServerResponse, { sessions }: LoginOptions): Promise<void> {
  await sessions.end(request)
  answerWith(response, cookieWith(request, '', 0), {})
}

async function fieldsIn(request: IncomingMessage): Promise<Fields> {
  const body = await readBody(request, { limit: mostBytes })
  return ('bytes' in body ? fieldsFrom(body.bytes.toString('utf8')) : undefined) ?? {}
}

function answerWith(response: ServerResponse, cookie: string, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'set-cookie': cookie,
  })
  response.end(text)
}

const mostBytes = 4096

const wrongKey: Refusal = {
  status: 401,
  code: 'unauthorized',
  message:
    'This is no key that the server knows, or the link was used before. Paste a key, or take a new link from the machine of the server.',
}
const notOwn: Refusal = {
  status: 403,
  code: 'foreign_origin',
  message: 'Only the console itself logs in here. Open it at /console.',
}
const wrongMethod: Refusal = {
  status: 405,
  code: 'wrong_method',
  message: 'There is nothing under this method. Send POST to log in, DELETE to log out.',
  headers: { allow: 'POST, DELETE' },
}
