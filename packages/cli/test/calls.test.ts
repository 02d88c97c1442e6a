import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import type { ListedCalls } from '@minutebook/server'
import type { Store } from 'minutebook'
import { expect, onTestFinished, test } from 'vitest'
import { within } from '../../../tests/support/patience.ts'
import { startScript } from '../../../tests/support/process/script-of-test.ts'
import { nextLine } from '../../../tests/support/process/script.ts'
import { namedModel, relayBook, said } from '../../../tests/support/relays.ts'
import { nativeServer } from '../../../tests/support/server/native.ts'
import { dataFolder } from './support/data-folder.ts'
import { spawnCommand, type Spawned } from './support/process.ts'
import { runCommand, type Ran } from './support/terminal.ts'

/** A second later with each call: the whole of it takes one day. */
function clock(): { now(): string; after(): Promise<void> } {
  let seconds = 0
  return {
    now: () => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds++)).toISOString(),
    after: () => new Promise(() => undefined),
  }
}

/** Two calls, of which the server cut one, one that failed, and one of another model for another key. */
async function talk(store: Store): Promise<void> {
  const options = { clock: clock() }
  const garden = relayBook({ ...options, owner: 'shop' }, store).thread('garden')
  const ask = (text: string): ReturnType<typeof garden.relay> =>
    garden.relay([{ role: 'user', content: text }], { alone: true })
  await (await ask('What grows in the shade?')).answer(said('Ferns.', { usage: { prompt: 5, completion: 2 } }))
  await (
    await ask('And in the sun?')
  ).answer(said('Sage.', { usage: { prompt: 4, completion: 2 } }), { onUsage: () => 'yes' })
  await (await ask('Thank you.')).stop('failed', '')
  const tide = relayBook({ ...options, owner: 'desk', model: namedModel('openai', 'other') }, store).thread('tide')
  await (await tide.relay([{ role: 'user', content: 'When is high tide?' }], { alone: true })).answer(said('At 14:20.'))
}

async function recorded(): Promise<{ readonly folder: string; readonly file: string; [Symbol.dispose](): void }> {
  const folder = dataFolder()
  const file = join(folder.path, 'minutebook.db')
  const store = sqliteStore(file)
  await talk(store)
  store.close()
  return { folder: folder.path, file, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

async function callsOf(...args: readonly string[]): Promise<ListedCalls> {
  const ran = await runCommand(['calls', ...args, '--json'], '/nowhere')
  expect(ran).toMatchObject({ code: 0, errors: '' })
  return JSON.parse(ran.output) as ListedCalls
}

const keysFor = (name: string, scope: 'admin' | 'viewer'): object => ({
  name,
  scope,
  tenant: 'default',
  sha256: createHash('sha256').update(name).digest('hex'),
})

test('a folder, a file and a server list the same calls, the newest first', async () => {
  using record = await recorded()
  const { running } = await nativeServer({}, { keys: [keysFor('boss', 'admin'), keysFor('guest', 'viewer')] as never })
  await talk(running.services.stores.of('default').store)
  const kept = await callsOf('--data', record.folder)
  expect(kept.calls.map(({ thread, turn, outcome }) => [thread, turn, outcome])).toEqual([
    ['tide', 1, 'stop'],
    ['garden', 3, 'failed'],
    ['garden', 2, 'stop'],
    ['garden', 1, 'stop'],
  ])
  expect(await callsOf(record.file)).toEqual(kept)
  expect(await callsOf('--server', running.url, '--key', 'boss')).toEqual(kept)
  const asGuest = await callsOf('--server', running.url, '--key', 'guest')
  expect(asGuest.calls).toEqual(kept.calls.map(({ owner: _owner, ...call }) => call))
  const refused = await runCommand(['calls', '--owner', 'shop', '--server', running.url, '--key', 'guest'], '/nowhere')
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('--key') as string })
})

test.each<[filter: readonly string[], turns: readonly string[]]>([
  [
    ['--outcome', 'failed', 'stop'],
    ['tide 1', 'garden 3', 'garden 2', 'garden 1'],
  ],
  [['--outcome', 'failed'], ['garden 3']],
  [['--flag', 'cut'], ['garden 2']],
  [['--flag', 'slow'], []],
  [['--model', 'other'], ['tide 1']],
  [['--model', 'other', 'm', '--flag', 'cut', 'slow'], ['garden 2']],
  [['--owner', 'desk'], ['tide 1']],
  [
    ['--owner', 'desk', 'shop', '--limit', '2'],
    ['tide 1', 'garden 3'],
  ],
  [['--since', '2026-01-02'], []],
  [['--last', '30m'], []],
  [['--until', '2026-01-01T12:00:00Z'], []],
])('%j lists %j, of a file and of a server', async (filter, turns) => {
  using record = await recorded()
  const { running } = await nativeServer({}, { keys: [keysFor('boss', 'admin')] as never })
  await talk(running.services.stores.of('default').store)
  const found = await callsOf(record.file, ...filter)
  expect(found.calls.map(({ thread, turn }) => `${thread} ${turn}`)).toEqual(turns)
  expect(await callsOf(...filter, '--server', running.url, '--key', 'boss')).toEqual(found)
})

test('a time between two calls separates them', async () => {
  using record = await recorded()
  const [, , second, first] = (await callsOf(record.file)).calls
  expect((await callsOf(record.file, '--since', second!.ended)).calls).toHaveLength(3)
  expect((await callsOf(record.file, '--until', second!.ended)).calls).toEqual([first])
})

test('the last line asks for the next page, with the same filter', async () => {
  using record = await recorded()
  const { output } = await runCommand(['calls', record.file, '--owner', 'shop', '--limit', '2'], '/nowhere')
  const [, words = ''] = /There are more: minutebook (.*)$/m.exec(output) ?? []
  expect(words).toMatch(/^calls \S+\.db --after \S+ --owner shop --limit 2$/)
  const next = await runCommand(words.split(' '), '/nowhere')
  expect(next.output).toMatch(/^time .*\n\S+ +garden +1 /)
  expect(next.output).not.toContain('tide')
})

test.each([40, 60, 80, 100, 120, 140, 170])('a terminal of %i columns is filled, and no wider', async (columns) => {
  using record = await recorded()
  const { output } = await runCommand(['calls', record.file], '/nowhere', {
    tty: true,
    columns,
    environment: { NO_COLOR: '1' },
  })
  const lines = output.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
  expect(lines[0]).toMatch(/^time +thread +turn .*ended/)
  expect(lines[0]!.includes('title')).toBe(columns >= 140)
})

test('a failed call and a cut prompt are red', async () => {
  using record = await recorded()
  const { output } = await runCommand(['calls', record.file], '/nowhere', { tty: true, columns: 100 })
  // oxlint-disable-next-line no-control-regex
  const red = output.split('\n').map((line) => /\u001b\[31m([a-z, ]+)/.exec(line)?.[1]?.trim())
  expect(red).toEqual([undefined, undefined, 'failed', 'stop, cut', undefined, undefined])
})

test('a record without calls says so, and so does a filter', async () => {
  using folder = dataFolder()
  using record = await recorded()
  sqliteStore(join(folder.path, 'minutebook.db')).close()
  expect((await runCommand(['calls'], folder.path)).output).toContain('No model was called yet.')
  expect((await runCommand(['calls', '--flag', 'slow'], record.folder)).output).toBe('No call matches.\n')
})

test.each<[args: readonly string[], says: string]>([
  [['--last', 'soon'], 'such as 30m, 24h or 7d'],
  [['--since', 'yesterday'], 'such as 2026-11-18'],
  [['--flag', 'dear'], 'cut, omitted, clipped, slow'],
  [['--outcome', 'well'], 'stop, calls, length'],
  [['--last', '1h', '--since', '2026-01-01'], 'cannot be used with'],
  [['--follow', '--until', '2026-01-01'], 'cannot be used with'],
])('%j is misuse', async (args, says) => {
  const ran = await runCommand(['calls', ...args], '/nowhere')
  expect(ran).toMatchObject({ code: 2, output: '', errors: expect.stringContaining(says) as string })
})

function following(args: readonly string[]): Spawned {
  const spawned = spawnCommand(['calls', ...args, '--follow'], '/nowhere')
  onTestFinished(() => void spawned.child.kill('SIGKILL'))
  return spawned
}

const patient = { timeout: within(10_000) }

async function ended(spawned: Spawned): Promise<Pick<Ran, 'output' | 'errors'> & { readonly code: number | string }> {
  spawned.child.kill('SIGINT')
  return { code: await spawned.ended, output: spawned.output(), errors: spawned.errors() }
}

test('--follow prints each call of a server once, as it ends', async () => {
  const { running } = await nativeServer({}, { keys: [keysFor('boss', 'admin')] as never })
  const { store } = running.services.stores.of('default')
  await talk(store)
  const follow = following(['--limit', '1', '--server', running.url, '--key', 'boss'])
  await follow.shows('tide')
  const thread = relayBook({ owner: 'desk' }, store).thread('moss')
  for (const text of ['What is moss?', 'Does it need light?'])
    await (await thread.relay([{ role: 'user', content: text }], { alone: true })).answer(said('A plant.'))
  await follow.shows('moss  ')
  await expect.poll(() => follow.output().match(/^\S+ +moss/gm)?.length).toBe(2)
  const { code, output, errors } = await ended(follow)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(
    output.match(/^\S+ +(time|thread|tide|moss)\b +\S+/gm)?.map((line) => line.split(/ +/).slice(1).join(' ')),
  ).toEqual(['thread turn', 'tide 1', 'moss 1', 'moss 2'])
})

test('--follow with a filter that nothing matches does not look ever further back', async () => {
  const { running } = await nativeServer({}, { keys: [keysFor('boss', 'admin')] as never })
  const asked: URLSearchParams[] = []
  const between = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, running.url)
    if (pathname.endsWith('/calls') && searchParams.has('flag')) asked.push(searchParams)
    void fetch(`${running.url}${request.url}`, { headers: { authorization: request.headers.authorization! } })
      .then((answer) => answer.text())
      .then((text) => response.setHeader('content-type', 'application/json').end(text))
      .catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void between.close())
  await once(between, 'listening')
  let minutes = 0
  const later = { ...clock(), now: () => new Date(Date.UTC(2026, 0, 1, 12, minutes)).toISOString() }
  const thread = relayBook({ clock: later }, running.services.stores.of('default').store).thread('moss')
  const call = async (): Promise<void> => {
    minutes += 10
    await (await thread.relay([{ role: 'user', content: 'What is moss?' }], { alone: true })).answer(said('A plant.'))
  }
  await call()
  const { port } = between.address() as AddressInfo
  const follow = following(['--flag', 'slow', '--server', `http://127.0.0.1:${port}`, '--key', 'boss'])
  await expect.poll(() => asked.at(-1)?.get('since'), patient).toBe('2026-01-01T12:09:55.000Z')
  await call()
  await expect.poll(() => asked.at(-1)?.get('since'), patient).toBe('2026-01-01T12:19:55.000Z')
  expect((await ended(follow)).code).toBe(0)
})

test('--follow reads a file beside the program that writes to it', async () => {
  using folder = dataFolder()
  const file = join(folder.path, 'minutebook.db')
  const app = startScript('sqlite/app.ts', file)
  await nextLine(app)
  const follow = following([file, '--json', '--limit', '1'])
  await follow.shows('\n')
  const calls = (): readonly { readonly turn: number }[] =>
    follow
      .output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { turn: number })
  await expect.poll(() => calls().length).toBeGreaterThan(20)
  expect(await ended(follow)).toMatchObject({ code: 0, errors: '' })
  const turns = calls().map(({ turn }) => turn)
  expect(turns).toEqual(turns.map((_, index) => turns[0]! + index))
})

test('--follow on a folder that no server writes to says so', async () => {
  using record = await recorded()
  const ran = await runCommand(['calls', '--follow'], record.folder)
  expect(ran).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('minutebook serve') as string })
})
