import { MinutebookError } from 'minutebook'
import { hash } from 'node:crypto'
import type { Caller } from '../config/caller.ts'
import type { KeyConfig } from '../config/config.ts'
import type { Refusal } from '../http/reply.ts'
import type { KeyRecord } from './key-record.ts'
import { ownName } from './key-ring.ts'

/** Finds out who sends a request. */
export interface Keys {
  /**
   * By the Authorization header; undefined if keys are in use and this is not one of them. Returns at once for known
   * keys, and reads the record first for others. Rejects if the record cannot be read.
   */
  identify(authorization: string | undefined): Caller | undefined | Promise<Caller | undefined>
  /**
   * The owner of the key with that SHA-256; undefined if no valid key has it. Reads the record and rejects as
   * `identify` does.
   */
  withHash(sha256: string): Caller | undefined | Promise<Caller | undefined>
  /** The local operator, as a caller. */
  operator(): Caller
  /** Call it at start: it reads the recorded keys, and goes on reading them. */
  open(): Promise<void>
  close(): void
}

export interface KeysOptions {
  readonly configured: readonly KeyConfig[]
  /** Of the local operator. */
  readonly token: string
  readonly record: KeyRecord
  /** Whether a key or the token is required even if no key was ever made. Default: false. */
  readonly isRequired?: boolean | undefined
}

/**
 * Keys are looked up by their hashes, so the timing of a lookup does not help to guess a key. Once a key was made, keys
 * are required: revoking the last one leaves the server closed.
 *
 * @example
 * const caller = await createKeys({ configured: config.keys, token, record }).identify(request.headers.authorization)
 */
export function createKeys({ configured, token, record, isRequired = false }: KeysOptions): Keys {
  const known = new Map(configured.map((key) => [key.sha256, callerOf(key)]))
  const isKeyNeeded = (): boolean => isRequired || keysInUse(configured, record)
  const own = token === '' ? undefined : hashOf(token)
  const operator = (): Caller => ({
    name: isKeyNeeded() ? ownName : '',
    tenant: 'default',
    scope: 'admin',
    installation: true,
    shown: 'token',
  })
  const recorded = (sha256: string): Caller | undefined => {
    const key = record.withHash(sha256)
    if (key && record.age() > longestBlind)
      throw new MinutebookError(
        'store_unreachable',
        'The server cannot check whether this key is still valid.',
        'Try again in a moment.',
      )
    return key && callerOf(key)
  }
  const withHash: Keys['withHash'] = (sha256) =>
    known.get(sha256) ?? recorded(sha256) ?? record.refresh().then(() => recorded(sha256))
  let timer: NodeJS.Timeout | undefined
  return {
    withHash,
    operator,
    identify: (authorization) => {
      const bearer = bearerOf(authorization)
      if (bearer === '') return isKeyNeeded() ? undefined : anybody
      const sha256 = hashOf(bearer)
      if (sha256 === own) return operator()
      // Another instance may have made the first key a moment ago.
      if (!isKeyNeeded() && !bearer.startsWith('mb_')) return anybody
      const found = withHash(sha256)
      return found instanceof Promise ? found.then((caller) => caller ?? (isKeyNeeded() ? undefined : anybody)) : found
    },
    open: async () => {
      await record.refresh()
      // A record that cannot be read now is read the next time.
      timer = setInterval(() => void record.refresh().catch(() => undefined), readingEvery).unref()
    },
    close: () => clearInterval(timer),
  }
}

/** Whether a key was ever made. */
export function keysInUse(configured: readonly KeyConfig[], record: Pick<KeyRecord, 'all'>): boolean {
  return configured.length > 0 || record.all().length > 0
}

/** Approximate milliseconds until a revocation counts on every instance. */
const readingEvery = 2000
/** Milliseconds for which recorded keys are trusted while the record cannot be read, so revocations are unknown. */
const longestBlind = 60_000

/** Without keys, every client that reaches the server may use it. */
const anybody: Caller = { name: '', tenant: 'default', scope: 'app', shown: 'nothing' }

export const noKey: Refusal = {
  status: 401,
  code: 'unauthorized',
  problem: 'This server requires a valid key.',
  fix: 'Send the key as "Authorization: Bearer <key>" or "x-api-key: <key>". In the settings of your client, it is the API key.',
  headers: { 'www-authenticate': 'Bearer' },
}

export const keysUnread: Refusal = {
  status: 503,
  code: 'store_unreachable',
  problem: 'The server cannot check whether this key or session is valid, because the store does not answer.',
  fix: 'Try again in a moment.',
  headers: { 'retry-after': '2' },
}

/** What `find` returns; `unread` if the store cannot be read. */
export async function orUnread(
  find: () => Caller | undefined | Promise<Caller | undefined>,
): Promise<Caller | 'unread' | undefined> {
  try {
    return await find()
  } catch (error) {
    if (MinutebookError.isInstance(error)) return 'unread'
    throw error
  }
}

function callerOf({
  name,
  tenant,
  scope,
  system,
  installation,
  decide,
}: Pick<KeyConfig, 'name' | 'tenant' | 'scope' | 'system' | 'installation' | 'decide'>): Caller {
  return {
    name,
    tenant,
    scope,
    shown: 'key',
    ...(system === false && { system }),
    ...(installation === true && { installation }),
    ...(decide === true && { decide }),
  }
}

function bearerOf(authorization = ''): string {
  const [scheme = '', ...rest] = authorization.split(' ')
  return scheme.toLowerCase() === 'bearer' ? rest.join(' ').trim() : ''
}

function hashOf(text: string): string {
  return hash('sha256', text)
}
