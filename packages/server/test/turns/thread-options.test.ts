import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test } from 'vitest'
import { openServices } from '../../src/open-services.ts'
import type { Services } from '../../src/services.ts'
import { recordSetup } from '../../src/stores/setup.ts'
import { threadOptions } from '../../src/turns/thread-options.ts'
import { testConfig } from '../../../../tests/support/server/gateway.ts'

async function openedServices(): Promise<Services> {
  const upstream = await strictUpstream({ answer: 'ok' })
  onTestFinished(() => upstream.close())
  const { signal: closing } = new AbortController()
  const config = testConfig({ upstreams: [{ url: upstream.url }] })
  const opened = await openServices(config, { output: undefined, closing, file: undefined })
  onTestFinished(() => opened.close())
  return opened.services
}

test('are the same until something of them changes, so that the thread is held', async () => {
  const services = await openedServices()
  const { store, book } = services.stores.of('default')
  const place = { tenant: 'default', thread: 'garden' }
  const given = (): ReturnType<typeof threadOptions> => threadOptions(services, place)
  await recordSetup(store, 'garden', { model: 'strict', tools: ['ask_user'] })
  const first = await given()
  expect(await given()).toBe(first)
  expect(book.thread('garden', first)).toBe(book.thread('garden', await given()))
  expect(await threadOptions(services, { ...place, thread: 'orchard' })).not.toBe(first)
  expect(await threadOptions(services, { ...place, tenant: 'other' })).not.toBe(first)

  await recordSetup(store, 'garden', { model: 'strict', tools: ['ask_user'], system: 'Be brief.' })
  const second = await given()
  expect(second).not.toBe(first)
  expect(second.system).toBe('Be brief.')

  const sample = { predicted: 100, reported: 300 }
  await services.calibrations.learn({ tenant: 'default', owner: '', model: 'strict' }, sample)
  const third = await given()
  expect(third.counter).not.toBe(second.counter)
  expect(await given()).toBe(third)
})
