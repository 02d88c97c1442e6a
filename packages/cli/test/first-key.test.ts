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
