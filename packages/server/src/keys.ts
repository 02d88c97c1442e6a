import { hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from './caller.ts'
import type { KeyConfig } from './config.ts'
import type { Refusal } from './refusal.ts'

/** Tells who asks. */
export interface Keys {
  /** By the Authorization header; undefined where keys are in use and this is none. */
  identify(authorization: string | undefined): Caller | undefined
}

/**
 * `token`: of the local operator. Keys are compared by their hashes, each with all, in the same time whatever they are.
 *
 * @example
 * const caller = createKeys(config.keys, token).identify(request.headers.authorization)
 */
export function createKeys(keys: readonly KeyConfig[], token: string): Keys {
  const known = keys.map((key) => ({ hash: Buffer.from(key.sha256, 'hex'), caller: callerOf(key) }))
  const operator = { hash: hashOf(token), caller: { name: keys.length > 0 ? 'operator' : '', tenant: 'default', operator: true, shown: 'token' } as const }
  const ownerOf = (given: Buffer): Caller | undefined => {
    let found: Caller | undefined
    for (const { hash: other, caller } of [...known, operator]) if (timingSafeEqual(given, other)) found = caller
    return found
  }
  return {
    identify: (authorization) => {
      const bearer = bearerOf(authorization)
      return (bearer === '' ? undefined : ownerOf(hashOf(bearer))) ?? (keys.length === 0 ? anybody : undefined)
    },
  }
}

/** Where there are no keys, whoever reaches the server may speak. */
const anybody: Caller = { name: '', tenant: 'default', operator: false, shown: 'nothing' }

export const noKey: Refusal = {
  status: 401,
  code: 'no_key',
  message: 'This server wants a key, and this is none that it knows. Send one as "Authorization: Bearer <key>": it is the API key in the settings of your client.',
  headers: { 'www-authenticate': 'Bearer' },
}

export const notOperator: Refusal = {
  status: 403,
  code: 'not_operator',
  message: 'The record is read by its operator alone. Use the minutebook command on the machine of the server, or a key with "operator: true".',
}

/** To keys with `system: false`. */
export const onlyChats: Refusal = {
  status: 403,
  code: 'only_chats',
  message: 'This key is for chats alone: it may send no system messages, and other requests could hold some. Use another key, or take "system: false" off this one.',
}

function callerOf({ name, tenant, operator, system }: KeyConfig): Caller {
  return { name, tenant, operator, shown: 'key', ...(system === false && { system }) }
}

function bearerOf(authorization = ''): string {
  const [scheme = '', ...rest] = authorization.split(' ')
  return scheme.toLowerCase() === 'bearer' ? rest.join(' ').trim() : ''
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
