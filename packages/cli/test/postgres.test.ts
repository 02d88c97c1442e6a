import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { dataFolder } from './support/data-folder.ts'
import { spawnCommand } from './support/process.ts'
import { runCommand } from './support/terminal.ts'

const database = testDatabase()

/** Commands that read the record; what they print must not depend on who opened it. */
const commands: readonly (readonly string[])[] = [
  ['threads'],
  ['threads', '--json'],
  ['show'],
  ['show', '--full'],
  ['show', '--json'],
  ['dump'],
  ['dump', '--turn', '1'],
  ['dump', '--json'],
  ['explain'],
  ['explain', '--turn', '2'],
  ['explain', '--json'],
  ['export'],
  ['verify', '--all'],
  ['verify', '--json'],
]

test('serve on a database, and every command beside it: over the server, straight from the database, and when the server is gone', async () => {
  using data = dataFolder()
  using elsewhere = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns and hostas.', window: 4096 })
  const serving = spawnCommand(
    ['serve', '--port', '0', '--upstream', upstream.url, '--database', database.url, '--json'],
    data.path,
  )
  const { url, record } = JSON.parse(await serving.shows('\n')) as { url: string; record: string }
  expect(record).toBe(`Postgres at ${new URL(database.url).host}`)
  const history: object[] = []
  for (const content of ['What grows in the shade?', 'And in the sun?', 'Thank you.']) {
    history.push({ role: 'user', content })
    const chat = await fetch(`${url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'strict', stream: false, messages: history }),
    })
    history.push(((await chat.json()) as { message: object }).message)
  }

  const straight = (args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand([...args, '--database', database.url], elsewhere.path)
  const shown = new Map<string, string>()
  for (const args of commands) {
    const over = await runCommand(args, data.path)
    expect([args, over.code, over.errors]).toEqual([args, 0, ''])
    expect(await straight(args)).toEqual(over)
    shown.set(args.join(' '), over.output)
  }
  const overview = ['overview', '--json']
  const totals = [await runCommand(overview, data.path), await straight(overview)].map(
    ({ output }) => (JSON.parse(output) as { readonly totals: { readonly calls: number } }).totals,
  )
  expect(totals[0]?.calls).toBe(3)
  expect(totals[1]).toEqual(totals[0])
  expect(shown.get('threads')).toContain('What grows in the shade?')
  expect(shown.get('explain')).toContain('✓ exactly what was sent')
  expect(
    shown
      .get('export')
      ?.split('\n')
      .filter((line) => line.includes('"kind":"user"')),
  ).toHaveLength(3)
  expect(JSON.parse(shown.get('verify --json') ?? '')).toMatchObject({ ok: true })

  const upstreams = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const doctor = await runCommand(['doctor', '--database', database.url], data.path, { environment: upstreams })
  expect([doctor.code, doctor.errors]).toEqual([0, ''])
  expect(doctor.output).toContain(`Postgres at ${new URL(database.url).host} answers`)
  const beside = await runCommand(['doctor'], data.path, {
    environment: { ...upstreams, MINUTEBOOK_DATABASE: database.url },
  })
  expect(beside.code).toBe(0)
  expect(beside.output).toContain(`runs at ${url}`)
  expect(beside.output).toContain('the server can reach it')
  const { password } = new URL(database.url)
  expect([serving.output(), serving.errors(), doctor.output, beside.output].join('')).not.toContain(password)

  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  for (const args of commands) expect((await straight(args)).output).toBe(shown.get(args.join(' ')))
  console.log(
    `${commands.length + 2} commands while serve runs on Postgres: the same over the server, straight, and afterwards`,
  )
})
