import { expect, test } from 'vitest'
import { entryOf } from 'minutebook'
import { testDatabase } from '../../postgres/test/support/database.ts'
import { openStores } from '../src/index.ts'
import { gateway, testConfig } from './support/gateway.ts'

const database = testDatabase()

test('with a database the server keeps nothing in its folder but its address, and tenants are apart', async () => {
  const keys = [{ name: 'a', sha256: '1'.repeat(64), tenant: 'garden', operator: false }]
  const one = await gateway({ database: database.url, keys })
  const two = await gateway({ database: database.url, keys })
  await one.services.stores.of('garden').store.append('t', [entryOf({ role: 'user', content: 'x' })])
  expect((await two.services.stores.of('garden').store.read('t')).length).toBe(1)
  expect(await two.services.stores.of('default').store.read('t')).toEqual([])
  expect((await fetch(`${two.url}/readyz`)).status).toBe(200)
})

test('a database that is not there says so, without its password', async () => {
  const opening = openStores(testConfig({ database: 'postgres://me:canary-4711@127.0.0.1:1/x' }))
  const error = await opening.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'store_unreachable' })
  expect(JSON.stringify([String(error), error])).not.toContain('4711')
})
