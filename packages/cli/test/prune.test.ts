import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serve, readConfig } from '@minutebook/server'
import { expect, test } from 'vitest'
import { gardenFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

test('prune lists what is old, and removes it only with --yes', async () => {
  using garden = await gardenFolder()
  const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(['prune', ...args], garden.path)
  expect(await run('--older-than', '1h')).toMatchObject({ code: 0, output: expect.stringContaining('0 threads') })
  const database = new DatabaseSync(join(garden.path, 'minutebook.db'))
  database.exec('update thread set time = 0')
  database.close()
  expect(await run('--older-than', '90d')).toMatchObject({ output: expect.stringContaining('would be removed') })
  const listed = JSON.parse((await runCommand(['threads', '--json'], garden.path)).output) as { threads: unknown[] }
  expect(listed.threads.length).toBeGreaterThan(0)
  expect(await run('--older-than', '90d', '--yes')).toMatchObject({ output: expect.stringContaining('removed') })
  expect((await runCommand(['threads', '--json'], garden.path)).output).toContain('"threads":[]')
  expect(await run('--older-than', 'long')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('such as 30m, 24h or 7d') as string,
  })
  expect(await run()).toMatchObject({ errors: expect.stringContaining('--older-than') })
})

test('with a server, prune says who removes old threads', async () => {
  using garden = await gardenFolder()
  await using _ = await serve(readConfig({ flags: { data: garden.path, port: 0 }, environment: {} }), { log: 'silent' })
  const { errors } = await runCommand(['prune', '--older-than', '90d'], garden.path)
  expect(errors).toContain('Set keep in its settings')
})
