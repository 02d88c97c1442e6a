import { consoleFolder } from '@minutebook/console'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { keysUnread, orUnread } from '../auth/auth.ts'
import { refuse, type Refusal } from '../http/reply.ts'
import type { Target } from '../http/target.ts'
import { answerLogin, type LoginOptions } from './login.ts'
import { readPage, type PageFile } from './page.ts'

/** Answers everything below `/console`. */
export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse, target: Target) => Promise<void>

/**
 * The page, for every client that reaches the server. It contains nothing of the record and gets everything from the
 * API. Every address below it returns the same page, except for its files and the login.
 */
export function createConsole({
  folder = consoleFolder,
  ...login
}: LoginOptions & { readonly folder?: string | undefined }): ConsoleHandler {
  const page = readPage(folder)
  return async (request, response, { path }) => {
    for (const [name, value] of Object.entries(protection)) response.setHeader(name, value)
    if (path === '/console/session') return answerLogin(request, response, login)
    if (path === '/console/link') return answerLink(request, response, login)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, readOnly)
    const below = path.slice('/console/'.length)
    const file = page.file(below) ?? (isAsset(below) ? undefined : page.file('index.html'))
    if (file) send(request, response, file)
    else refuse(response, isAsset(below) ? noFile : notBuilt)
  }
}

function isAsset(path: string): boolean {
  return path.startsWith('assets/')
}

function send(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { type, body, gzip, brotli, isHashed }: PageFile,
): void {
  const accepted = String(headers['accept-encoding'] ?? '')
  const [encoding, bytes] =
    brotli && /\bbr\b/.test(accepted)
      ? ['br', brotli]
      : gzip && /\bgzip\b/.test(accepted)
        ? ['gzip', gzip]
        : [undefined, body]
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding, origin',
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  })
  response.end(method === 'HEAD' ? undefined : bytes)
}

const readOnly: Refusal = {
  status: 405,
  code: 'wrong_method',
  problem: 'The console supports only GET and HEAD.',
  fix: 'Send GET.',
  headers: { allow: 'GET, HEAD' },
}
const noFile: Refusal = {
  status: 404,
  code: 'no_such_path',
  problem: 'The console has no such file.',
  fix: 'The page may be of another version. Load it again.',
}
const notBuilt: Refusal = {
  status: 404,
  code: 'no_console',
  problem: 'The console was not built.',
  fix: 'Run "npm run build -w packages/console", or install @minutebook/console.',
}

/**
 * What the page may do: run its own scripts, and use this server. Everything else that content could make it do is
 * forbidden.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types minutebook-lab',
].join('; ')

/** On every answer below `/console`. */
const protection: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** `POST /console/link` with the token of the local operator: returns a code that logs a browser in, once. */
async function answerLink(
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
  problem: 'Only the local operator may do this.',
  fix: 'Run "minutebook console" on the machine of the server, or log in with a key.',
  headers: { 'www-authenticate': 'Bearer' },
}
const wrongMethod: Refusal = {
  status: 405,
  code: 'wrong_method',
  problem: 'This address does not support this method.',
  fix: 'Send POST.',
  headers: { allow: 'POST' },
}
