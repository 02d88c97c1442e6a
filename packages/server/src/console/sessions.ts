import type { Store } from 'minutebook'
import type { StoredRecord } from 'minutebook/store'
import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Keys } from '../auth/auth.ts'
import type { Caller } from '../config/caller.ts'
import { asObject } from '../http/json.ts'

/**
 * Who is logged in to the console. A session has two random halves, and both are needed. A browser sends the cookie to
 * every port of a host, so another server there gets that half. The other half is in the page's storage, which is for
 * one port, and comes as a header.
 */
export interface Sessions {
  /**
   * Begins a session of an owner. Ends those that are too old, and the oldest of the same owner if there are too many.
   */
  begin(owner: SessionOwner): Promise<NewSession>
  /** Returns whether a request shows a session, which then decides who sends it. */
  isShown(request: Pick<IncomingMessage, 'headers'>): boolean
  /**
   * The caller; undefined if the session has ended, or if a half is wrong or missing. Rejects if the store cannot be
   * read.
   */
  callerOf(request: Pick<IncomingMessage, 'headers' | 'method'>): Promise<Caller | undefined>
  /** Ends the session that a request shows by its header, on every instance. */
  end(request: Pick<IncomingMessage, 'headers'>): Promise<void>
}

/** The local operator, or the owner of the key with that SHA-256. */
export type SessionOwner = 'operator' | { readonly key: string }

export interface NewSession {
  /** The half for the cookie. */
  readonly cookie: string
  /** The half for the page. */
  readonly page: string
}

export interface SessionsOptions {
  /** Shared by all instances. */
  readonly store: Pick<Store, 'records'>
  readonly keys: Pick<Keys, 'operator' | 'withHash'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Seconds: 12 hours. */
export const sessionLife = 43_200
/** The header with the page's half. */
const sessionHeader = 'minutebook-session'

/**
 * Kept as records of the store, one per session: found by the hash of the page's half, with a hash over both. The
 * caller is looked up again for each request, so a session ends with its key.
 *
 * @example
 * const sessions = createSessions({ store, keys, now: () => Date.now() })
 * const { cookie, page } = await sessions.begin({ key: hash('sha256', 'mb_…') })
 */
export function createSessions({ store: { records }, keys, now }: SessionsOptions): Sessions {
  const isOver = ({ ends }: KeptSession): boolean => ends <= now()
  return {
    begin: async (owner) => {
      const kept = await records.find({ name: recordName, thread: null })
      for (const key of surplusOf(kept, owner, isOver)) await records.remove(null, recordName, key)
      const [cookie, page] = [randomHalf(), randomHalf()]
      const value: KeptSession = { owner, both: hashOfBoth(cookie, page), ends: now() + sessionLife * 1000 }
      await records.put(null, [{ name: recordName, key: hashOf(page), value }])
      return { cookie, page }
    },
    isShown: ({ headers }) => headers[sessionHeader] !== undefined,
    callerOf: async (request) => {
      const [cookie, page] = [cookieOf(request), pageHalfIn(request)]
      if (cookie === undefined || page === undefined || !isOwnPages(request)) return undefined
      const [record] = await records.find({ name: recordName, key: hashOf(page), thread: null })
      const session = record && keptIn(record)
      if (!session || isOver(session) || session.both !== hashOfBoth(cookie, page)) return undefined
      const caller = await (session.owner === 'operator' ? keys.operator() : keys.withHash(session.owner.key))
      return caller && { ...caller, inConsole: true }
    },
    end: async (request) => {
      const page = pageHalfIn(request)
      if (page !== undefined) await records.remove(null, recordName, hashOf(page))
    },
  }
}

const recordName = 'session'
/** Per owner. A key that logs in again and again pushes out only its own sessions. */
const mostOfOwner = 20

/** A session as its record has it. */
interface KeptSession {
  readonly owner: SessionOwner
  /** SHA-256 over both halves, in hexadecimal. */
  readonly both: string
  /** Milliseconds since 1970. */
  readonly ends: number
}

/** The keys of records that must be removed before the owner gets another session. The newest record is the first. */
function surplusOf(
  records: readonly StoredRecord[],
  owner: SessionOwner,
  isOver: (session: KeptSession) => boolean,
): readonly string[] {
  const whose = nameOf(owner)
  let own = 0
  return records
    .filter((record) => {
      const session = keptIn(record)
      if (!session || isOver(session)) return true
      return nameOf(session.owner) === whose && ++own >= mostOfOwner
    })
    .map(({ key }) => key)
}

function nameOf(owner: SessionOwner): string {
  return owner === 'operator' ? owner : owner.key
}

/** Undefined if the value is not a session, so no login follows from it. */
function keptIn({ value }: StoredRecord): KeptSession | undefined {
  const { owner, both, ends } = asObject(value)
  const key = owner === 'operator' ? owner : asObject(owner)['key']
  if (typeof key !== 'string' || typeof both !== 'string' || typeof ends !== 'number') return undefined
  return { owner: owner === 'operator' ? owner : { key }, both, ends }
}

function pageHalfIn({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const half = headers[sessionHeader]
  return typeof half === 'string' && half !== '' ? half : undefined
}

function randomHalf(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(half: string): string {
  return hash('sha256', half)
}

function hashOfBoth(cookie: string, page: string): string {
  return hash('sha256', `${cookie}.${page}`)
}

/** The path of the cookie: neither the page itself nor the gateway ever gets it. */
const cookiePath = '/minutebook/v1'

/**
 * The `set-cookie` header with one half of a session, for pages of this server: no script can read it, and no other
 * site can use it. Servers on other ports of the host do get it. An empty value with a lifetime of zero ends it.
 *
 * @example
 * response.setHeader('set-cookie', cookieWith(request, session.cookie, sessionLife))
 */
export function cookieWith(request: Pick<IncomingMessage, 'headers'>, half: string, seconds: number): string {
  const [scheme = ''] = String(request.headers['x-forwarded-proto'] ?? '').split(',', 1)
  return `${nameFor(request)}=${half}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${scheme.trim().toLowerCase() === 'https' ? '; Secure' : ''}`
}

/** The half of a session in a request's cookie; undefined if it does not exist. */
function cookieOf(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const start = `${nameFor(request)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  // Two of one name: another server has set one.
  return found.length === 1 && found[0] !== start ? found[0]!.slice(start.length) : undefined
}

/** Returns whether a request comes from a page of this host and port, as far as its browser says. */
export function isOwnPages({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers send no Sec-Fetch-Site to a plain HTTP server, unless it is this machine.
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD'
  return /^https?:\/\/(.+)$/.exec(headers.origin)?.[1] === headers.host
}

/** Servers on other ports of the same host have their own cookies. */
function nameFor({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1]
  return port === undefined ? 'minutebook' : `minutebook-${port}`
}
