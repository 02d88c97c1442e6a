import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sqliteStore } from '@minutebook/sqlite'
import { entryOf } from 'minutebook/store'
import { storeFile } from '../src/index.ts'
import { setupRecord } from '../src/stores/setup.ts'
import { gatewayBefore, temporaryFolder } from '../../../tests/support/server/gateway.ts'
import { native } from '../../../tests/support/server/native.ts'

const question = entryOf({ role: 'user', content: 'Where to?' }, undefined, { key: 'q' })

test('a chat that was cut off by a crash waits for its client; a turn of ours goes on', async () => {
  const data = temporaryFolder()
  const store = sqliteStore(storeFile(data, 'default'))
  await store.append('relayed', [question])
  await store.append('native', [question], { records: [await setupRecord(store, 'native', { model: 'strict' })] })
  store.close()
  const { running, upstream } = await gatewayBefore({ answer: 'Home.' }, { data })
  const { store: open } = running.services.stores.of('default')
  await expect.poll(async () => (await open.read('native')).some(({ text }) => text === 'Home.')).toBe(true)
  await after(200)
  expect((await open.read('native')).filter(({ kind }) => kind === 'assistant').map(({ text }) => text)).toEqual([
    'Home.',
  ])
  expect((await open.read('relayed')).map(({ kind }) => kind)).toEqual(['user'])
  expect(upstream.requests.filter(({ messages }) => messages.length > 0).length).toBe(1)
})

test('a thread of a chat can be gone on with natively, and is then ours', async () => {
  const { running } = await gatewayBefore({ answer: 'Home.' }, { defaultModel: 'strict' })
  const response = await fetch(`${running.url}/api/chat`, {
    method: 'POST',
    headers: { 'minutebook-thread': 'ship' },
    body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'Where to?' }] }),
  })
  await response.text()
  const app = native(running.url, running.token)
  const seen = await app.stream('POST', '/threads/ship/turns', { body: { message: 'And then?' } })
  expect(seen.at(-1)).toMatchObject({ event: 'end', data: { status: 'complete' } })
})
