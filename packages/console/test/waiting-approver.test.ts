import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { scopes } from '../../server/src/config/caller.ts'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, settled } from './support/enter.ts'
import { shop, waitingCall } from './support/shop.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

test('a key that may not approve sees why, and can still answer', async () => {
  const keys = scopes.map((scope) => ({
    name: scope,
    tenant: 'default',
    scope,
    sha256: createHash('sha256').update(`key-of-the-${scope}`).digest('hex'),
  }))
  const server = await shop({ keys })
  await server.call('garden', { name: 'order', arguments: {} }, { name: 'measure', arguments: {} })
  const visit = await enter(browser, server, 'app', '/waiting')
  await settled(visit)
  const order = waitingCall(visit.page, 'order')
  await order.getByText('This key may not approve calls.').waitFor()
  expect(await order.getByRole('button').count()).toBe(0)
  await waitingCall(visit.page, 'measure').getByRole('button', { name: 'Send answer' }).waitFor()
})
