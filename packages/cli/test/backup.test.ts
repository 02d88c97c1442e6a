import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readConfig, serve } from '@minutebook/server'
import { expect, test } from 'vitest'
import { dataFolder, gardenFolder } from './support/data-folder.ts'
import { runCommand, type Ran } from './support/terminal.ts'

interface Printed {
  readonly ok: boolean
  readonly backups: readonly { readonly file: string; readonly to: string; readonly threads?: readonly object[] }[]
}

const printedBy = ({ output }: Ran): Printed => JSON.parse(output) as Printed

test('backup copies a file under a name that has the time in it, and checks the copy', async () => {
  using garden = await gardenFolder()
  using folder = dataFolder()
  const ran = await runCommand(['backup', join(garden.path, 'minutebook.db')], '/nowhere', { folder: folder.path })
  expect(ran).toMatchObject({ code: 0, errors: '' })
  expect(ran.output).toMatch(/2 threads with \d+ entries and 5 prompts checked/)
  const [name = ''] = readdirSync(folder.path)
  expect(name).toMatch(/^minutebook-\d{8}T\d{6}Z\.db$/)
  expect(ran.output).toContain(name)
  const file = join(folder.path, name)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const listed = async (...where: string[]): Promise<string> =>
    (await runCommand(['threads', ...where], garden.path)).output
  expect(await listed(file)).toBe(await listed())
})

test('backup copies every file of a data folder while its server runs', async () => {
  using garden = await gardenFolder()
  using folder = dataFolder()
  copyFileSync(join(garden.path, 'minutebook.db'), join(garden.path, 'minutebook-shop.db'))
  const config = readConfig({ flags: { data: garden.path, port: 0 }, environment: {} })
  await using _ = await serve(config, { log: 'silent' })
  const many = await runCommand(['backup', garden.path, join(folder.path, 'one.db')], '/nowhere')
  expect(many).toMatchObject({ code: 2, errors: expect.stringContaining('Name a folder that exists') as string })
  const { ok, backups } = printedBy(await runCommand(['backup', garden.path, folder.path, '--json'], '/nowhere'))
  expect([ok, backups.map(({ threads }) => threads?.length)]).toEqual([true, [2, 2]])
  expect(readdirSync(folder.path).toSorted()).toEqual([
    expect.stringMatching(/^minutebook-\d/) as string,
    expect.stringMatching(/^minutebook-shop-\d/) as string,
  ])
  // Without a name it is the data folder of the person.
  using other = dataFolder()
  expect(await runCommand(['backup', '--quick'], garden.path, { folder: other.path })).toMatchObject({
    code: 0,
    output: expect.stringContaining('its entries and prompts are not checked') as string,
  })
})

test('backup keeps the copy of a file with a wrong entry, says so, and ends with 1', async () => {
  using garden = await gardenFolder()
  const [file, to] = [join(garden.path, 'minutebook.db'), join(garden.path, 'copy.db')]
  const database = new DatabaseSync(file)
  database.exec(`update entry set payload = replace(payload, 'hostas', 'ROSES!') where payload like '%hostas%'`)
  database.close()
  const ran = await runCommand(['backup', file, to], '/nowhere')
  expect(ran).toMatchObject({
    code: 1,
    output: expect.stringContaining('The file itself has these problems') as string,
  })
  expect(printedBy(await runCommand(['verify', to, '--all', '--json'], '/nowhere'))).toMatchObject({ ok: false })
  // The wrong entry is not looked for.
  expect(await runCommand(['backup', file, join(garden.path, 'quick.db'), '--quick'], '/nowhere')).toMatchObject({
    code: 0,
  })
})

test('backup says what to do instead', async () => {
  using garden = await gardenFolder()
  const file = join(garden.path, 'minutebook.db')
  const said = async (...args: string[]): Promise<string> => (await runCommand(['backup', ...args], garden.path)).errors
  const before = readFileSync(file)
  expect(await said(file, file)).toContain('Pass another name')
  expect(readFileSync(file)).toEqual(before)
  expect(await said('--database', 'postgres://127.0.0.1:1/none')).toContain('pg_dump')
  expect(await said(file, '--data', garden.path)).toContain('Name only one of them')
  expect(await said(join(garden.path, 'none.db'))).toContain('does not exist')
  const empty = join(garden.path, 'empty')
  mkdirSync(empty)
  expect(await said(empty)).toContain('There is no record in')
})
