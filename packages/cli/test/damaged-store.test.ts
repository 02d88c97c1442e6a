// A record that is damaged, or that belongs to another user, says where it is and what to do. What does not need it works.
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { fromSources, root } from '../../../tests/support/workshop.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

test('a damaged file is named with its path and what to do; another tenant, and the checks of the upstream, go on', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'], window: 8192 })
  expect((await runCommand(['keys', 'list'], data.path)).code).toBe(0)
  const file = join(data.path, 'minutebook.db')
  const whole = readFileSync(file)
  writeFileSync(join(data.path, 'minutebook-acme.db'), whole)
  for (const damaged of [
    Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)]),
    Buffer.alloc(5000, 7),
  ]) {
    writeFileSync(file, damaged)
    const threads = await runCommand(['threads'], data.path)
    expect(threads).toMatchObject({ code: 1, errors: expect.stringContaining(`"${file}" is `) as string })
    expect(threads.errors).toMatch(/restore it from a backup/i)
    expect(await runCommand(['threads', '--tenant', 'acme'], data.path)).toMatchObject({ code: 0 })
    const { code, output } = await runCommand(['doctor', '--json'], data.path, {
      environment: { MINUTEBOOK_UPSTREAMS: upstream.url },
    })
    expect(code).toBe(1)
    expect(JSON.parse(output)).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ what: 'upstream', state: 'ok' }),
        expect.objectContaining({ what: 'store', state: 'bad', says: expect.stringContaining(file) as string }),
      ]) as unknown,
    })
  }
})

const command = ['--no-warnings', '--import', fromSources, join(root, 'packages/cli/src/main.ts'), 'threads', '--data']

test.each([
  ['of another user', 0o755, ''],
  ['that this user may not even enter', 0o700, 'data'],
])('a folder %s is named with its path and what to do', (_, mode, below) => {
  using data = dataFolder()
  const isRoot = process.getuid?.() === 0
  chmodSync(data.path, isRoot ? mode : 0o500)
  const folder = join(data.path, below)
  const { stderr, status } = spawnSync(process.execPath, [...command, folder], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env['PATH'], HOME: '/' },
    // Nobody.
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  })
  chmodSync(data.path, 0o700)
  expect(stderr).toContain(`the data folder "${folder}" (EACCES)`)
  expect(stderr).toContain('MINUTEBOOK_DATA')
  expect(status).toBe(1)
})
