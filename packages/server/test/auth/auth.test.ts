import { memoryStore, type Store } from 'minutebook'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createKeys, type Keys } from '../../src/auth/auth.ts'
import { keyRecord } from '../../src/auth/key-record.ts'
import { createKeyRing, ringFor, type KeyRing } from '../../src/auth/key-ring.ts'
import type { Caller, KeyConfig } from '../../src/index.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const configured: readonly KeyConfig[] = [
  { name: 'app', sha256: sha256('key one'), tenant: 'default', scope: 'app' },
  { name: 'desk', sha256: sha256('key-two'), tenant: 'garden', scope: 'admin' },
  { name: 'wall', sha256: sha256('key-three'), tenant: 'garden', scope: 'viewer' },
]

/** An instance on a store: what it knows of keys, and how it makes them. */
function instance(
  store: Pick<Store, 'records'> = memoryStore(),
  keys: readonly KeyConfig[] = configured,
  token = 'token',
  now?: () => number,
): { readonly keys: Keys; readonly ring: KeyRing; readonly refresh: () => Promise<void> } {
  const record = keyRecord(store, now)
  return {
    keys: createKeys({ configured: keys, token, record }),
    ring: createKeyRing(keys, record),
    refresh: () => record.refresh(),
  }
}

const nameOf = async (keys: Keys, authorization: string | undefined): Promise<string | undefined> =>
  (await keys.identify(authorization))?.name

test.each([
  ['Bearer key one', 'app'],
  ['bearer key-two', 'desk'],
  ['BEARER  key-two ', 'desk'],
  ['Bearer token', 'operator'],
  ['Bearer key-four', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['key-two', undefined],
  ['Basic key-two', undefined],
  [`Bearer ${sha256('key-two')}`, undefined],
  ['Bearer key-two, Bearer key-two', undefined],
  ['', undefined],
  [undefined, undefined],
])('with keys, %j is %s', async (authorization, name) => {
  expect(await nameOf(instance().keys, authorization)).toBe(name)
})

test('a key says whose threads it reads, and what it may do', async () => {
  const { keys } = instance()
  expect(await keys.identify('Bearer key-two')).toEqual({
    name: 'desk',
    tenant: 'garden',
    scope: 'admin',
    shown: 'key',
  })
  expect(await keys.identify('Bearer key-three')).toEqual({
    name: 'wall',
    tenant: 'garden',
    scope: 'viewer',
    shown: 'key',
  })
  expect(await keys.identify('Bearer token')).toEqual({
    name: 'operator',
    tenant: 'default',
    scope: 'admin',
    installation: true,
    shown: 'token',
  })
})

test('a key of the settings may be of the installation, or for chats alone; one on record is neither', async () => {
  const { keys, ring } = instance(memoryStore(), [
    { name: 'owner', sha256: sha256('owner-key'), tenant: 'garden', scope: 'admin', installation: true },
    { name: 'guest', sha256: sha256('guest-key'), tenant: 'garden', scope: 'app', system: false },
  ])
  expect(await keys.identify('Bearer owner-key')).toEqual({
    name: 'owner',
    tenant: 'garden',
    scope: 'admin',
    installation: true,
    shown: 'key',
  })
  expect(await keys.identify('Bearer guest-key')).toEqual({
    name: 'guest',
    tenant: 'garden',
    scope: 'app',
    system: false,
    shown: 'key',
  })
  const { key } = await ring.create({ name: 'new', tenant: 'garden', scope: 'admin', installation: true } as never)
  expect(await keys.identify(`Bearer ${key}`)).toEqual({
    name: 'new',
    tenant: 'garden',
    scope: 'admin',
    shown: 'key',
  })
})

test('without keys everybody may speak, and only the token makes an admin', async () => {
  const { keys } = instance(memoryStore(), [])
  expect(keys.identify(undefined)).toEqual({ name: '', tenant: 'default', scope: 'app', shown: 'nothing' })
  expect(keys.identify('Bearer anything')).toEqual({ name: '', tenant: 'default', scope: 'app', shown: 'nothing' })
  expect(keys.identify('Bearer token')).toEqual({
    name: '',
    tenant: 'default',
    scope: 'admin',
    installation: true,
    shown: 'token',
  })
})

test('no token is no token, even where it is empty', async () => {
  expect(await instance(memoryStore(), configured, '').keys.identify('Bearer ')).toBeUndefined()
})

describe('a key on record', () => {
  const wanted = { name: 'phone', tenant: 'garden', scope: 'app' } as const

  test('is shown once, counts at once on every instance, and is kept as its hash', async () => {
    const store = memoryStore()
    const [one, other] = [instance(store), instance(store)]
    const made = await one.ring.create(wanted)
    expect(made).toEqual({
      ...wanted,
      source: 'recorded',
      time: expect.any(String),
      key: expect.stringMatching(/^mb_[\w-]{40}$/),
    })
    for (const { keys } of [one, other])
      expect(await keys.identify(`Bearer ${made.key}`)).toEqual({ ...wanted, shown: 'key' })
    const kept = JSON.stringify(await store.records.find({ name: 'key' }))
    expect(kept).toContain(sha256(made.key))
    expect(kept).not.toContain(made.key)
    expect(JSON.stringify(await other.ring.list())).not.toMatch(/mb_|sha256|[0-9a-f]{64}/)
  })

  test('counts no more when it is revoked: here at once, elsewhere with the next reading', async () => {
    const store = memoryStore()
    const [one, other] = [instance(store), instance(store)]
    const { key } = await one.ring.create(wanted)
    expect(await nameOf(other.keys, `Bearer ${key}`)).toBe('phone')
    expect(await one.ring.revoke('phone')).toMatchObject({ name: 'phone', revoked: expect.any(String) })
    expect(await nameOf(one.keys, `Bearer ${key}`)).toBeUndefined()
    await other.refresh()
    expect(await nameOf(other.keys, `Bearer ${key}`)).toBeUndefined()
    await expect(one.ring.revoke('phone')).rejects.toMatchObject({ code: 'unknown_key' })
  })

  test('can be followed by another of its name, and the first stays revoked', async () => {
    const { keys, ring } = instance()
    const first = await ring.create(wanted)
    await expect(ring.create({ ...wanted, scope: 'viewer' })).rejects.toMatchObject({ code: 'key_exists' })
    await ring.revoke('phone')
    const second = await ring.create({ ...wanted, scope: 'viewer' })
    expect(await keys.identify(`Bearer ${second.key}`)).toMatchObject({ name: 'phone', scope: 'viewer' })
    expect(await keys.identify(`Bearer ${first.key}`)).toBeUndefined()
    expect((await ring.list()).map(({ name, revoked }) => [name, revoked !== undefined])).toEqual([
      ['app', false],
      ['desk', false],
      ['wall', false],
      ['phone', true],
      ['phone', false],
    ])
  })

  test('has its name for itself, whoever makes one at the same time', async () => {
    const store = memoryStore()
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => instance(store).ring.create(wanted)))
    const good = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.key] : []))
    expect(good.length).toBe(1)
    expect(await nameOf(instance(store).keys, `Bearer ${good[0]}`)).toBe('phone')
  })

  test('of a name that another has is none, on every instance, until that one is revoked', async () => {
    const store = memoryStore()
    const [one, other] = [keyRecord(store), keyRecord(store)]
    const key = (secret: string): Parameters<typeof one.write>[0] => ({
      ...wanted,
      sha256: sha256(secret),
      time: '2026-11-15T12:00:00.000Z',
    })
    await one.write(key('first'))
    await other.write(key('second'))
    await one.refresh()
    for (const record of [one, other]) {
      expect([record.all().map((each) => each.sha256), record.withHash(sha256('second'))]).toEqual([
        [sha256('first')],
        undefined,
      ])
    }
    await other.revoke(other.withHash(sha256('first'))!, '2026-11-15T13:00:00.000Z')
    await one.write(key('third'))
    await other.refresh()
    for (const record of [one, other])
      expect(['first', 'second', 'third'].map((secret) => record.withHash(sha256(secret))?.name)).toEqual([
        undefined,
        undefined,
        'phone',
      ])
  })

  test('that ends by itself shares its name with others that do, and ends alone', async () => {
    const store = memoryStore()
    let time = '2026-11-15T12:00:00.000Z'
    const record = keyRecord(store, undefined, () => time)
    const ring = createKeyRing([], record, () => time)
    const run = { ...wanted, name: 'wrap-ann', expiresIn: 3600 }
    const [one, two] = [await ring.create(run), await ring.create(run)]
    const valid = (): readonly boolean[] => [one, two].map(({ key }) => record.withHash(sha256(key)) !== undefined)
    expect([one.expires, valid()]).toEqual(['2026-11-15T13:00:00.000Z', [true, true]])
    await expect(ring.create({ ...run, expiresIn: undefined })).rejects.toMatchObject({ code: 'key_exists' })
    await ring.revoke('wrap-ann', sha256(one.key))
    expect(valid()).toEqual([false, true])
    await expect(ring.revoke('wrap-ann', sha256(one.key))).rejects.toMatchObject({ code: 'unknown_key' })
    time = '2026-11-15T13:00:00.000Z'
    expect(valid()).toEqual([false, false])
    // Nothing is kept of those that ended, so that a name has not one more for each run.
    const three = await ring.create(run)
    expect(record.all().map((each) => each.sha256)).toEqual([sha256(three.key)])
    await ring.create(run)
    await ring.revoke('wrap-ann')
    expect(record.all().every(({ revoked }) => revoked === time)).toBe(true)
  })

  test('for a run is the 100th of its name or refused: no key of another run makes way', async () => {
    const store = memoryStore()
    const time = '2026-11-15T12:00:00.000Z'
    const expires = '2026-11-15T13:00:00.000Z'
    const runs = Array.from({ length: 100 }, (_, run) => ({ ...wanted, sha256: sha256(`run ${run}`), time, expires }))
    await store.records.put(null, [{ name: 'key', key: 'garden:phone', value: runs }])
    const record = keyRecord(store, undefined, () => time)
    const ring = createKeyRing([], record, () => time)
    await expect(ring.create({ ...wanted, expiresIn: 60 })).rejects.toMatchObject({ code: 'too_many_keys' })
    await record.refresh()
    expect(runs.filter((each) => record.withHash(each.sha256)).length).toBe(100)
    await ring.revoke('phone', runs[7]?.sha256)
    await ring.create({ ...wanted, expiresIn: 60 })
    expect(runs.filter((each) => record.withHash(each.sha256)).length).toBe(99)
  })

  test('for a run that is over goes when a key is made under any name; others stay, and so does the last', async () => {
    const store = memoryStore()
    let time = '2026-11-15T12:00:00.000Z'
    const record = keyRecord(store, undefined, () => time)
    const ring = createKeyRing([], record, () => time)
    const names = (): readonly string[] =>
      record
        .all()
        .map(({ name }) => name)
        .toSorted()
    await ring.create({ ...wanted, name: 'lasting' })
    await ring.revoke('lasting')
    for (const name of ['ended', 'revoked', 'running'])
      await ring.create({ ...wanted, name, expiresIn: name === 'ended' ? 60 : 3600 })
    await ring.revoke('revoked')
    time = '2026-11-15T12:30:00.000Z'
    expect(names()).toEqual(['ended', 'lasting', 'revoked', 'running'])
    // It has ended when it is written, and remains: where no key is on record, none is needed.
    await expect(ring.create({ ...wanted, name: 'new', expiresIn: 0 })).rejects.toMatchObject({ code: 'key_exists' })
    expect(names()).toEqual(['lasting', 'new', 'running'])
    const left = await store.records.find({ name: 'key', thread: null })
    expect(left.map(({ key }) => key).toSorted()).toEqual(['garden:lasting', 'garden:new', 'garden:running'])
  })

  test('makes keys needed: revoking the last one lets nobody in', async () => {
    const { keys, ring } = instance(memoryStore(), [])
    expect(await nameOf(keys, undefined)).toBe('')
    await ring.create(wanted)
    expect(await nameOf(keys, undefined)).toBeUndefined()
    await ring.revoke('phone')
    expect(await nameOf(keys, 'Bearer x')).toBeUndefined()
    expect(await nameOf(keys, 'Bearer token')).toBe('operator')
  })

  test.each([
    ['a name with a slash', { ...wanted, name: 'a/b' }, 'invalid_key', /letters, digits/],
    ['no name', { ...wanted, name: '' }, 'invalid_key', /short name/],
    ['a tenant that is a path', { ...wanted, tenant: '../up' }, 'invalid_key', /small letters/],
    ['a scope that there is not', { ...wanted, scope: 'root' as never }, 'invalid_key', /admin or app or viewer/],
    ['the name of a key in the settings', { ...wanted, name: 'desk' }, 'key_exists', /another name/],
    ['the name of the local operator', { ...wanted, name: 'operator' }, 'key_exists', /another name/],
  ])('is not made with %s', async (_, asked, code, message) => {
    await expect(instance().ring.create(asked)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('of the settings is taken out of the settings', async () => {
    await expect(instance().ring.revoke('app')).rejects.toMatchObject({ code: 'configured_key' })
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['another shape', {}],
    ['no key', []],
    ['a text', 'key'],
    ['a scope that there is not', [{ ...wanted, scope: 'root', sha256: sha256('forged'), time: '' }]],
    ['no hash', [{ ...wanted, time: '' }]],
  ])('that says %s is an error for whoever starts, and never open to all', async (_, value) => {
    const store = memoryStore()
    await store.records.put(null, [{ name: 'key', key: 'garden:phone', value }])
    const { keys, ring } = instance(store, [])
    await expect(keys.open()).rejects.toMatchObject({ code: 'store_corrupt' })
    await expect(ring.list()).rejects.toMatchObject({ code: 'store_corrupt' })
  })
})

describe('while the store cannot be read', () => {
  test('configured keys count, recorded ones for a minute, unknown ones not', async () => {
    let [isGone, clock] = [false, 0]
    const store = memoryStore()
    const flaky: Pick<Store, 'records'> = {
      records: {
        ...store.records,
        find: async (query) => (isGone ? Promise.reject(new Error('gone')) : store.records.find(query)),
      },
    }
    const { keys, ring, refresh } = instance(flaky, configured, 'token', () => clock)
    const { key } = await ring.create({ name: 'phone', tenant: 'default', scope: 'app' })
    isGone = true
    clock = 59_000
    await expect(refresh()).rejects.toThrow('gone')
    expect(await nameOf(keys, `Bearer ${key}`)).toBe('phone')
    clock = 61_000
    expect(() => keys.identify(`Bearer ${key}`)).toThrow(/cannot check whether this key is still valid/)
    expect(await nameOf(keys, 'Bearer key-two')).toBe('desk')
    await expect(keys.identify('Bearer unknown')).rejects.toThrow('gone')
    isGone = false
    await refresh()
    expect(await nameOf(keys, `Bearer ${key}`)).toBe('phone')
  })

  test('many who ask with unknown keys are served by few readings', async () => {
    let readings = 0
    const store = memoryStore()
    const counted: Pick<Store, 'records'> = {
      records: { ...store.records, find: async (query) => (readings++, store.records.find(query)) },
    }
    const { keys } = instance(counted)
    await Promise.all(Array.from({ length: 100 }, async (_, index) => keys.identify(`Bearer wrong ${index}`)))
    expect(readings).toBeLessThanOrEqual(2)
  })
})

describe('what a caller may do with keys', () => {
  const admin = (tenant: string, more: Partial<Caller> = {}): Caller => ({
    name: 'x',
    tenant,
    scope: 'admin',
    shown: 'key',
    ...more,
  })

  test('with a key of a tenant: those of the tenant, and no other is there', async () => {
    const { ring } = instance()
    await ring.create({ name: 'theirs', tenant: 'kitchen', scope: 'app' })
    const own = ringFor(ring, admin('garden'))
    expect((await own.list()).map(({ name }) => name)).toEqual(['desk', 'wall'])
    await expect(own.revoke('theirs')).rejects.toMatchObject({ code: 'unknown_key' })
    await expect(own.revoke('nobody')).rejects.toMatchObject({ code: 'unknown_key' })
    await expect(own.create({ name: 'y', tenant: 'kitchen', scope: 'app' })).rejects.toMatchObject({
      code: 'foreign_tenant',
    })
    await own.create({ name: 'y', tenant: 'garden', scope: 'app' })
    expect((await own.revoke('y')).tenant).toBe('garden')
  })

  test('names are those of a tenant: what another has neither hinders nor shows', async () => {
    const { keys, ring } = instance()
    await ring.create({ name: 'phone', tenant: 'kitchen', scope: 'app' })
    const own = ringFor(ring, admin('garden'))
    const made = await own.create({ name: 'phone', tenant: 'garden', scope: 'viewer' })
    await own.create({ name: 'app', tenant: 'garden', scope: 'app' })
    expect(await keys.identify(`Bearer ${made.key}`)).toMatchObject({ name: 'phone', tenant: 'garden' })
    await expect(ring.revoke('phone')).rejects.toMatchObject({
      code: 'unknown_key',
      message: expect.stringContaining('tenant:name') as string,
    })
    expect(await own.revoke('phone')).toMatchObject({ tenant: 'garden' })
    expect(await ring.revoke('kitchen:phone')).toMatchObject({ tenant: 'kitchen' })
    expect(await keys.identify(`Bearer ${made.key}`)).toBeUndefined()
  })

  test('a key on record can be revoked, though one of the settings has its name', async () => {
    const store = memoryStore()
    // Whoever makes keys straight in the database does not know the settings of the server.
    const { key } = await instance(store, []).ring.create({ name: 'desk', tenant: 'garden', scope: 'app' })
    const { keys, ring } = instance(store)
    expect(await nameOf(keys, `Bearer ${key}`)).toBe('desk')
    await ring.revoke('desk')
    expect(await nameOf(keys, `Bearer ${key}`)).toBeUndefined()
    await expect(ring.revoke('desk')).rejects.toMatchObject({ code: 'configured_key' })
  })

  test('as the operator of the installation: all of them', async () => {
    const { ring } = instance()
    const all = ringFor(ring, admin('default', { installation: true }))
    await all.create({ name: 'y', tenant: 'kitchen', scope: 'app' })
    expect((await all.list()).length).toBe(configured.length + 1)
  })
})
