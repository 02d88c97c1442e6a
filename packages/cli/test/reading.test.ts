import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiHandler, readConfig, serve } from '@minutebook/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gardenFolder, longFolder, recordedFolder, type DataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

let garden: DataFolder
let long: DataFolder

beforeAll(async () => {
  garden = await gardenFolder()
  long = await longFolder()
})

afterAll(() => {
  garden[Symbol.dispose]()
  long[Symbol.dispose]()
})

const plainTerminal = { tty: true, environment: { NO_COLOR: '1' } } as const

/** Commands whose output is on record in `golden/`. */
const cases: readonly {
  readonly name: string
  readonly args: readonly string[]
  readonly folder: () => DataFolder
  readonly code?: number
}[] = [
  { name: 'threads', args: ['threads'], folder: () => garden },
  { name: 'show', args: ['show', 'garden'], folder: () => garden },
  { name: 'show-branch', args: ['show', 'gard', '--head', 'BRANCH', '--full'], folder: () => garden },
  { name: 'dump', args: ['dump', 'garden', '--turn', '1'], folder: () => garden },
  { name: 'dump-long', args: ['dump'], folder: () => long },
  { name: 'explain', args: ['explain', 'beds'], folder: () => long },
  { name: 'cache', args: ['cache', 'beds'], folder: () => long },
  { name: 'explain-turn', args: ['explain', 'beds', '--turn', '20', '--rows', '12'], folder: () => long },
  { name: 'verify', args: ['verify', '--all'], folder: () => garden },
]

/** The branch that is not the newest, by the beginning of its head. */
async function withBranch(args: readonly string[]): Promise<readonly string[]> {
  if (!args.includes('BRANCH')) return args
  const { output } = await runCommand(['show', 'garden', '--json'], garden.path)
  const { branches } = JSON.parse(output) as { branches: { head: string }[] }
  return args.map((arg) => (arg === 'BRANCH' ? branches[1]!.head.slice(0, 8) : arg))
}

describe('the last line of cache', () => {
  test('is a command that shows the prompt of a call', async () => {
    const { output } = await runCommand(['cache', 'beds'], long.path)
    const [, ...words] = output.trimEnd().split('\n').at(-1)!.split(': minutebook ')[1]!.split(' ')
    const ran = await runCommand(['explain', ...words.slice(0, 2)], long.path)
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.output).toContain(`turn ${words[1]} · `)
  })
})

describe('what a command prints', () => {
  test.each(cases)('$name', async ({ name, args, folder, code = 0 }) => {
    const ran = await runCommand(await withBranch(args), folder().path, plainTerminal)
    expect(ran).toMatchObject({ code, errors: '' })
    await expect(ran.output).toMatchFileSnapshot(`golden/${name}.txt`)
    for (const line of ran.output.split('\n').filter((text) => !/^sha-256|^\{|^What does|^Bed|^Earlier|^\[/.test(text)))
      expect(line.length).toBeLessThanOrEqual(80)
  })

  test.each(cases)('$name: the same when a server runs', async ({ args, folder }) => {
    const { path } = folder()
    const given = await withBranch(args)
    const alone = await runCommand(given, path)
    const config = readConfig({ flags: { data: path, port: 0 }, environment: {}, folder: path })
    await using server = await serve(config, { api: apiHandler, log: 'silent' })
    expect(server.url).toMatch(/^http:/)
    expect(await runCommand(given, path)).toEqual(alone)
    const asJson = [...given.filter((arg) => arg !== '--full'), '--json']
    const remote = await runCommand(asJson, path)
    await server.close()
    expect(await runCommand(asJson, path)).toEqual(remote)
  })

  test('explain says that a larger window was asked for', async () => {
    using folder = await recordedFolder(
      ['Ferns.'],
      async (book) => void (await book.thread('garden').send('What grows in the shade?').done),
      2048,
      { shortfall: { asked: 4096, given: 2048, source: '/api/ps' } },
    )
    const { output } = await runCommand(['explain'], folder.path)
    expect(output.replaceAll('\n', ' ')).toContain(
      '! A window of 4,096 tokens was asked for, but the model has 2,048 (source: /api/ps).',
    )
    expect((await runCommand(['explain'], garden.path)).output).not.toContain('was asked for')
  })

  test('explain in colours says the same', async () => {
    const plain = await runCommand(['explain'], long.path, plainTerminal)
    const coloured = await runCommand(['explain'], long.path, { tty: true })
    expect(coloured.output).toContain('\u001b[38;5;')
    expect(plain.output).not.toContain('\u001b')
    // oxlint-disable-next-line no-control-regex
    expect(coloured.output.replaceAll(/\u001b\[[\d;]+m/g, '')).toBe(plain.output)
  })
})

describe('for programs', () => {
  const shapes: readonly [args: readonly string[], keys: readonly string[]][] = [
    [['threads'], ['threads']],
    [
      ['threads', '--limit', '1'],
      ['threads', 'next'],
    ],
    [['show'], ['thread', 'head', 'branches', 'hidden', 'entries']],
    [
      ['dump', 'garden'],
      ['thread', 'turn', 'call', 'model', 'receipt', 'messages', 'tools', 'text', 'hash', 'same', 'erased'],
    ],
    [
      ['explain', 'garden'],
      ['thread', 'turn', 'call', 'model', 'receipt', 'shares', 'plan', 'cost', 'cache', 'same', 'erased'],
    ],
    [['calls'], ['calls', 'from']],
    [['cache', 'garden'], ['calls']],
    [['verify'], ['ok', 'threads']],
  ]
  test.each(shapes)('%s --json has its shape', async (args, keys) => {
    const { code, output } = await runCommand([...args, '--json'], garden.path)
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(output) as object)).toEqual(keys)
  })

  test('a failure is JSON, too', async () => {
    const { code, output } = await runCommand(['show', 'nowhere', '--json'], garden.path)
    expect(code).toBe(1)
    expect(JSON.parse(output)).toEqual({
      error: {
        code: 'unknown_thread',
        message: 'There is no thread "nowhere".',
        fix: 'List them with: minutebook threads',
      },
    })
  })

  test('an export is the log, on the standard output or in a file', async () => {
    const { output, errors } = await runCommand(['export', 'garden'], garden.path)
    expect(errors).toBe('')
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual(
      output
        .trim()
        .split('\n')
        .map((_, index) => index),
    )
    const file = join(garden.path, 'garden.jsonl')
    const written = await runCommand(['export', 'garden', '-o', file], garden.path)
    expect(written).toMatchObject({ code: 0, output: '' })
    expect(readFileSync(file, 'utf8')).toBe(output)
  })
})

describe('what goes wrong', () => {
  const wrongs: readonly [args: readonly string[], code: number, says: RegExp][] = [
    [['show', 'gadren'], 1, /There is no thread "gadren"\. Similar ones are:\n\s+garden/],
    [['show', 'tide'], 1, /Similar ones are:\n\s+harbour {2}When is high tide/],
    [['show', 'zzzzzzzzzz'], 1, /minutebook threads/],
    [['dump', 'garden', '--turn', '9'], 1, /2 turns/],
    [['dump', 'garden', '--turn', 'x'], 2, /number of at least 1/],
    [['explain', 'garden', '--receipt', 'x'], 1, /no such receipt/],
    [['dump', 'garden', '--receipt', 'x', '--turn', '1'], 1, /./],
    [['show', 'garden', '--head', 'x'], 1, /Its branches end with/],
    [['threads', '--limit', '0'], 2, /whole number of at least 1/],
    [['threads', '--limit', '5000'], 2, /1 to 1000/],
    [['threads', '--after', 'there'], 2, /`next`/],
    [['treads'], 2, /Did you mean threads/],
    [['threads', 'too', 'many'], 2, /too many arguments/],
    [['show', '--nonsense'], 2, /unknown option.*\n\(see: minutebook show --help\)/],
    [['pin'], 2, /missing required argument 'thread'\n\(see: minutebook pin --help\)/],
    [['threads', '--config', '/nowhere/at/all.yaml'], 2, /all\.yaml/],
    [['serve', '--port', 'many'], 2, /port/],
    [['serve', '--host', '0.0.0.0'], 2, /key/],
  ]
  test.each(wrongs)('%s ends with %i', async (args, code, says) => {
    const ran = await runCommand(args, garden.path)
    expect(ran.errors).toMatch(says)
    expect(ran.code).toBe(code)
    expect(ran.output).toBe('')
  })

  test('nothing on record is no failure of a list, and one of everything else', async () => {
    const { code, output } = await runCommand(['threads'], join(garden.path, 'empty'))
    expect({ code, output }).toEqual({
      code: 0,
      output: 'Nothing is recorded yet. Start a chat with: minutebook chat\n',
    })
    expect((await runCommand(['show'], join(garden.path, 'empty'))).errors).toContain('Nothing is recorded yet')
  })
})

test.each([[], ['--help'], ['--version'], ['threads', '--help']])('%s ends well', async (...args) => {
  const { code, output } = await runCommand(args, garden.path)
  expect(code).toBe(0)
  expect(output).toMatch(/^Usage: minutebook|^\d+\.\d+\.\d+\n$/)
})
