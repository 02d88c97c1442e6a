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
