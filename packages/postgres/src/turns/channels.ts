import { MinutebookError } from 'minutebook'
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Database } from '../connection/connection.ts'
import { failureOf } from '../connection/failure.ts'
import { statement } from '../connection/statement.ts'
import type { Listener } from './listener.ts'

/**
 * Notifications that only our instances can send, find and read. Postgres lets every login of a database notify and
 * listen on any channel. So the name of a channel cannot be guessed without the secret of the database, and messages
 * are sealed with it: a role that monitors statements sees the name, but reads no text and can forge nothing.
 */
export interface Channels {
  /** A message as it is sent: the channel of this address, and the sealed payload. */
  sealed(address: Address, message: unknown): readonly [channel: string, payload: string]
  /**
   * Hears the messages of an address, once this has resolved. What was not sealed for it is ignored. Returns what ends
   * it.
   */
  listen(address: Address, hear: (message: unknown) => void): Promise<() => Promise<void>>
}

/** The purpose of a channel, and its owner. */
export type Address = readonly [purpose: 'feed' | 'cancel' | 'wake', ...of: string[]]

const findSecret = statement('secret')

/**
 * Reads the secret of the database. Fails with `store_outdated` before `migrate`, and with `store_forbidden` for a role
 * that may not read it.
 */
export async function openChannels(database: Database, listener: Listener): Promise<Channels> {
  const channelOf = createDirectory(await readSecret(database))
  return {
    sealed: (address, message) => {
      const { name, key } = channelOf(address)
      return [name, seal(key, JSON.stringify(message))]
    },
    listen: (address, hear) => {
      const { name, key } = channelOf(address)
      return listener.listen(name, (payload) => {
        const opened = unseal(key, payload)
        if (opened !== undefined) hear(JSON.parse(opened) as unknown)
      })
    },
  }
}

async function readSecret(database: Database): Promise<KeyObject> {
  const {
    rows: [found],
  } = await database.query<{ readonly value: Buffer }>(findSecret.text, ['notification']).catch((error: unknown) => {
    throw failureOf(error)
  })
  if (found && found.value.length >= secretBytes) return createSecretKey(found.value)
  throw new MinutebookError(
    'no_secret',
    'The table minutebook.secret has no usable row "notification", so instances cannot send messages to each other.',
    `Restore it from a backup, or put ${secretBytes} random bytes there and restart all instances.`,
  )
}

const secretBytes = 32

/** The channel of an address. */
interface Channel {
  /** It says nothing. */
  readonly name: string
  /** Each address has a key of its own, so that a message of one channel cannot be sent again on another. */
  readonly key: KeyObject
}

/**
 * Finds the channels of addresses, and caches the last used ones: a turn sends each piece of its text to one channel.
 * All keys are key objects, because Node needs longer to detect the kind of raw key bytes than to seal a message.
 */
function createDirectory(secret: KeyObject): (address: Address) => Channel {
  const known = new Map<string, Channel>()
  const derived = (purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest()
  return (address) => {
    const place = JSON.stringify(address)
    const found = known.get(place) ?? {
      name: `minutebook_${derived(`channel ${place}`).toString('hex').slice(0, 40)}`,
      key: createSecretKey(derived(`key ${place}`)),
    }
    // To the end, so that the first is the least recently used.
    known.delete(place)
    known.set(place, found)
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return found
  }
}

const mostKnown = 1000

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Bytes that sealing adds, before all of it is written in base64. */
const overhead = nonceBytes + tagBytes

/** Postgres takes less than 8,000 bytes a notification: the bytes of a message that fit in, as JSON. */
export const longestMessage: number = Math.floor(7999 / 4) * 3 - overhead

function seal(key: KeyObject, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]).toString('base64')
}

/** Undefined if the payload was not made with this key. */
function unseal(key: KeyObject, payload: string): string | undefined {
  const bytes = Buffer.from(payload, 'base64')
  if (bytes.length < overhead) return undefined
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    opening.setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
