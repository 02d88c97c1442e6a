import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, serve } from '@minutebook/server'
import { sqliteStore } from '@minutebook/sqlite'
import { strictUpstream } from '@minutebook/testing/server'
import { describe, expect, test } from 'vitest'
import { waitingThread } from '../../../tests/support/waiting-thread.ts'
import { dataFolder, gardenFolder } from './support/data-folder.ts'
import { runCommand, type Ran } from './support/terminal.ts'

/** Runs a command on a folder: with a server on it, or without. */
type Run = (args: readonly string[]) => Promise<Ran>

const settings =
  'states: [{ name: forecast, tools: [weather] }]\npolicies: { short: { preset: lastMessages, messages: 2 } }\n'

/** The same commands must do the same in both ways. */
const ways: readonly {
  readonly way: string
  readonly at: (folder: string, work: (run: Run) => Promise<void>) => Promise<void>
}[] = [
  {
    way: 'in the store itself',
    at: (folder, work) => work((args) => runCommand([...args, '--config', join(folder, 'minutebook.yaml')], folder)),
  },
  {
    way: 'at a server, by its key',
    at: async (folder, work) => {
      const key = 'a key of an admin'
      const keys = [{ name: 'boss', sha256: createHash('sha256').update(key).digest('hex'), scope: 'admin' }]
      await using server = await serve(
        readConfig({ path: join(folder, 'minutebook.yaml'), flags: { data: folder, port: 0, keys }, environment: {} }),
        { log: 'silent' },
      )
      const elsewhere = dataFolder()
      await work((args) =>
        runCommand(args, elsewhere.path, { environment: { MINUTEBOOK_SERVER: server.url, MINUTEBOOK_KEY: key } }),
      )
      expect(existsSync(join(elsewhere.path, 'minutebook.db'))).toBe(false)
      elsewhere[Symbol.dispose]()
    },
  },
]

async function inGarden(
  at: (typeof ways)[number]['at'],
  work: (run: Run, folder: string) => Promise<void>,
): Promise<void> {
  using garden = await gardenFolder()
  writeFileSync(join(garden.path, 'minutebook.yaml'), settings)
  await at(garden.path, (run) => work(run, garden.path))
}

function valueIn({ output }: Ran): Readonly<Record<string, unknown>> {
  return JSON.parse(output) as Readonly<Record<string, unknown>>
}

describe.each(ways)('$way', ({ at }) => {
  test('search finds what was said, and names its entry', () =>
    inGarden(at, async (run) => {
      const ran = await run(['search', 'ferns', 'hostas'])
      expect(ran).toMatchObject({ code: 0, errors: '' })
      expect(ran.output).toMatch(/garden +assistant +1 +#1 +[0-9a-f]{12} +Ferns and hostas/)
      expect((await run(['search', 'and hostas'])).output).toContain('Ferns and hostas')
      expect((await run(['search', 'hostas and'])).output).toContain('No visible message')
      const found = valueIn(await run(['search', 'tide', '--json']))
      expect(found['found']).toMatchObject([{ thread: 'harbour', text: 'When is high tide?' }])
      expect((await run(['search', 'tide', '--thread', 'garden'])).output).toBe(
        'No visible message contains all of these words.\n',
      )
    }))

  test('waiting lists the calls that wait for a decision', async () => {
    using garden = await gardenFolder()
    writeFileSync(join(garden.path, 'minutebook.yaml'), settings)
    await at(garden.path, async (run) =>
      expect((await run(['waiting'])).output).toBe('No tool call waits for a decision.\n'),
    )
    const store = sqliteStore(join(garden.path, 'minutebook.db'))
    await waitingThread(store, 'shop')
    store.close()
    await at(garden.path, async (run) => {
      const ran = await run(['waiting'])
      expect(ran).toMatchObject({ code: 0, errors: '' })
      expect(ran.output).toMatch(/shop +approval .* order +\{\}/)
      expect(valueIn(await run(['waiting', '--json']))['calls']).toMatchObject([{ thread: 'shop', needs: 'approval' }])
    })
  })

  test('state tells what tools said, now and then', () =>
    inGarden(at, async (run) => {
      const { entries } = valueIn(await run(['show', 'garden', '--json'])) as {
        readonly entries: readonly { readonly id: string }[]
      }
      expect(await run(['state', 'nonsense', 'garden'])).toMatchObject({
        code: 1,
        errors: expect.stringContaining('No state with this name') as string,
      })
      expect(
        valueIn(await run(['state', 'forecast', 'garden', '--at', entries[0]!.id.slice(0, 12), '--json'])),
      ).toMatchObject({ thread: 'garden', name: 'forecast' })
      expect(await run(['state', 'forecast', 'garden', '--at', 'zzzz'])).toMatchObject({
        code: 1,
        errors: expect.stringContaining('No entry of this thread begins') as string,
      })
    }))

  test('replay tells what prompts would have been', () =>
    inGarden(at, async (run) => {
      expect((await run(['replay', 'garden'])).output).toMatch(/all unchanged[^]*were sent: minutebook cache garden/)
      const { calls } = valueIn(await run(['replay', 'garden', '--policy', 'short', '--json'])) as {
        readonly calls: readonly { readonly same: boolean }[]
      }
      expect(calls.some(({ same }) => !same)).toBe(true)
      expect(await run(['replay', 'garden', '--policy', 'nonsense'])).toMatchObject({
        code: 1,
        errors: expect.stringContaining('no policy') as string,
      })
    }))

  test('fork, export and import make threads that say the same', () =>
    inGarden(at, async (run, folder) => {
      expect(await run(['fork', 'garden', '--as', 'copse'])).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^✓ copse has \d+ entries\n$/) as string,
      })
      expect(await run(['fork', 'garden', '--as', 'harbour'])).toMatchObject({ code: 1 })
      const file = join(folder, 'kept.jsonl')
      expect(await run(['export', 'garden', '-o', file])).toMatchObject({ code: 0 })
      expect(await run(['import', file])).toMatchObject({
        code: 0,
        output: expect.stringContaining('kept has') as string,
      })
      const said = async (thread: string): Promise<string> =>
        (await run(['show', thread])).output.split('\n').slice(1).join('\n')
      expect(await said('kept')).toBe(await said('garden'))
      expect(await said('copse')).toContain('What if I plant it in winter?')
      expect(await run(['verify', 'kept'])).toMatchObject({ code: 0 })
      writeFileSync(file, `${readFileSync(file, 'utf8')}nonsense\n`)
      expect(await run(['import', file, '--as', 'broken'])).toMatchObject({ code: 1 })
      expect((await run(['show', 'broken'])).code).toBe(1)
      expect(await run(['import', join(folder, 'nowhere.jsonl')])).toMatchObject({
        code: 1,
        errors: expect.stringContaining('ENOENT') as string,
      })
      expect(await run(['import', '-'])).toMatchObject({ code: 2 })
    }))

  test('pin and unpin say what is so from now on, and show marks the message', () =>
    inGarden(at, async (run) => {
      const { entries } = valueIn(await run(['show', 'garden', '--json'])) as {
        readonly entries: readonly { readonly id: string; readonly kind: string }[]
      }
      const { id } = entries.find(({ kind }) => kind === 'user')!
      const ran = await run(['pin', 'gard', id.slice(0, 8)])
      expect(ran).toMatchObject({
        code: 0,
        output: `✓ garden: ${id.slice(0, 12)} is pinned from the next model call on\n`,
      })
      expect((await run(['show', 'garden'])).output).toContain('(pinned)')
      expect((await run(['pin', 'garden', id])).output).toBe(`garden: ${id.slice(0, 12)} was pinned already\n`)
      expect(valueIn(await run(['unpin', 'garden', id, '--json']))).toEqual({
        thread: 'garden',
        entry: id,
        pinned: false,
        changed: true,
      })
      expect((await run(['show', 'garden'])).output).not.toContain('(pinned)')
      expect(await run(['pin', 'garden', 'ffffffff'])).toMatchObject({ code: 1 })
      expect(await run(['pin', 'garden'])).toMatchObject({ code: 2 })
    }))

  test('rate says what is recorded, show and search show it, and none takes it back', () =>
    inGarden(at, async (run) => {
      const rated = await run([
        'rate',
        'gard',
        '1',
        'down',
        '--comment',
        'Ferns want water.',
        '--tag',
        'Facts',
        'ferns',
      ])
      expect(rated).toMatchObject({
        code: 0,
        output: expect.stringMatching(
          /^✓ garden: [0-9a-f]{12}: rated down, #facts, #ferns, “Ferns want water\.”\n$/,
        ) as string,
      })
      expect((await run(['show', 'garden'])).output).toContain('rated down, #facts, #ferns, “Ferns want water.”)')
      expect((await run(['search', '--tag', 'facts'])).output).toContain('rated down, #facts')
      expect((await run(['search', 'ferns', '--rating', 'up'])).output).toContain('No message with this feedback')
      expect((await run(['search', 'want', 'water'])).output).toContain('Ferns want water.')
      const again = [
        'rate',
        'garden',
        '1',
        'down',
        '--comment',
        'Ferns want water.',
        '--tag',
        'facts',
        '--tag',
        'ferns',
      ]
      expect((await run(again)).output).toContain('as before')
      const lines = (await run(['export', '--rated', '--rating', 'down', '--tag', 'facts'])).output.trim().split('\n')
      expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
        { thread: 'garden', kind: 'assistant', prompt: { same: true }, feedback: { rating: 'down' } },
      ])
      expect(valueIn(await run(['rate', 'garden', '1', 'none', '--json']))).toMatchObject({ tags: [], changed: true })
      expect((await run(['show', 'garden'])).output).not.toContain('rated')
      expect(await run(['rate', 'garden', '99', 'up'])).toMatchObject({ code: 1 })
      expect(await run(['rate', 'garden', '1', 'sideways'])).toMatchObject({ code: 2 })
      expect((await run(['rate', 'garden', '1'])).errors).toContain('Nothing is said')
    }))

  test('erase asks first, forgets, and says what remains', () =>
    inGarden(at, async (run) => {
      expect(await run(['erase', 'harbour'])).toMatchObject({
        code: 2,
        errors: expect.stringContaining('--yes') as string,
      })
      expect((await run(['show', 'harbour'])).output).toContain('high tide')
      expect(await run(['erase', 'harb', '--yes'])).toMatchObject({ code: 1 })
      const { entries } = valueIn(await run(['show', 'garden', '--json'])) as {
        readonly entries: readonly { readonly id: string }[]
      }
      expect(
        valueIn(await run(['erase', 'garden', '--entry', entries[0]!.id.slice(0, 16), '--yes', '--json'])),
      ).toMatchObject({ thread: 'garden', erased: expect.arrayContaining([entries[0]!.id]) as string[] })
      expect((await run(['show', 'garden'])).output).toContain('hostas')
      const erased = await run(['erase', 'harbour', '--yes'])
      expect(erased).toMatchObject({
        code: 0,
        output: expect.stringMatching(/harbour: \d+ entries erased[\s\S]*Forks and restored copies/) as string,
      })
      expect((await run(['show', 'harbour'])).output).not.toContain('tide')
    }))

  test('erase --remove takes the thread out of the list', () =>
    inGarden(at, async (run) => {
      expect(await run(['erase', 'harbour', '--remove'])).toMatchObject({ code: 2 })
      expect(await run(['erase', 'harbour', '--remove', '--entry', 'x', '--yes'])).toMatchObject({ code: 2 })
      expect((await run(['threads'])).output).toContain('harbour')
      expect(await run(['erase', 'harbour', '--remove', '--yes'])).toMatchObject({
        code: 0,
        output: expect.stringMatching(/harbour: removed with \d+ entries[\s\S]*The name of the thread stays/) as string,
      })
      expect((await run(['threads'])).output).not.toContain('harbour')
      expect(await run(['show', 'harbour'])).toMatchObject({ code: 1 })
    }))

  test('threads are listed by their metadata', () =>
    inGarden(at, async (run) => {
      expect(await run(['threads', '--metadata', 'owner'])).toMatchObject({ code: 2 })
      expect(valueIn(await run(['threads', '--metadata', 'owner=ann', 'project=x=y', '--json']))).toEqual({
        threads: [],
      })
    }))

  test('keys are made, listed and revoked; the key is shown once', () =>
    inGarden(at, async (run) => {
      const made = await run(['keys', 'create', 'reader', '--scope', 'viewer'])
      expect(made).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^mb_[\w-]{40}\n$/) as string,
        errors: expect.stringContaining('viewer of default') as string,
      })
      expect(await run(['keys', 'create', 'reader'])).toMatchObject({
        code: 1,
        errors: expect.stringContaining('already') as string,
      })
      const listed = await run(['keys'])
      expect(listed.output).toMatch(/reader +viewer +default +just now/)
      expect(listed.output).not.toContain(made.output.trim())
      expect(await run(['keys', 'revoke', 'reader'])).toMatchObject({ code: 0 })
      expect((await run(['keys', 'list'])).output).toMatch(/reader .*revoked just now/)
      expect(await run(['keys', 'revoke', 'reader'])).toMatchObject({ code: 1 })
      expect(await run(['keys', 'create', 'x', '--scope', 'king'])).toMatchObject({ code: 2 })
    }))
})

describe('where the server is', () => {
  const wrongs: readonly [
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    code: number,
    says: RegExp,
  ][] = [
    [['threads', '--server', 'nonsense'], {}, 2, /must begin with http/],
    [['threads', '--server', 'ftp://x'], {}, 2, /must begin with http/],
    [['threads', '--server', 'http://me:secret@x'], {}, 2, /without a user name or a query/],
    [['threads', '--server', 'http://127.0.0.1:9', '--data', '/x'], {}, 2, /Both a server and a local record/],
    [['threads', '--key', 'k'], {}, 2, /--key needs a server/],
    [['threads', '--server', 'http://127.0.0.1:9'], {}, 1, /does not answer/],
    [['threads'], { MINUTEBOOK_SERVER: 'http://127.0.0.1:9' }, 1, /127\.0\.0\.1:9 does not answer/],
  ]
  test.each(wrongs)('%s %s ends with %i', async (args, environment, code, says) => {
    using data = dataFolder()
    const ran = await runCommand(args, data.path, { environment })
    expect(ran.errors).toMatch(says)
    expect(ran.errors).not.toContain('secret')
    expect(ran.code).toBe(code)
  })

  test('a key that the server does not take is told as what was passed', async () => {
    using data = dataFolder()
    using elsewhere = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns.' })
    const keys = [{ name: 'wall', sha256: createHash('sha256').update('wall-key').digest('hex'), scope: 'viewer' }]
    await using server = await serve(
      readConfig({ flags: { data: data.path, port: 0, keys, upstreams: [{ url: upstream.url }] }, environment: {} }),
      { log: 'silent' },
    )
    const at = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ran> =>
      runCommand([...args, '--server', server.url], elsewhere.path, { environment })
    const named = /--key.*MINUTEBOOK_KEY/
    for (const args of [['threads'], ['chat', 'hi']]) {
      expect(await at(args)).toMatchObject({ code: 1, errors: expect.stringMatching(/requires a key/) as string })
      const wrong = await at([...args, '--key', 'canary-wxyzqvkw'])
      expect(wrong).toMatchObject({ code: 1, errors: expect.stringMatching(/does not know this key/) as string })
      expect(wrong.errors).toMatch(named)
      expect(wrong.errors).not.toContain('wxyzqvkw')
    }
    for (const [args, environment] of [
      [['chat', '--key', 'wall-key', 'hi'], { MINUTEBOOK_KEY: 'another' }],
      [['chat', 'hi'], { MINUTEBOOK_KEY: 'wall-key' }],
      [['keys', '--key', 'wall-key'], {}],
    ] as const) {
      const { code, errors } = await at(args, environment)
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(/scope/) as string })
      expect(errors).toMatch(named)
      expect(errors).not.toContain('upstream does not answer')
    }
  })

  test('a database that cannot be reached is named, without its password', async () => {
    using data = dataFolder()
    for (const args of [['threads'], ['migrate'], ['serve', '--port', '0']]) {
      const { code, errors } = await runCommand(
        [...args, '--database', 'postgres://me:canary-wxyzqvkw@127.0.0.1:9/x'],
        data.path,
      )
      expect({ code, errors }).toEqual({
        code: 1,
        errors: expect.stringContaining('Postgres at 127.0.0.1:9 cannot be reached') as string,
      })
      expect(errors).not.toContain('wxyzqvkw')
    }
  })

  test('what the library says of its own methods and pools is said of commands', async () => {
    using garden = await gardenFolder()
    const { errors } = await runCommand(['dump', 'garden', '--receipt', 'x'], garden.path)
    expect(errors).toContain('no such receipt')
    expect(errors).not.toContain('receipts()')
  })

  test('a data folder that is named goes before a server of the environment', async () => {
    using garden = await gardenFolder()
    const { code, output } = await runCommand(['threads', '--data', garden.path], '/nowhere', {
      environment: { MINUTEBOOK_SERVER: 'http://127.0.0.1:9', MINUTEBOOK_KEY: 'k' },
    })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('garden') as string })
  })
})
