import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import type { Overview } from '@minutebook/server'
import type { Store } from 'minutebook'
import { expect, test } from 'vitest'
import { relayBook, said } from '../../../tests/support/relays.ts'
import { nativeServer } from '../../../tests/support/server/native.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

/** Two calls, of which the server cut one, and one that failed. */
async function talk(store: Store): Promise<void> {
  const thread = relayBook({ owner: 'shop' }, store).thread('garden')
  const ask = (text: string): ReturnType<typeof thread.relay> =>
    thread.relay([{ role: 'user', content: text }], { alone: true })
  await (await ask('What grows in the shade?')).answer(said('Ferns.', { usage: { prompt: 5, completion: 2 } }))
  await (
    await ask('And in the sun?')
  ).answer(said('Sage.', { usage: { prompt: 4, completion: 2 } }), {
    onUsage: () => 'yes',
  })
  await (await ask('Thank you.')).stop('failed', '')
}

async function overviewOf(...args: readonly string[]): Promise<Overview> {
  const ran = await runCommand(['overview', ...args, '--json'], '/nowhere')
  expect(ran).toMatchObject({ code: 0, errors: '' })
  return JSON.parse(ran.output) as Overview
}

test('a folder and a file show the same figures, and the thread that needs a look', async () => {
  using folder = dataFolder()
  const file = join(folder.path, 'minutebook.db')
  const store = sqliteStore(file)
  await talk(store)
  store.close()
  const [kept, read] = [await overviewOf('--data', folder.path), await overviewOf(file)]
  expect(kept.totals).toMatchObject({ calls: 3, cutCalls: 1, failed: 1, answerTokens: 4 })
  expect(read.totals).toEqual(kept.totals)
  expect(kept.problems.map(({ reasons }) => reasons.map(({ reason }) => reason))).toEqual([['cut', 'failed']])
  expect((await overviewOf(file, '--owner', 'desk')).totals.calls).toBe(0)
  expect((await overviewOf(file, '--last', '30d', '--model', 'm')).totals.calls).toBe(3)
  const { output } = await runCommand(['overview', file], '/nowhere')
  expect(output).toMatch(/^.* to .*\n3 calls · 1 model/)
  expect(output).toContain('1 cut by the server')
  expect(output).toMatch(/garden +\S{3} +server cut the prompt \(1 of 3\), failed \(1 of 3\)/)
})

test('a server shows the figures of the tenant of the key', async () => {
  const keys = [
    {
      name: 'shop',
      scope: 'app' as const,
      tenant: 'default',
      sha256: createHash('sha256').update('secret').digest('hex'),
    },
  ]
  const { running } = await nativeServer({ answer: 'Ferns.' }, { keys })
  await talk(running.services.stores.of('default').store)
  await talk(running.services.stores.of('other').store)
  expect((await overviewOf('--server', running.url, '--key', 'secret')).totals).toMatchObject({ calls: 3, failed: 1 })
})

test('the time that is asked for begins in the first hour, and 24h is the default', async () => {
  using folder = dataFolder()
  sqliteStore(join(folder.path, 'minutebook.db')).close()
  const hours = async (...args: readonly string[]): Promise<number> => {
    const { from, to } = await overviewOf('--data', folder.path, ...args)
    return Math.round((Date.parse(to) - Date.parse(from)) / 3_600_000)
  }
  expect([await hours(), await hours('--last', '24h'), await hours('--last', '1d')]).toEqual([24, 24, 24])
  expect([await hours('--last', '1h'), await hours('--last', '60m'), await hours('--last', '2h')]).toEqual([1, 1, 2])
  const { from } = await overviewOf('--data', folder.path, '--last', '90m')
  expect(Date.now() - Date.parse(from)).toBeGreaterThanOrEqual(90 * 60_000)
  expect((await runCommand(['overview', '--help'], folder.path)).output).toMatch(/24h or 7d\s+\(default: 24h\)/)
})

test('a store without calls says so, and a time must be one', async () => {
  using folder = dataFolder()
  sqliteStore(join(folder.path, 'minutebook.db')).close()
  expect((await runCommand(['overview'], folder.path)).output).toBe('No model was called in this time.\n')
  const soon = await runCommand(['overview', '--last', 'soon'], folder.path)
  expect(soon).toMatchObject({ code: 2, errors: expect.stringContaining('such as 30m, 24h or 7d') as string })
})
