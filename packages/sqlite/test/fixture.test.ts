import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { expect, test } from 'vitest'
import { everything, readers } from '../../core/test/support/everything.ts'
import { temporaryFolder } from './support/folder.ts'

/** A file as version 1 wrote it. Written once (FIXTURES=write, and only where there is none) and never again. */
const fixture = fileURLToPath(new URL('./fixtures/v1.db', import.meta.url))
const lines = (name: string): string[] => readFileSync(new URL(`../../core/test/fixtures/v1/${name}.jsonl`, import.meta.url), 'utf8').trimEnd().split('\n')
const pathOf = temporaryFolder()

if (process.env['FIXTURES'] === 'write' && !existsSync(fixture)) {
  mkdirSync(fileURLToPath(new URL('./fixtures/', import.meta.url)), { recursive: true })
  using store = sqliteStore(fixture)
  await everything(store)
}

test.each(['openai', 'ollama'])('version 1: %s is read whole, searched, verified and exported byte for byte', async (name) => {
  copyFileSync(fixture, pathOf('v1.db'))
  using store = sqliteStore(pathOf('v1.db'))
  const thread = openBook({ store, ...readers }).thread(name)
  expect(await thread.verify()).toMatchObject({ ok: true, entries: lines(name).length, problems: [] })
  const exported: string[] = []
  for await (const line of thread.export()) exported.push(line)
  expect(exported).toEqual(lines(name))
  expect((await store.search(name === 'openai' ? 'harbour quiet' : 'look around', { thread: name })).length).toBeGreaterThan(0)
})

test('version 1: what was sent is found by its key', async () => {
  copyFileSync(fixture, pathOf('keys.db'))
  using store = sqliteStore(pathOf('keys.db'))
  const sent = await store.read('openai', { key: 'first' })
  expect(sent).toMatchObject([{ kind: 'user', key: 'first', speaker: 'Ann' }])
  expect(await store.read('openai', { key: 'system' })).toEqual([])
})
