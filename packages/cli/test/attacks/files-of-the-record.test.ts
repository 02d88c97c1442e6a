// Finding 20: another user of the machine reads an export or the token of the server, which are for one user alone.
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { writeAddress } from '../../../server/src/address-file.ts'
import { dataFolder, gardenFolder } from '../support/data-folder.ts'
import { answer, counting, experimentFile } from '../support/experiment.ts'
import { runProcess, spawnCommand } from '../support/process.ts'
import { runCommand } from '../support/terminal.ts'

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8)
}

test('an export is for its user alone, also in place of a file that was open to all', async () => {
  using garden = await gardenFolder()
  const file = join(garden.path, 'garden.jsonl')
  expect(await runCommand(['export', 'garden', '-o', file], garden.path)).toMatchObject({ code: 0 })
  expect(modeOf(file)).toBe('600')
  chmodSync(file, 0o644)
  expect(await runCommand(['export', 'garden', '-o', file], garden.path)).toMatchObject({ code: 0 })
  expect([modeOf(file), readFileSync(file, 'utf8').includes('shade of my wall')]).toEqual(['600', true])
})

test('an export of a run is too, and so is every file that a server writes', async () => {
  using data = dataFolder()
  chmodSync(data.path, 0o755)
  await using upstream = await strictUpstream({ answer })
  expect(
    await runProcess(
      ['run', experimentFile(data.path, counting), '--name', 'one', '--upstream', upstream.url],
      data.path,
    ),
  ).toMatchObject({ code: 0 })
  for (const format of ['jsonl', 'csv'])
    expect(
      await runCommand(
        ['export', '--run', 'one', '--format', format, '-o', join(data.path, `one.${format}`)],
        data.path,
      ),
    ).toMatchObject({ code: 0 })
  const serving = spawnCommand(['serve', '--port', '0', '--json', '--upstream', upstream.url], data.path)
  await serving.shows('\n')
  const files = readdirSync(data.path, { withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => name)
  expect(files).toEqual(expect.arrayContaining(['minutebook.db', 'one.csv', 'one.jsonl', 'server.json']))
  expect(files.map((name) => [name, modeOf(join(data.path, name))])).toEqual(files.map((name) => [name, '600']))
  serving.child.kill('SIGTERM')
  await serving.ended
})

test('what somebody else has put where the draft will be gets none of it', async () => {
  using garden = await gardenFolder()
  const theirs = join(garden.path, 'theirs')
  writeFileSync(theirs, '')
  chmodSync(theirs, 0o666)
  const file = join(garden.path, 'garden.jsonl')
  for (const draft of [`${file}.part`, `${file}.${process.pid}.part`, join(garden.path, `server.json.${process.pid}`)])
    symlinkSync(theirs, draft)
  expect(await runCommand(['export', 'garden', '-o', file], garden.path)).toMatchObject({ code: 0 })
  writeAddress(garden.path, { url: 'http://127.0.0.1:1', token: 'secret', pid: process.pid })
  expect([readFileSync(theirs, 'utf8'), modeOf(file), modeOf(join(garden.path, 'server.json'))]).toEqual([
    '',
    '600',
    '600',
  ])
})
