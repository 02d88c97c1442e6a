import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { openBook } from 'minutebook'
import { keyRecord } from '../src/auth/key-record.ts'
import { isReading } from '../src/api/operation.ts'
import { operations } from '../src/api/routes/routes.ts'
import { serve, type Running } from '../src/serve.ts'
import { testConfig } from '../../../tests/support/server/gateway.ts'
import { within } from '../../../tests/support/patience.ts'

/** A server over the file of a program that has it open. */
async function overFile(): Promise<AsyncDisposable & { readonly running: Running; readonly file: string }> {
  const config = testConfig()
  const file = join(config.data, 'chat.db')
  const store = sqliteStore(file)
  await openBook({ store, model: scriptedModel(['Ferns.']), window: 2048 })
    .thread('garden')
    .send('What grows?').done
  await keyRecord(store).write({ name: 'ann', tenant: 'acme', scope: 'admin', sha256: anns, time: '2026-01-01' })
  const running = await serve(config, { file, log: 'silent' })
  const dispose = async (): Promise<void> => {
    await running.close()
    store.close()
  }
  return { running, file, [Symbol.asyncDispose]: dispose }
}

/** Of `mb_ann`. */
const anns = 'af46635990b998cc0067c545a371d597eaab769c2ea8ff4e0d41cd9358c57459'

test('every operation that writes is refused, and every other is not', async () => {
  await using at = await overFile()
  const { url, token } = at.running
  // Not its bytes: to read them here would end SQLite's own locks.
  const written = (): readonly number[] =>
    [at.file, `${at.file}-wal`].flatMap((file) => [statSync(file).size, statSync(file).mtimeMs])
  const before = written()
  for (const operation of operations) {
    const path = operation.path.replace('{thread}', 'garden').replaceAll(/\{\w+\}/g, 'x')
    const answer = await fetch(`${url}/minutebook/v1${path}`, {
      method: operation.method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, ...(operation.body && { 'content-type': 'application/json' }) },
      ...(operation.body && { body: '{}' }),
      signal: AbortSignal.timeout(within(60_000)),
    })
    const isRefused = answer.status === 403 && (await answer.text()).includes('"code":"read_only"')
    await answer.body?.cancel().catch(() => undefined)
    expect([operation.id, isRefused]).toEqual([operation.id, !isReading(operation)])
  }
  expect(written()).toEqual(before)
})

test('no chat is passed on, and no model is asked', async () => {
  await using at = await overFile()
  const headers = { authorization: `Bearer ${at.running.token}` }
  for (const path of ['/api/chat', '/v1/chat/completions', '/v1/responses', '/api/generate']) {
    const answer = await fetch(`${at.running.url}${path}`, { method: 'POST', headers, body: '{}' })
    expect([path, answer.status, await answer.text()]).toEqual([path, 403, expect.stringContaining('minutebook serve')])
  }
})

test('only the operator is let in: not who has no token, nor who has a key of the file', async () => {
  await using at = await overFile()
  for (const headers of [{}, { authorization: 'Bearer mb_ann' }, { authorization: 'Bearer x' }])
    expect((await fetch(`${at.running.url}/minutebook/v1/threads`, { headers })).status).toBe(401)
})

test('nothing is left next to the file but what SQLite and the writer need', async () => {
  const at = await overFile()
  const folder = join(at.file, '..')
  await at[Symbol.asyncDispose]()
  expect(readdirSync(folder).toSorted()).toEqual(['chat.db', 'chat.db-lock'])
})
