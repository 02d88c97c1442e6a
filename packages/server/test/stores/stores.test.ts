import { entryOf } from 'minutebook/store'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStores } from '../../src/index.ts'
import { temporaryFolder, testConfig } from '../../../../tests/support/server/gateway.ts'

test.skipIf(process.platform === 'win32')(
  'the record is for its user alone, even in a folder that is open to all',
  async () => {
    const data = temporaryFolder()
    chmodSync(data, 0o755)
    const stores = await openStores(
      testConfig({ data, keys: [{ name: 'app', sha256: 'ab'.repeat(32), tenant: 'garden', scope: 'app' }] }),
    )
    for (const tenant of ['default', 'garden'])
      await stores.of(tenant).store.append('shade', [entryOf({ role: 'user', content: 'Who may read this?' })])
    const files = readdirSync(data)
    expect(files).toEqual(expect.arrayContaining(['minutebook.db', 'minutebook-garden.db']) as string[])
    expect(files.filter((file) => (statSync(join(data, file)).mode & 0o077) !== 0)).toEqual([])
    await stores.close()
  },
)

test('a record that is there is opened as it is, and stays locked by a second opening in the same process', async () => {
  const config = testConfig()
  const first = await openStores(config)
  await first.of('default').store.append('shade', [entryOf({ role: 'user', content: 'Ferns?' })])
  await expect(openStores(config)).rejects.toMatchObject({ code: 'store_locked' })
  await first.close()
  const again = await openStores(config)
  expect((await again.of('default').store.read('shade')).map(({ text }) => text)).toEqual(['Ferns?'])
  await again.close()
})

test('threads of relays take no room among those that are held for turns', async () => {
  const stores = await openStores(testConfig())
  const { book, relays } = stores.of('default')
  const thread = book.thread('shade')
  for (let chat = 0; chat < 300; chat++) relays.thread(`chat-${chat}`)
  expect(book.thread('shade')).toBe(thread)
  await stores.close()
})
