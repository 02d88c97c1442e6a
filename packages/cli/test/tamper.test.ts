import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@minutebook/sqlite'
import { apiHandler, readConfig, serve } from '@minutebook/server'
import { entryOf } from 'minutebook/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataFolder, gardenFolder, type DataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

let garden: DataFolder
beforeAll(async () => void (garden = await gardenFolder()))
afterAll(() => garden[Symbol.dispose]())

const file = 'minutebook.db'
const words = 'shade of my wall'

/** A copy of the record, after somebody was at it. */
function tampered(change: (path: string) => void): DataFolder {
  const folder = dataFolder()
  copyFileSync(join(garden.path, file), join(folder.path, file))
  change(join(folder.path, file))
  return folder
}

function rewritten(
  path: string,
  change: (payload: string) => string,
  { hashed = false, where = 'seq = 0' } = {},
): void {
  using database = new DatabaseSync(path)
  const row = database
    .prepare(`select number, payload, checksum from entry where ${where} order by number limit 1`)
    .get() as { number: number; payload: string; checksum: string }
  const payload = change(row.payload)
  expect(payload).not.toBe(row.payload)
  database
    .prepare('update entry set payload = ?, checksum = ? where number = ?')
    .run(payload, hashed ? createHash('sha256').update(payload).digest('hex') : row.checksum, row.number)
}

function executed(path: string, ...statements: readonly string[]): void {
  using database = new DatabaseSync(path)
  database.exec('pragma foreign_keys = off')
  for (const statement of statements) database.exec(statement)
}

/** A thread whose newest call is said to have sent something else: as if the compiler were another by now. */
async function withOtherHash(path: string): Promise<string> {
  using store = sqliteStore(path)
  const { threads } = await store.list()
  for (const { thread } of threads) {
    const receipt = (await store.read(thread)).findLast(({ kind }) => kind === 'receipt')
    if (!receipt || receipt.parent === null) continue
    const [parent] = (await store.read(thread)).filter(({ id }) => id === receipt.parent)
    const content = receipt.text.replace(/"hash":"[0-9a-f]{4}/, '"hash":"0000')
    expect(
      await store.append(thread, [
        entryOf({ role: 'system', content }, parent, { kind: 'receipt', origin: receipt.origin }),
      ]),
    ).toMatchObject({ ok: true })
    return thread
  }
  throw new Error('no thread has a receipt')
}

const asked = `payload like '%${words}%'`

/** What somebody with a hand on the file does to it, and what is found. */
const changes: readonly (readonly [what: string, change: (path: string) => void, found: RegExp])[] = [
  [
    'a word is another',
    (path) => rewritten(path, (payload) => payload.replace(words, 'light of my lamp'), { where: asked }),
    /does not match its checksum/,
  ],
  [
    'a word is another, and so is the checksum',
    (path) => rewritten(path, (payload) => payload.replace(words, 'light of my lamp'), { where: asked, hashed: true }),
    /does not match its id/,
  ],
  [
    'a user is an operator',
    (path) => rewritten(path, (payload) => payload.replace('"origin":"user"', '"origin":"operator"'), { where: asked }),
    /does not match its checksum/,
  ],
  [
    'a receipt counts other tokens',
    (path) =>
      rewritten(
        path,
        (payload) =>
          payload.replace(
            /(predicted\\":)(\d)/,
            (_, name: string, digit: string) => `${name}${(Number(digit) + 1) % 10}`,
          ),
        { where: `payload like '%predicted%'` },
      ),
    /does not match its checksum/,
  ],
  [
    'an answer hangs off another question',
    (path) =>
      rewritten(path, (payload) => payload.replace(/"parent":"[0-9a-f]{8}/, '"parent":"00000000'), {
        where: `payload like '%hostas%'`,
        hashed: true,
      }),
    /parent|id/,
  ],
  ['an entry is gone', (path) => executed(path, `delete from entry where ${asked}`), /place|parent/],
  [
    'the newest entries are gone',
    (path) => executed(path, 'delete from entry where thread = 1 and seq > 8'),
    /entry 9: is missing/,
  ],
  [
    'two entries have changed places',
    (path) =>
      executed(
        path,
        'update entry set seq = -1 where thread = 1 and seq = 0',
        'update entry set seq = 0 where thread = 1 and seq = 1',
        'update entry set seq = 1 where thread = 1 and seq = -1',
      ),
    /its parent is not before it/,
  ],
]

describe('A15: minutebook verify finds that', () => {
  test.each(changes)('%s', async (_, change, found) => {
    using folder = tampered(change)
    const alone = await runCommand(['verify', '--all'], folder.path)
    expect([alone.code, alone.output]).toEqual([1, expect.stringMatching(found)])
    const config = readConfig({ flags: { data: folder.path, port: 0 }, environment: {}, folder: folder.path })
    await using server = await serve(config, { api: apiHandler, log: 'silent' })
    expect(server.url).toMatch(/^http/)
    expect(await runCommand(['verify', '--all'], folder.path)).toEqual(alone)
  })

  test('a prompt is derived otherwise, which is no reason to restore anything: doctor, verify and dump say whose fault it is', async () => {
    using folder = dataFolder()
    copyFileSync(join(garden.path, file), join(folder.path, file))
    const thread = await withOtherHash(join(folder.path, file))
    const verified = await runCommand(['verify', thread], folder.path)
    expect([verified.code, verified.output]).toEqual([
      1,
      expect.stringMatching(
        /is not the one that was sent\n.*nothing needs to be restored\. This is a bug in Minutebook/,
      ),
    ])
    expect(verified.output).not.toContain('backup')
    expect((await runCommand(['doctor'], folder.path)).output).toMatch(
      /prompts of 1 thread of the newest \d+ differ\s+from\s+what\s+was\s+sent/,
    )
    const dumped = await runCommand(['dump', thread], folder.path)
    expect([dumped.code, dumped.output]).toEqual([
      1,
      expect.stringContaining('although nothing was erased: this is a bug in Minutebook'),
    ])
  })

  test('a bit of the file is another, wherever in what was said', async () => {
    const whole = readFileSync(join(garden.path, file))
    const at = whole.indexOf(words)
    expect([at > 0, (await runCommand(['verify', '--all'], garden.path)).code]).toEqual([true, 0])
    for (let index = 0; index < words.length; index++) {
      using folder = tampered((path) =>
        writeFileSync(path, whole.with(at + index, whole[at + index]! ^ (1 << (index % 3)))),
      )
      const { code, output } = await runCommand(['verify', '--all', '--json'], folder.path)
      expect([index, code, (JSON.parse(output) as { ok: boolean }).ok]).toEqual([index, 1, false])
    }
  })
})
