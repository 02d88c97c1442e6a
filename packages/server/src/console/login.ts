import { LRUCache } from 'lru-cache'
import { MinutebookError } from 'minutebook'
import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { keysUnread, type Keys } from '../auth/auth.ts'
import { readBody } from '../http/body.ts'
import { parseObject, type Fields } from '../http/json.ts'
import { refuse, type Refusal } from '../http/reply.ts'
import { refusedUse } from '../http/routes.ts'
import { cookieWith, isOwnPages, sessionLife, type Sessions } from './sessions.ts'

/** What logging in needs. */
export interface LoginOptions {
  readonly keys: Keys
  readonly codes: LoginCodes
  readonly sessions: Sessions
}

/**
 * `POST /console/session` with a key, or with a code of the local operator, begins a session. It returns the session's
 * two halves, one in a cookie, one in the body, and ends the session that the page had before. `DELETE` only ends it.
 * Any other request learns only that it was wrong.
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
  return ('bytes' in body ? parseObject(body.bytes.toString('utf8')) : undefined) ?? {}
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
  problem: 'The server does not know this key, or the link was used before.',
  fix: 'Paste a valid key, or get a new link on the machine of the server: minutebook console.',
}
const notOwn: Refusal = {
  status: 403,
  code: 'foreign_origin',
  problem: 'Only pages of the console may log in here.',
  fix: 'Open the console at /console.',
}
const wrongMethod: Refusal = {
  status: 405,
  code: 'wrong_method',
  problem: 'This address does not support this method.',
  fix: 'Send POST to log in, DELETE to log out.',
  headers: { allow: 'POST, DELETE' },
}

/** Codes that log the local operator in, each once. */
interface LoginCodes {
  issue(): string
  /** Returns whether the code is valid and was not used yet. */
  redeem(code: string): boolean
}

/**
 * Kept in memory: they end with the server, and after an hour.
 *
 * @example
 * const codes = createLoginCodes(() => Date.now())
 * codes.redeem(codes.issue()) // true, and only once
 */
export function createLoginCodes(now: () => number): LoginCodes {
  const issued = new LRUCache<string, number>({ max: 100 })
  return {
    issue: () => {
      const code = randomBytes(24).toString('base64url')
      issued.set(code, now())
      return code
    },
    redeem: (code) => {
      const time = issued.get(code)
      issued.delete(code)
      return time !== undefined && now() - time < longestLife
    },
  }
}

/** Milliseconds. */
const longestLife = 3_600_000
