import { MinutebookError } from 'minutebook'
import { hash, randomBytes } from 'node:crypto'
import type { Caller, Scope } from '../config/caller.ts'
import type { KeyConfig } from '../config/config.ts'
import { keyName, keyScope, tenantName } from '../config/shapes.ts'
import type { KeyRecord, RecordedKey } from './key-record.ts'

/** Makes and revokes keys. Every instance follows within a few seconds. */
export interface KeyRing {
  /** Only the returned value contains the key itself. Throws `key_exists`, `too_many_keys`, `invalid_key`. */
  create(
    wanted: Pick<KnownKey, 'name' | 'tenant' | 'scope' | 'decide'> & {
      /** Seconds until it ends by itself. Several keys that do may share a name. Default: it does not. */
      readonly expiresIn?: number | undefined
    },
  ): Promise<MadeKey>
  /** All that there are, revoked ones too. */
  list(): Promise<readonly KnownKey[]>
  /**
   * By its name, or as `tenant:name` if several tenants have that name: every valid key of that name, or the one with
   * that SHA-256. Throws `unknown_key`, and `configured_key` for a key of the settings.
   */
  revoke(name: string, sha256?: string): Promise<KnownKey>
}

/** A key without its secret. */
export interface KnownKey {
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  /** The key of an app that may decide about calls that need approval. Admins may without it. */
  readonly decide?: true | undefined
  /** Where the key comes from: the settings, or the record. */
  readonly source: 'configured' | 'recorded'
  /** When it was made, for recorded keys. */
  readonly time?: string
  readonly revoked?: string
  /** When it ends by itself. */
  readonly expires?: string
}

/** A new key, with its secret. */
export interface MadeKey extends KnownKey {
  /** `mb_` and 40 characters. Shown this once. */
  readonly key: string
}

/** What a new key may do. */
export interface WantedKey {
  readonly name: string
  readonly scope: Scope
  /** Whether it may also manage what belongs to all tenants. Default: false. */
  readonly installation?: boolean | undefined
  /** Whether an app may decide about calls that need approval. Default: false. */
  readonly decide?: boolean | undefined
}

/** A key that is not recorded yet, and the hash that the settings need. */
export interface GeneratedKey {
  readonly key: string
  /** One of the list `keys` in the settings. */
  readonly setting: {
    readonly name: string
    readonly sha256: string
    readonly scope: Scope
    readonly installation?: true
    readonly decide?: true
  }
}

/**
 * @example
 * const { key } = await createKeyRing(config.keys, keyRecord(store)).create({ name: 'app', tenant: 'garden', scope: 'app' })
 */
export function createKeyRing(
  configured: readonly KeyConfig[],
  record: KeyRecord,
  now: () => string = () => new Date().toISOString(),
): KeyRing {
  const isConfigured = (name: string, tenant?: string): boolean =>
    configured.some((key) => key.name === name && (tenant === undefined || key.tenant === tenant))
  return {
    create: async ({ name, tenant, scope, decide, expiresIn }) => {
      checkKey({ name, tenant, scope, decide })
      if (isConfigured(name, tenant) || name === ownName) throw keyExistsError()
      const { key, sha256 } = randomKey()
      const time = now()
      const expires = expiresIn === undefined ? undefined : new Date(Date.parse(time) + expiresIn * 1000).toISOString()
      const made = {
        name,
        tenant,
        scope,
        ...(decide && { decide }),
        sha256,
        time,
        ...(expires !== undefined && { expires }),
      }
      await record.write(made)
      if (!record.withHash(sha256)) throw keyExistsError()
      return { ...shown(made), key }
    },
    list: async () => {
      await record.refresh()
      return [
        ...configured.map(({ name, tenant, scope, decide }): KnownKey => ({
          name,
          tenant,
          scope,
          ...(decide === true && { decide }),
          source: 'configured',
        })),
        ...record.all().map(shown),
      ]
    },
    revoke: async (asked, sha256) => {
      const [name = '', tenant] = asked.split(':').toReversed()
      await record.refresh()
      const found = record
        .all()
        .filter(
          (each) =>
            each.name === name &&
            each.revoked === undefined &&
            (tenant === undefined || each.tenant === tenant) &&
            (sha256 === undefined || each.sha256 === sha256),
        )
      const key = found.at(-1)
      if (found.some((each) => each.tenant !== key?.tenant))
        throw new MinutebookError(
          'unknown_key',
          'Several tenants have a key with this name.',
          'Name the key as tenant:name.',
        )
      if (!key)
        throw isConfigured(name, tenant)
          ? new MinutebookError(
              'configured_key',
              'This key is in the settings of the server.',
              'Remove the key there, and restart the server.',
            )
          : unknownKeyError()
      for (const each of found) await record.revoke(each, now())
      return shown(record.all().find((each) => each.sha256 === key.sha256) ?? key)
    },
  }
}

/**
 * The key ring as a caller may use it: the operator of the installation for all tenants, others for their own. Keys of
 * other tenants are not listed.
 *
 * @example
 * const keys = await ringFor(services.keyRing, visit.caller).list()
 */
export function ringFor(ring: KeyRing, { tenant, installation }: Caller): KeyRing {
  if (installation === true) return ring
  const own = async (): Promise<readonly KnownKey[]> => (await ring.list()).filter((key) => key.tenant === tenant)
  return {
    create: async (wanted) => {
      if (wanted.tenant !== tenant)
        throw new MinutebookError(
          'foreign_tenant',
          'An admin of a tenant can only make keys for that tenant.',
          'For another tenant, use the minutebook command on the machine of the server, or a key of the settings with "installation: true".',
        )
      return ring.create(wanted)
    },
    list: own,
    revoke: async (asked, sha256) => {
      const name = asked.startsWith(`${tenant}:`) ? asked.slice(tenant.length + 1) : asked
      if (!(await own()).some((key) => key.name === name)) throw unknownKeyError()
      return ring.revoke(`${tenant}:${name}`, sha256)
    },
  }
}

/** The name of the local operator, next to those of keys. */
export const ownName = 'operator'

/**
 * A new key, and the setting that admits it. Nothing is recorded.
 *
 * @example
 * generateKey({ name: 'me', scope: 'admin' }).setting // { name: 'me', sha256: '…', scope: 'admin' }
 */
export function generateKey({ name, scope, installation = false, decide = false }: WantedKey): GeneratedKey {
  checkKey({ name, tenant: 'default', scope, decide })
  if (installation && scope !== 'admin')
    throw new MinutebookError(
      'invalid_key',
      'Only an admin can have the rights of the installation.',
      'Use the scope admin.',
      { field: 'scope' },
    )
  const { key, sha256 } = randomKey()
  return { key, setting: { name, sha256, scope, ...(installation && { installation }), ...(decide && { decide }) } }
}

function randomKey(): { readonly key: string; readonly sha256: string } {
  const key = `mb_${randomBytes(30).toString('base64url')}`
  return { key, sha256: hash('sha256', key) }
}

function checkKey(wanted: {
  readonly name: unknown
  readonly tenant: unknown
  readonly scope: unknown
  readonly decide?: boolean | undefined
}): void {
  const shapes = { name: keyName, tenant: tenantName, scope: keyScope }
  for (const field of ['name', 'tenant', 'scope'] as const) {
    const checked = shapes[field].safeParse(wanted[field])
    if (!checked.success)
      throw new MinutebookError(
        'invalid_key',
        `The ${field} of the key is not valid.`,
        `The ${field} ${checked.error.issues[0]?.message ?? 'is wrong.'}`,
        { field },
      )
  }
  if (wanted.decide === true && wanted.scope === 'viewer')
    throw new MinutebookError('invalid_key', 'A viewer only reads, so it cannot decide.', 'Use the scope app.', {
      field: 'decide',
    })
}

function shown(key: RecordedKey): KnownKey {
  const { sha256: _, ...rest } = key
  return { ...rest, source: 'recorded' }
}

function keyExistsError(): MinutebookError {
  return new MinutebookError(
    'key_exists',
    'The tenant already has a key with this name, or the name is reserved.',
    'Revoke that key first, or choose another name.',
  )
}

function unknownKeyError(): MinutebookError {
  return new MinutebookError('unknown_key', 'There is no such key.', 'List the keys to see which ones exist.')
}
