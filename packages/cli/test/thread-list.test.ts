import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { openBook } from 'minutebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataFolder, type DataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

let data: DataFolder

beforeAll(async () => {
  data = dataFolder()
  const store = sqliteStore(join(data.path, 'minutebook.db'))
  const model = scriptedModel(['Ferns.', new Error('down'), 'Buy.', new Error('down')])
  const book = openBook({ store, model, window: 2048, journal: false })
  for (const thread of ['garden', 'broken', 'run/stand-1/ann', 'run/stand-1/bob'])
    await book.thread(thread).send('What grows in the shade?').done
  store.close()
})

afterAll(() => data[Symbol.dispose]())

async function listed(...args: readonly string[]): Promise<readonly string[]> {
  const { output } = await runCommand(['threads', '--json', ...args], data.path)
  return (JSON.parse(output) as { readonly threads: readonly { readonly thread: string }[] }).threads.map(
    ({ thread }) => thread,
  )
}

test('threads of runs are listed if they are wanted', async () => {
  expect((await listed()).toSorted((one, other) => one.localeCompare(other))).toEqual(['broken', 'garden'])
  expect(await listed('--runs')).toHaveLength(4)
})

test('a page has as many threads as it may, whatever is left out before them', async () => {
  expect(await listed('--limit', '1')).toHaveLength(1)
  const { output } = await runCommand(['threads', '--json', '--limit', '1'], data.path)
  const { next } = JSON.parse(output) as { readonly next: string }
  expect(await listed('--limit', '5', '--after', next)).toHaveLength(1)
})

test('marks are shown, and threads can be listed by them', async () => {
  expect(await listed('--mark', 'failed', 'truncated')).toEqual(['broken'])
  const { output } = await runCommand(['threads'], data.path)
  expect(output).toMatch(/^broken .* failed +What grows/m)
  expect((await runCommand(['threads', '--mark', 'nonsense'], data.path)).errors).toContain('truncated, overflow')
})

test('the last line asks for the next page, with the same marks and pairs', async () => {
  const { output } = await runCommand(['threads', '--mark', 'failed', 'partial', '--runs', '--limit', '1'], data.path)
  const [, words = ''] = /There are more: minutebook (.*)$/m.exec(output) ?? []
  expect(words).toMatch(/^threads --mark failed partial --runs --limit 1 --after \S+$/)
  const next = await runCommand(words.split(' '), data.path)
  expect(next.output).toMatch(/^thread .*\nbroken /)
  expect(next.output).not.toContain('run/')
})

test('marks that no thread has are not an empty record', async () => {
  const { output } = await runCommand(['threads', '--mark', 'truncated'], data.path)
  expect(output).toBe('No thread matches.\n')
})

test.each([40, 60, 140])('no line is wider than a terminal of %i columns', async (columns) => {
  const { output } = await runCommand(['threads'], data.path, { tty: true, columns, environment: { NO_COLOR: '1' } })
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
  expect(output).toContain('What')
})
