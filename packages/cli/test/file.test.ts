import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { defineDigester, openBook, type BookOptions } from 'minutebook'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { startScript } from '../../../tests/support/process/script-of-test.ts'
import { nextLine } from '../../../tests/support/process/script.ts'
import { commands } from '../src/commands/commands.ts'
import { dataFolder, gardenFolder, recordedFolder, type DataFolder } from './support/data-folder.ts'
import { runProcess, spawnCommand } from './support/process.ts'
import { runCommand, type Ran } from './support/terminal.ts'

/** The garden in a file that a program chose the name of. */
async function gardenFile(name = 'chat.db'): Promise<DataFolder & { readonly file: string }> {
  const folder = await gardenFolder()
  const file = join(folder.path, name)
  renameSync(join(folder.path, 'minutebook.db'), file)
  return { ...folder, file }
}

test.each([
  ['threads', []],
  ['calls', []],
  ['show', ['garden']],
  ['search', ['tide']],
  ['waiting', []],
  ['dump', ['garden']],
  ['explain', ['harbour']],
  ['replay', ['garden', '--window', '1024', '--json']],
  ['export', ['garden']],
  ['verify', ['--all']],
])('%s reads a file as it reads a data folder, and changes nothing in it', async (name, rest) => {
  using garden = await gardenFile()
  using twin = await gardenFolder()
  const before = readFileSync(garden.file)
  const expected = await runCommand([name, ...rest], twin.path)
  expect(expected).toMatchObject({ code: 0, errors: '' })
  expect(await runCommand([name, garden.file, ...rest], '/nowhere')).toEqual(expected)
  expect(await runCommand([name, ...rest, '--data', garden.file], '/nowhere')).toEqual(expected)
  expect(await runCommand([name, 'chat.db', ...rest], '/nowhere', { folder: garden.path })).toEqual(expected)
  expect(readFileSync(garden.file)).toEqual(before)
})

test('a file of any name can be read with --data', async () => {
  using garden = await gardenFile('conversations')
  expect((await runCommand(['show', 'garden', '--data', garden.file], '/nowhere')).output).toContain('Ferns')
})

test('explain of a file shows the last call of the newest thread, and says that there are others', async () => {
  using garden = await gardenFile()
  const ran = await runCommand(['explain', garden.file], '/nowhere')
  expect(ran.output).toMatch(/^harbour\n/)
  expect(ran.errors).toBe(`This is the newest thread. The others: minutebook threads ${garden.file}\n`)
  expect((await runCommand(['explain', garden.file, 'harbour'], '/nowhere')).errors).toBe('')
})

test('explain and dump say what was asked of the answer', async () => {
  using folder = dataFolder()
  const file = join(folder.path, 'asked.db')
  const store = sqliteStore(file)
  const look = { name: 'look', parameters: { type: 'object' }, run: () => 'seen' }
  const model = scriptedModel(['Red.', '{}'])
  const thread = openBook({ store, model, window: 4096, tools: [look] }).thread('lamp')
  await thread.send('Which?', { temperature: 0, seed: 7, stop: ['END'], output: { type: 'object' } }).done
  const [free, bound] = await thread.receipts()
  store.close()
  for (const name of ['explain', 'dump']) {
    const said = async (receipt = ''): Promise<string> =>
      (await runCommand([name, file, 'lamp', receipt], '/nowhere')).output.replaceAll('\n', ' ')
    expect(await said(free?.id)).toMatch(
      /temperature 0 · seed 7 · 1 stop text · output of schema [0-9a-f]{8} \(not sent\) · ended: unfit/,
    )
    expect(await said(bound?.id)).toMatch(/seed 7 · 1 stop text · output of schema [0-9a-f]{8} /)
  }
})

test.each<[string, Partial<BookOptions>]>([
  [
    'digester "lamp@1"',
    { digesters: [defineDigester({ id: 'lamp@1', schema: z.object({}), digest: () => 'a lamp' })] },
  ],
  ['counter "characters"', { counter: { name: 'characters', count: (text) => text.length, overhead: 1 } }],
])('a call that was made with the %s: what its receipt has, and how to see the rest', async (missing, options) => {
  using folder = await recordedFolder(
    ['Ferns.', 'Hostas.'],
    async (book) => {
      await book.thread('garden').send('What grows in the shade?').done
      await book.thread('garden').send('And else?').done
    },
    2048,
    options,
  )
  const file = join(folder.path, 'minutebook.db')
  const explained = await runCommand(['explain', file], '/nowhere')
  expect(explained).toMatchObject({ code: 0, errors: '' })
  expect(explained.output).toMatch(/garden\nturn 2 · gemma3:4b · sent ≈ [\d,]+ tokens/)
  expect(explained.output).toMatch(/of 2,048 tokens · entries: 3 verbatim/)
  expect(explained.output.replaceAll('\n', ' ')).toContain(`was compiled with the ${missing}`)
  expect(explained.output.replaceAll(/\s+/g, ' ')).toMatch(/print explain\(call\) and call\.text/)
  const { call } = JSON.parse((await runCommand(['explain', file, 'garden', '1', '--json'], '/nowhere')).output) as {
    call: { turn: number; receipt: { outcome: string } }
  }
  expect(call).toMatchObject({ turn: 1, window: 2048, receipt: { outcome: 'stop' } })
  expect(await runCommand(['dump', file], '/nowhere')).toEqual({ ...explained, code: 1 })
})

test('explain says in words that the size of the window was assumed', async () => {
  using folder = await recordedFolder(
    ['Ferns.'],
    async (book) => void (await book.thread('garden').send('What grows in the shade?').done),
    undefined,
    { window: undefined },
  )
  const { output } = await runCommand(['explain'], folder.path)
  expect(output.replaceAll('\n', ' ')).toContain('say how large the window is: 32,768 tokens were assumed.')
})

test('hints name the file', async () => {
  using garden = await gardenFile()
  const errors = async (...args: string[]): Promise<string> => (await runCommand(args, '/nowhere')).errors
  expect(await errors('show', garden.file, 'nothing-like-it-at-all')).toContain(`minutebook threads ${garden.file}`)
  const { output } = await runCommand(['threads', garden.file, '--limit', '1'], '/nowhere')
  const after =
    new RegExp(`There are more: minutebook threads ${garden.file} --limit 1 --after (\\S+)`).exec(output)?.[1] ?? ''
  expect((await runCommand(['threads', garden.file, '--after', after], '/nowhere')).output).toContain('garden')
  using other = await gardenFile('conversations')
  expect(await errors('show', 'nothing-like-it-at-all', '--data', other.file)).toContain(
    `minutebook threads --data ${other.file}`,
  )
})

test('a call is named by its turn or its receipt, once', async () => {
  using garden = await gardenFile()
  const explain = (...args: string[]): Promise<Ran> =>
    runCommand(['explain', garden.file, 'garden', ...args], '/nowhere')
  const first = await explain('1')
  expect(first).toEqual(await explain('--turn', '1'))
  const { receipt } = JSON.parse((await explain('1', '--json')).output) as { receipt: { id: string } }
  expect(await explain(receipt.id)).toEqual(first)
  expect(await explain('1', '--turn', '2')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('named twice') as string,
  })
  expect(await explain('99')).toMatchObject({ code: 1 })
})

test.each<[string, (path: string) => void, string, string]>([
  ['does not exist', () => undefined, 'store_missing', 'does not exist. Pass the path of a Minutebook file.'],
  ['is no database', (path) => writeFileSync(path, 'Dear diary, '.repeat(100)), 'not_a_store', 'is not a database.'],
  ['is older', (path) => copyFileSync(olderFile, path), 'store_older', 'Read it with that version'],
])('a file that %s is refused by every command with what to do', async (_, prepare, code, text) => {
  using folder = dataFolder()
  const file = join(folder.path, 'chat.db')
  prepare(file)
  const before = existsSync(file) ? readFileSync(file) : undefined
  for (const name of ['threads', 'explain', 'console']) {
    const ran = await runCommand([name, file, '--json'], folder.path)
    expect(ran).toMatchObject({ code: 1, errors: expect.stringContaining(text) as string })
    expect(JSON.parse(ran.output)).toMatchObject({ error: { code } })
  }
  expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(before)
})

const olderFile = fileURLToPath(new URL('../../sqlite/test/fixtures/v1.db', import.meta.url))

test.each([
  ['serve', []],
  ['chat', ['hello']],
  ['fork', ['garden', '--as', 'copy']],
  ['pin', ['garden', 'a'.repeat(64)]],
  ['rate', ['garden', 'a'.repeat(64), 'up']],
  ['erase', ['garden', '--yes']],
])('%s writes to no file, and says how to look at it', async (name, rest) => {
  using garden = await gardenFile()
  const before = readFileSync(garden.file)
  const ran = await runCommand([name, ...rest, '--data', garden.file], '/nowhere')
  expect(ran).toMatchObject({
    code: 1,
    errors: expect.stringContaining('To look at it: minutebook console chat.db') as string,
  })
  expect(readFileSync(garden.file)).toEqual(before)
})

test('the help of a command says whether it takes a file', async () => {
  const usage = async (name: string): Promise<string> =>
    (await runCommand([name, '--help'], '/nowhere')).output.split('\n')[0]!
  expect(await usage('explain')).toBe('Usage: minutebook explain [file] [options] [thread] [call]')
  expect(await usage('console')).toBe('Usage: minutebook console [file] [options]')
  expect(await usage('fork')).toBe('Usage: minutebook fork [options] [thread]')
  for (const { name, reads = false } of commands)
    expect([name, (await usage(name)).includes('[file]')]).toEqual([name, reads || name === 'backup'])
})

test.each(['threads', 'calls'])('%s says where a file is named', async (name) => {
  using garden = await gardenFile()
  const ran = await runCommand([name, '--limit', '3', garden.file], '/nowhere')
  expect(ran.code).toBe(2)
  expect(ran.errors).toContain(`A file follows the name of the command: minutebook ${name} ${garden.file}\n`)
})

test('a file that is taken for a thread gets a hint', async () => {
  using garden = await gardenFile()
  const ran = await runCommand(['show', '--full', 'chat.db', '--data', garden.file], '/nowhere')
  expect(ran.errors).toContain('A file follows the name of the command: minutebook threads chat.db')
})

test('beside a running program: explain and console read what it writes, and no second writer comes in', async () => {
  using folder = dataFolder()
  const file = join(folder.path, 'minutebook.db')
  const app = startScript('sqlite/app.ts', file)
  await nextLine(app)

  const console = spawnCommand(['console', file, '--json'], '/nowhere')
  onTestFinished(() => void console.child.kill('SIGKILL'))
  const [explained, verified, serving, second] = await Promise.all([
    runProcess(['explain', file], '/nowhere'),
    runProcess(['verify', file], '/nowhere'),
    runProcess(['serve', '--data', folder.path, '--port', '0'], '/nowhere'),
    nextLine(startScript('sqlite/app.ts', file)),
  ])
  expect(explained).toMatchObject({ code: 0, output: expect.stringContaining('✓ exactly what was sent') as string })
  expect(verified).toMatchObject({ code: 0, output: expect.stringMatching(/^✓ garden/) as string })
  expect(serving).toMatchObject({
    code: 1,
    errors: expect.stringContaining('"minutebook.db" is open already') as string,
  })
  expect(serving.errors).toContain('minutebook console FILE')
  expect(second).toContain('"minutebook.db" is open already')

  const link = (JSON.parse(await console.shows('\n')) as { console: string }).console
  const read = await logIn(link)
  expect(await read('')).toMatchObject({ readOnly: true, scope: 'admin', store: 'sqlite' })
  const lengthOf = async (): Promise<number> =>
    ((await read('/threads')) as { threads: { entries: number }[] }).threads[0]!.entries
  const before = await lengthOf()
  await nextLine(app)
  await nextLine(app)
  await expect.poll(lengthOf).toBeGreaterThan(before)
  const { calls } = (await read('/threads/garden/calls')) as { calls: { receipt: { id: string } }[] }
  expect(await read(`/threads/garden/calls/${calls.at(-1)!.receipt.id}`)).toMatchObject({ same: true })
  expect(await read('/threads/garden/turns', { text: 'May I?' })).toMatchObject({ error: { code: 'read_only' } })
  expect(await read('/threads/garden/replay', { window: 1024 })).toMatchObject({ calls: expect.any(Array) as object })

  const { origin } = new URL(link)
  expect((await fetch(`${origin}/minutebook/v1/threads`)).status).toBe(401)
  expect((await fetch(`${origin}/v1/chat/completions`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(existsSync(join(folder.path, 'server.json'))).toBe(false)
  console.child.kill('SIGTERM')
  expect(await console.ended).toBe(0)
  expect(Number(await nextLine(app))).toBeGreaterThan(2)
})

/** Logs in as the page of the console does. Returns what reads or sends JSON below the path of the API. */
async function logIn(link: string): Promise<(path: string, body?: object) => Promise<unknown>> {
  const { origin, hash } = new URL(link)
  const page = { origin, 'content-type': 'application/json' }
  const response = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: page,
    body: JSON.stringify({ code: hash.slice('#login='.length) }),
  })
  const { session } = (await response.json()) as { session: string }
  const cookie = response.headers.get('set-cookie')!.split(';', 1)[0]!
  return async (path, body) => {
    const answer = await fetch(`${origin}/minutebook/v1${path}`, {
      headers: { ...page, cookie, 'minutebook-session': session },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return answer.json()
  }
}

test.each([
  ['is not there', 'nowhere/garden.jsonl'],
  ['is no folder', 'chat.db/garden.jsonl'],
])('export to a folder that %s says so, and leaves nothing', async (_, output) => {
  using garden = await gardenFile()
  const ran = await runProcess(
    ['export', garden.file, 'garden', '--json', '-o', join(garden.path, output)],
    garden.path,
  )
  expect(ran).toMatchObject({ code: 2, errors: expect.stringContaining('cannot be written') })
  expect(JSON.parse(ran.output)).toMatchObject({
    error: { code: 'bad_address', fix: expect.stringContaining('folder') },
  })
  expect(readdirSync(garden.path).filter((name) => name.endsWith('.part'))).toEqual([])
})
