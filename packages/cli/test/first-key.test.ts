import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { spawnCommand } from './support/process.ts'
import { runCommand } from './support/terminal.ts'

test('the first key closes the gateway, and every command that shows the gateway says so', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'] })
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(args, data.path, { environment })
  expect((await run('doctor')).output).not.toContain('keys')

  const closes = 'From now on every client needs a key'
  expect((await run('keys', 'create', 'one')).errors).toContain(closes)
  expect((await run('keys', 'create', 'two')).errors).not.toContain(closes)
  expect((await run('doctor')).output).toContain('✓ keys          required: 2 active')

  expect((await run('keys', 'revoke', 'one')).errors).toBe('')
  const serving = spawnCommand(['serve', '--port', '0'], data.path, environment)
  expect(await serving.shows('To stop: Ctrl-C.')).toMatch(/Keys +required: 1 active\n/)
  expect((await run('keys', 'revoke', 'two')).errors).toContain('No key is active, so no client has access.')
  expect((await run('doctor')).output).toContain('✗ keys          required, but none is active')
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

test('a key can be made before there is a server: its setting admits it', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'] })
  const open = await runCommand(['serve', '--host', '0.0.0.0', '--port', '0'], data.path, {
    environment: { MINUTEBOOK_UPSTREAMS: upstream.url },
  })
  expect(open.errors).toContain('minutebook keys generate')

  const { output, errors } = await runCommand(['keys', 'generate', 'me'], data.path)
  expect([output, errors]).toEqual([
    expect.stringMatching(/^mb_[\w-]{40}\n$/),
    expect.not.stringContaining(output.trim()),
  ])
  const setting = /MINUTEBOOK_KEYS='(.+)'$/m.exec(errors)?.[1] ?? ''
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url, MINUTEBOOK_KEYS: setting }
  const serving = spawnCommand(['serve', '--host', '0.0.0.0', '--port', '0'], data.path, environment)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await serving.shows('To stop: Ctrl-C.'))?.[0] ?? ''
  const status = async (key: string): Promise<number> =>
    (await fetch(`${url}/minutebook/v1/keys`, { headers: { authorization: `Bearer ${key}` } })).status
  expect([await status(output.trim()), await status('mb_another')]).toEqual([200, 401])
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

test('a key is not generated with what no setting can have', async () => {
  using data = dataFolder()
  const { code, errors } = await runCommand(
    ['keys', 'generate', 'me', '--scope', 'viewer', '--installation'],
    data.path,
  )
  expect([code, errors]).toEqual([1, expect.stringContaining('Only an admin')])
  expect((await runCommand(['keys', 'generate', "it's me"], data.path)).errors).toContain(
    'The name of the key is not valid',
  )
  const named = await runCommand(['keys', 'generate', 'me', '--json'], data.path)
  expect(JSON.parse(named.output)).toMatchObject({ setting: { name: 'me', scope: 'admin' } })
})

test('a key that ended by itself is listed as ended, and one of several keys of a name is revoked by its hash', async () => {
  using data = dataFolder()
  const store = sqliteStore(join(data.path, 'minutebook.db'))
  const sha256 = createHash('sha256').update('running').digest('hex')
  const run = { name: 'wrap-ann', tenant: 'default', scope: 'app', time: '2026-11-15T12:00:00.000Z' }
  const ended = { ...run, sha256: createHash('sha256').update('ended').digest('hex'), expires: run.time }
  const value = [ended, { ...run, sha256, expires: new Date(Date.now() + 3_600_000).toISOString() }]
  await store.records.put(null, [{ name: 'key', key: 'default:wrap-ann', value }])
  store.close()
  const keyCheck = async (): Promise<string | undefined> =>
    /. keys .*/.exec((await runCommand(['doctor'], data.path)).output)?.[0]
  const listed = await runCommand(['keys'], data.path)
  expect(listed.output.match(/ended/g)).toEqual(['ended'])
  expect(await keyCheck()).toContain('1 active')
  const revoked = await runCommand(['keys', 'revoke', 'wrap-ann', '--sha256', sha256, '--json'], data.path)
  expect(revoked.errors).toContain('No key is active')
  expect((await runCommand(['keys'], data.path)).output.match(/ended|revoked/g)?.toSorted()).toEqual([
    'ended',
    'revoked',
  ])
  expect(await keyCheck()).toContain('none is active')
})
