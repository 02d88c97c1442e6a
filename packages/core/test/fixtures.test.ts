import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryStore, openBook, type Kind } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { everything, readers } from './support/everything.ts'
import { hosted } from './support/hosted.ts'
import { pinned } from './support/pinned.ts'
import { rated } from './support/rated.ts'
import { relayed } from './support/relayed.ts'
import { waited } from './support/waited.ts'

/**
 * Logs as format 2 stored them. Each is written once (FIXTURES=write, and only if there is none) and never again: a
 * version that cannot read them has another format, and needs another number.
 */
const folder = fileURLToPath(new URL('./fixtures/v2/', import.meta.url))
const names = ['openai', 'ollama', 'queued', 'relayed', 'waited', 'pinned', 'rated'] as const

if (process.env['FIXTURES'] === 'write') {
  mkdirSync(folder, { recursive: true })
  for (const thread of [
    ...(await everything(memoryStore())),
    await hosted(memoryStore()),
    await relayed(memoryStore()),
    await waited(memoryStore()),
    await pinned(memoryStore()),
    await rated(memoryStore()),
  ]) {
    if (existsSync(`${folder}${thread.id}.jsonl`)) continue
    const lines: string[] = []
    for await (const line of thread.export()) lines.push(line)
    writeFileSync(`${folder}${thread.id}.jsonl`, `${lines.join('\n')}\n`)
    writeFileSync(`${folder}${thread.id}.visible.json`, `${JSON.stringify(await thread.visible(), null, 1)}\n`)
  }
}

/** The entries with which a restore ends what was open: two results and a stop. */
const ended: Readonly<Record<string, number>> = { waited: 3 }

const linesOf = (name: string): string[] => readFileSync(`${folder}${name}.jsonl`, 'utf8').trimEnd().split('\n')

describe.each(names)('format 2, %s', (name) => {
  const open = async (): Promise<ReturnType<ReturnType<typeof openBook>['thread']>> =>
    openBook({ store: memoryStore(), ...readers }).restore(name, linesOf(name))

  test('is read whole, and every prompt of it is derived again', async () => {
    const { ok, entries, prompts, underivable, problems } = await (await open()).verify()
    expect([ok, entries, problems]).toEqual([true, linesOf(name).length + (ended[name] ?? 0), []])
    expect(prompts).toBeGreaterThan(underivable)
  })

  test('is written back byte for byte', async () => {
    const lines: string[] = []
    for await (const line of (await open()).export()) lines.push(line)
    expect(lines.slice(0, lines.length - (ended[name] ?? 0))).toEqual(linesOf(name))
  })

  test('looks to people as it did', async () => {
    const shown = await (await open()).visible()
    expect(shown.slice(0, shown.length - (ended[name] ?? 0))).toEqual(
      JSON.parse(readFileSync(`${folder}${name}.visible.json`, 'utf8')),
    )
  })
})

test.each([
  [1, 'store_older', 'an older version of Minutebook (format 1; this one reads format 2)'],
  [3, 'store_newer', 'a newer version of Minutebook (format 3; this one reads format 2)'],
])('a log of format %i is refused with what to do, not taken for a damaged one', async (format, code, message) => {
  const lines = linesOf('openai').map((line) => {
    const { seq, entry } = JSON.parse(line) as { readonly seq: number; readonly entry: object }
    const payload = JSON.stringify({ ...entry, version: format })
    return `{"seq":${seq},"checksum":"${createHash('sha256').update(payload).digest('hex')}","entry":${payload}}`
  })
  await expect(openBook({ store: memoryStore() }).restore('other', lines)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message) as string,
  })
})

test('together they hold every kind and every status', () => {
  const found = [...names, 'run']
    .flatMap(linesOf)
    .map((line) => (JSON.parse(line) as { entry: { kind: Kind; status: string } }).entry)
  expect([...new Set(found.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(traits).toSorted())
  expect([...new Set(found.map(({ status }) => status))].toSorted()).toEqual([
    'cancelled',
    'complete',
    'erased',
    'failed',
    'partial',
  ])
})
