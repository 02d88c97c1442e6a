import type { IncomingMessage, ServerResponse } from 'node:http'
import { keysUnread, orUnread } from '../keys.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { LoginOptions } from './login.ts'

/** `POST /console/link` with the token of the local operator: answers with a code that logs a browser in, once. */
export async function answerLink(
  request: IncomingMessage,
  response: ServerResponse,
  { keys, codes }: LoginOptions,
): Promise<void> {
  if (request.method !== 'POST') return refuse(response, wrongMethod)
  const caller = await orUnread(() => keys.identify(request.headers.authorization))
  if (caller === 'unread') return refuse(response, keysUnread)
  if (caller?.shown !== 'token') return refuse(response, notLocal)
  const body = JSON.stringify({ code: codes.issue() })
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(body)
}

const notLocal: Refusal = {
  status: 401,
  code: 'unauthorized',
  message:
    'This is for the local operator alone. Run "minutebook console" on the machine of the server, or log in with a key.',
  headers: { 'www-authenticate': 'Bearer' },
}
const wrongMethod: Refusal = {
  status: 405,
  code: 'wrong_method',
  message: 'There is nothing under this method. Send POST.',
  headers: { allow: 'POST' },
}
