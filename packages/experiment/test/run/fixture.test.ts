import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryStore, openBook } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { runThread } from '../../src/run/index.ts'
import { playHarbour, runsOf } from '../support/run-fixture.ts'

/** The log of a run as format 2 stored it, next to those of threads. Written once (FIXTURES=write) and never again. */
const folder = fileURLToPath(new URL('../../../core/test/fixtures/v2/', import.meta.url))

if (process.env['FIXTURES'] === 'write' && !existsSync(`${folder}run.jsonl`)) {
  const store = memoryStore()
  await playHarbour(store, 'harbour')
  const lines: string[] = []
  for await (const line of openBook({ store }).thread(runThread('harbour')).export()) lines.push(line)
  writeFileSync(`${folder}run.jsonl`, `${lines.join('\n')}\n`)
  writeFileSync(`${folder}run.board.json`, `${JSON.stringify(await runsOf(store).run('harbour').board(), null, 1)}\n`)
}

test('format 2, the log of a run: its board is as it was', async () => {
  const store = memoryStore()
  await openBook({ store }).restore(
    runThread('harbour'),
    readFileSync(`${folder}run.jsonl`, 'utf8').trimEnd().split('\n'),
  )
  // Boards did not say then whom a run waits for.
  expect(await runsOf(store).run('harbour').board()).toEqual({
    ...(JSON.parse(readFileSync(`${folder}run.board.json`, 'utf8')) as object),
    waiting: [],
  })
})

test('a run with an event of a type that there is not is refused, not read without it', async () => {
  const store = memoryStore()
  const entry = entryOf({ role: 'system', content: '{"type":"stepped","step":1}' }, undefined, { kind: 'event' })
  await store.append(runThread('harbour'), [entry])
  await expect(runsOf(store).run('harbour').board()).rejects.toMatchObject({
    code: 'unknown_event',
    message: expect.stringContaining('"stepped"') as string,
  })
})
