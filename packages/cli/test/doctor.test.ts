import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { apiHandler, readConfig, serve, type Running } from '@minutebook/server'
import { sqliteStore } from '@minutebook/sqlite'
import { strictUpstream } from '@minutebook/testing/server'
import { afterEach, describe, expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { namedModel, relayBook, said } from '../../../tests/support/relays.ts'
import { recordSetup } from '../../server/src/stores/setup.ts'
import { dataFolder, gardenFolder, longFolder, recordedFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** A server with a few pages: JSON by path, or a function of what was posted. Undefined: 400. */
async function pages(answers: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const given = answers[request.url ?? '']
        const text = Buffer.concat(pieces).toString()
        const answer: unknown =
          typeof given === 'function'
            ? (given as (body: unknown) => unknown)(text === '' ? undefined : JSON.parse(text))
            : given
        response
          .writeHead(request.url! in answers ? (answer === undefined ? 400 : 200) : 404, {
            'content-type': 'application/json',
          })
          .end(JSON.stringify(answer ?? {}))
      })
  })
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

interface Examined {
  readonly ok: boolean
  readonly checks: readonly {
    readonly what: string
    readonly state: string
    readonly says: string
    readonly fix?: string
  }[]
}

async function doctor(
  data: string,
  upstream: string,
  args: readonly string[] = [],
): Promise<Examined & { readonly code: number }> {
  const { code, output } = await runCommand(['doctor', '--json', ...args], data, {
    environment: { MINUTEBOOK_UPSTREAMS: upstream },
  })
  return { code, ...(JSON.parse(output) as Examined) }
}

const line = ({ what, state, says }: Examined['checks'][number]): string => `${state} ${what}: ${says}`

test('all is well in front of an upstream that answers', async () => {
  using data = await gardenFolder()
  await using upstream = await strictUpstream({ window: 2048, models: ['gemma3:4b'] })
  const { code, ok, checks } = await doctor(data.path, upstream.url)
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  expect(checks.map(line)).toEqual([
    'ok server: is not running; commands read the store directly',
    `ok upstream: ${upstream.url} is Ollama 0.0.0-strict`,
    'ok models: gemma3:4b · loaded: gemma3:4b',
    'ok window: gemma3:4b: 2,048 tokens, by Ollama, which has it loaded (/api/ps); no cut was seen in 1 call',
    'ok template: gemma3:4b: cannot be tested here; the upstream will report what it refuses',
    'ok counter: no recorded model call reports its token count',
    `ok store: ${data.path}/minutebook.db can be written`,
    'ok record: all 17 entries and 5 prompts of them are intact',
  ])
})

test('each line that is not well says what to change', async () => {
  using data = await longFolder()
  const { code, ok, checks } = await doctor(data.path, 'http://127.0.0.1:9')
  expect({ code, ok }).toEqual({ code: 1, ok: false })
  expect(checks.find(({ what }) => what === 'upstream')).toMatchObject({
    state: 'bad',
    fix: expect.stringContaining('ollama serve') as string,
  })
  expect(checks.find(({ what }) => what === 'counter')?.says).toMatch(
    /^gemma3:4b: predictions are \d+% too high in the median of \d+ calls, \d+% too low at worst/,
  )
  for (const { state, fix } of checks) expect(fix !== undefined).toBe(state !== 'ok')
  const { output } = await runCommand(['doctor'], data.path, {
    environment: { MINUTEBOOK_UPSTREAMS: 'http://127.0.0.1:9' },
  })
  expect(output).toContain('✗ upstream      http://127.0.0.1:9 does not answer')
  expect(output).toMatch(/\n {16}→ Start it/)
})

describe('the record', () => {
  const recordOf = async (data: string): Promise<readonly string[]> =>
    (await doctor(data, 'http://127.0.0.1:9')).checks
      .filter(({ what }) => what === 'record')
      .map((check) => line(check).replace(/verify --all .*checks/, 'verify --all checks'))

  test.each(['the store alone', 'a server on the folder'])(
    'is checked in part, and the line says so: %s',
    async (way) => {
      using data = await longFolder()
      const file = join(data.path, 'minutebook.db')
      const serving = (): Promise<Running | undefined> =>
        way === 'the store alone'
          ? Promise.resolve(undefined)
          : serve(readConfig({ flags: { data: data.path, port: 0 }, environment: {}, folder: data.path }), {
              api: apiHandler,
              log: 'silent',
            })
      {
        await using running = await serving()
        expect(running === undefined).toBe(way === 'the store alone')
        expect(await recordOf(data.path)).toEqual([
          'ok record: all 121 entries and the newest 20 prompts of them are intact; minutebook verify --all checks all of them',
        ])
      }
      const store = sqliteStore(file)
      const first = entryOf({ role: 'user', content: 'Hello' })
      await store.append('old', [first])
      for (let at = 0, before = first; at < 300; at++) {
        before = entryOf({ role: 'user', content: `Hello ${at}` }, before)
        await store.append('old', [before])
      }
      store.close()
      await using running = await serving()
      expect(running === undefined).toBe(way === 'the store alone')
      expect(await recordOf(data.path)).toEqual([
        'ok record: the newest 200 of 422 entries are intact; minutebook verify --all checks all of them',
      ])
    },
  )

  test('with a changed entry among the newest is not well', async () => {
    using data = await longFolder()
    {
      using database = new DatabaseSync(join(data.path, 'minutebook.db'))
      const change = "update entry set payload = replace(payload, 'Bed 40', 'Bad 40') where payload like '%Bed 40%'"
      expect(Number(database.prepare(change).run().changes)).toBeGreaterThan(0)
    }
    expect(await recordOf(data.path)).toEqual(['bad record: 1 of the newest 1 thread was changed'])
  })
})

describe('an upstream that answers without a list of models', () => {
  test.each([
    [401, 'answers, but needs a key to list its models (status 401); fine if clients send their own', 'Give it a key'],
    [404, 'answers, but does not list its models (status 404); fine if it has no such list', 'Check its address'],
    [302, 'answers, but does not list its models (status 302); fine if it has no such list', 'Check its address'],
  ])('with status %i is not one that does not answer', async (status, says, fix) => {
    using data = await gardenFolder()
    server = createServer((_, response) => void response.writeHead(status, { location: '/elsewhere' }).end('{}'))
    await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { code, checks } = await doctor(data.path, `http://127.0.0.1:${port}`)
    expect(code).toBe(0)
    expect(checks.filter(({ what }) => what === 'upstream')).toEqual([
      {
        what: 'upstream',
        state: 'warn',
        says: `http://127.0.0.1:${port} ${says}`,
        fix: expect.stringContaining(fix) as string,
      },
    ])
  })

  test('with 503 does not answer', async () => {
    using data = await gardenFolder()
    server = createServer((_, response) => void response.writeHead(503).end('{}'))
    await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { checks } = await doctor(data.path, `http://127.0.0.1:${port}`)
    expect(checks.map(line)).toContain(`bad upstream: http://127.0.0.1:${port} does not answer (status 503)`)
  })
})

test('an upstream of Anthropic is asked as Anthropic is', async () => {
  using data = await gardenFolder()
  await using upstream = await strictUpstream({ models: ['claude-small'] })
  const settings = JSON.stringify([{ url: upstream.url, protocol: 'anthropic', key: 'sk-own' }])
  const { checks } = await doctor(data.path, settings)
  expect(checks.map(line)).toContain(`ok upstream: ${upstream.url} is Anthropic-compatible`)
  expect(checks.map(line)).toContain('ok models: claude-small')
  for (const { headers } of upstream.requests) {
    expect(headers).toMatchObject({ 'x-api-key': 'sk-own', 'anthropic-version': '2023-06-01' })
    expect(headers).not.toHaveProperty('authorization')
  }
})

describe('a window', () => {
  const ollama = (context_length: number | undefined): Readonly<Record<string, unknown>> => ({
    '/api/version': { version: '0.12.3' },
    '/api/tags': { models: [{ name: 'g:1b' }] },
    '/api/ps': { models: context_length === undefined ? [] : [{ name: 'g:1b', model: 'g:1b', context_length }] },
    '/api/show': { model_info: { 'general.architecture': 'g', 'g.context_length': 131_072 } },
  })
  const plain = { '/v1/models': { data: [{ id: 'g:1b' }] } }

  test.each([
    [
      'that Ollama made as small as it usually does',
      ollama(4096),
      'warn window: g:1b: 4,096 tokens, by Ollama, which has it loaded (/api/ps); it can take 131,072',
      '{ "g:1b": { num_ctx: 16384 } }',
    ],
    [
      'that was made larger',
      ollama(8192),
      'ok window: g:1b: 8,192 tokens, by Ollama, which has it loaded (/api/ps)',
      undefined,
    ],
    [
      'of a model that is not loaded',
      ollama(undefined),
      'ok window: g:1b: unknown until Ollama has loaded it; it can take 131,072 (models.g:1b.num_ctx)',
      undefined,
    ],
    [
      'that nobody tells',
      plain,
      'warn window: g:1b: unknown. Messages of clients are sent unchanged; prompts of Minutebook are built for 32,768 tokens',
      '{ "g:1b": { window: 32768 } }',
    ],
  ] as const)('%s', async (_name, answers, says, fix) => {
    using data = dataFolder()
    const { checks } = await doctor(data.path, await pages(answers))
    const found = checks.find(({ what }) => what === 'window')!
    expect(line(found)).toBe(says)
    if (fix === undefined) expect(found.fix).toBeUndefined()
    else expect(found.fix).toContain(`models: ${fix}`)
  })
})

describe('a window that is smaller than stated', () => {
  /** The calls of a thread, each with what was read of it, and whether it was cut. */
  async function examined(
    calls: readonly (readonly [read: number, cut: boolean])[],
    upstream: string,
  ): Promise<string[]> {
    using data = dataFolder()
    const store = sqliteStore(join(data.path, 'minutebook.db'))
    const thread = relayBook({ model: namedModel('ollama', 'g:1b') }, store).thread('garden')
    for (const [prompt, cut] of calls)
      await (
        await thread.relay([{ role: 'user', content: 'What grows in the shade?' }], { alone: true })
      ).answer(said('Ferns.', { usage: { prompt, completion: 2 } }), {
        onUsage: () => (cut ? 'yes' : 'no'),
      })
    store.close()
    const { checks } = await doctor(data.path, upstream)
    return checks.filter(({ what }) => what === 'window').map(line)
  }
  const stated = 'g:1b: 8,192 tokens, by its list of models (/v1/models)'
  const ollama = (): Promise<string> => pages({ '/v1/models': { data: [{ id: 'g:1b', max_model_len: 8192 }] } })

  test.each([
    [
      'is told with what was read',
      [
        [5, false],
        [1980, true],
        [1990, true],
      ],
      'bad',
      `${stated}; but the upstream cut 2 prompts without an error, and read at most 1,990 tokens of them`,
    ],
    [
      'is not told of one that reads more by now',
      [
        [1990, true],
        [3000, false],
      ],
      'ok',
      `${stated}; no cut was seen in 2 calls`,
    ],
    [
      'is told again if it cuts again',
      [
        [1990, true],
        [3000, false],
        [1990, true],
      ],
      'bad',
      `${stated}; but the upstream cut 2 prompts without an error, and read at most 1,990 tokens of them`,
    ],
    ['is not told without a cut', [[5, false]], 'ok', `${stated}; no cut was seen in 1 call`],
  ] as const)('%s', async (_name, calls, state, says) => {
    expect(await examined(calls, await ollama())).toEqual([`${state} window: ${says}`])
  })

  test('is told while its server does not answer', async () => {
    expect(await examined([[1990, true]], 'http://127.0.0.1:9')).toEqual([
      'bad window: g:1b: the upstream cut 1 prompt without an error, and read at most 1,990 tokens of them',
    ])
  })
})

describe('a counter', () => {
  test.each([
    ['that is off by what a template adds', [30], 'ok'],
    ['that is far below', [30, 200], 'warn'],
    ['that is far above, while the gateway still learns', [10, 10, 10], 'ok'],
    ['that is far above for good', Array.from({ length: 20 }, () => 10), 'warn'],
  ] as const)('%s', async (_name, prompts, state) => {
    const lines = prompts.map((prompt) => ({ text: 'Yes.', usage: { prompt, completion: 2 } }))
    // Each question in a thread of its own, so that all prompts are alike but for the long one.
    using data = await recordedFolder(lines, async (book) => {
      for (const [index, prompt] of prompts.entries())
        await book
          .thread(`${index}`, { tools: [] })
          .send(`Which of them ${prompt > 100 ? 'is a fern and '.repeat(12) : ''}likes the shade of my wall?`).done
    })
    const { checks } = await doctor(data.path, 'http://127.0.0.1:9')
    expect(checks.find(({ what }) => what === 'counter')).toMatchObject({
      state,
      says: expect.stringContaining(`of ${prompts.length} call`) as string,
    })
  })
})

test('the worst prediction is the lowest where one is too low, else the highest', async () => {
  const says = async (prompts: readonly number[]): Promise<string | undefined> => {
    const lines = prompts.map((prompt) => ({ text: 'Yes.', usage: { prompt, completion: 2 } }))
    using data = await recordedFolder(lines, async (book) => {
      for (const index of prompts.keys())
        await book.thread(`${index}`, { tools: [] }).send('Which of them likes the shade of my wall?').done
    })
    return (await doctor(data.path, 'http://127.0.0.1:9')).checks.find(({ what }) => what === 'counter')?.says
  }
  const figures = /are (\d+)% too high in the median of 3 calls, (\d+)% too (high|low) at worst/
  const [, median = '', worst = '', side] = figures.exec((await says([12, 9, 6])) ?? '') ?? []
  expect([Number(worst) > Number(median), side]).toEqual([true, 'high'])
  expect(figures.exec((await says([24, 9, 6])) ?? '')?.[3]).toBe('low')
})

describe('tools', () => {
  const program = fileURLToPath(new URL('../../../tests/support/server/mcp-program.ts', import.meta.url))
  const settings = (command: readonly string[]): string =>
    `upstreams: [{ url: "http://127.0.0.1:9" }]\nmcp: [{ name: calc, command: ${JSON.stringify(command)} }]\n`
  const looked = async (data: string, config: string): Promise<readonly string[]> => {
    const { output } = await runCommand(['doctor', '--json', '--config', config], data)
    return (JSON.parse(output) as Examined).checks.filter(({ what }) => what === 'tools').map(line)
  }

  test.each(['a server on the folder', 'the store alone'])(
    'an MCP server that does not start, and a setup with a tool that is not there, are told: %s',
    async (way) => {
      using data = dataFolder()
      const config = join(data.path, 'minutebook.yaml')
      writeFileSync(config, settings(['/nowhere/to/be/found']))
      {
        await using serving = await serve(
          readConfig({ path: config, flags: { data: data.path, port: 0 }, environment: {} }),
          { log: 'silent' },
        )
        const { store } = serving.services.stores.of('default')
        await store.append('garden', [entryOf({ role: 'user', content: 'Hello' })])
        await recordSetup(store, 'garden', { tools: ['calc_add'] })
        const told = [
          'bad tools: the MCP server calc does not start, does not answer, or has no tools',
          'bad tools: the setup of garden names the tool calc_add, which does not exist',
        ]
        if (way === 'a server on the folder') return expect(await looked(data.path, config)).toEqual(told)
      }
      expect(await looked(data.path, config)).toHaveLength(2)
      writeFileSync(config, settings([process.execPath, program]))
      expect(await looked(data.path, config)).toEqual(['ok tools: the MCP server calc has 3 tools'])
    },
  )
})

describe('templates are tried where the upstream lets us', () => {
  const chat = (messages: readonly { readonly role: string; readonly content: string }[]): string | undefined =>
    messages.some(({ role }, index) => role === 'system' && index > 0)
      ? undefined
      : messages.map((message) => JSON.stringify(message)).join('\n')

  test('on Ollama, for models that are loaded', async () => {
    using data = dataFolder()
    const url = await pages({
      '/api/version': { version: '0.12.3' },
      '/api/tags': { models: [{ name: 'strict:1b' }, { name: 'asleep:1b' }] },
      '/api/ps': { models: [{ name: 'strict:1b', model: 'strict:1b', context_length: 4096 }] },
      '/api/show': {},
      '/api/chat': ({ messages }: { messages: { role: string; content: string }[] }) => {
        const rendered = chat(messages)
        return rendered && { _debug_info: { rendered_template: rendered } }
      },
    })
    const { checks } = await doctor(data.path, url)
    const templates = checks.filter(({ what }) => what === 'template')
    expect(templates.map(({ says }) => says)).toEqual(['strict:1b: requires systemFirstOnly'])
    expect(templates[0]?.fix).toContain('models.strict:1b.profile: { systemFirstOnly: true }')
    const config = join(data.path, 'minutebook.yaml')
    writeFileSync(
      config,
      `upstreams:\n  - url: ${url}\nmodels:\n  strict:1b:\n    profile:\n      systemFirstOnly: true\n`,
    )
    const { output } = await runCommand(['doctor', '--json', '--config', config], data.path)
    expect(
      (JSON.parse(output) as Examined).checks.filter(({ what }) => what === 'template').map(({ state }) => state),
    ).toEqual(['ok'])
  })

  test('on llama.cpp', async () => {
    using data = dataFolder()
    const url = await pages({
      '/v1/models': { data: [{ id: 'tiny' }] },
      '/props': { n_ctx: 512, default_generation_settings: { n_ctx: 512 } },
      '/apply-template': ({ messages }: { messages: { role: string; content: string }[] }) => {
        const prompt = chat(messages)
        return prompt && { prompt }
      },
    })
    const { checks } = await doctor(data.path, url)
    expect(checks.map(line)).toEqual(
      expect.arrayContaining([
        `ok upstream: ${url} is llama.cpp`,
        'ok models: tiny',
        'ok window: tiny: 512 tokens, by llama.cpp (/props)',
        'warn template: tiny: requires systemFirstOnly',
      ]) as string[],
    )
  })
})
