import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { strictUpstream } from 'minutebook/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { dataFolder, gardenFolder, longFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** A server with a few pages: JSON by path, or a function of what was posted. Undefined: 400. */
async function pages(answers: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece)).on('end', () => {
      const given = answers[request.url ?? '']
      const text = Buffer.concat(pieces).toString()
      const answer: unknown = typeof given === 'function' ? (given as (body: unknown) => unknown)(text === '' ? undefined : JSON.parse(text)) : given
      response.writeHead(request.url! in answers ? (answer === undefined ? 400 : 200) : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
    })
  })
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

interface Examined {
  readonly ok: boolean
  readonly checks: readonly { readonly what: string; readonly state: string; readonly says: string; readonly fix?: string }[]
}

async function doctor(data: string, upstream: string, args: readonly string[] = []): Promise<Examined & { readonly code: number }> {
  const { code, output } = await runCommand(['doctor', '--json', ...args], data, { environment: { MINUTEBOOK_UPSTREAMS: upstream } })
  return { code, ...(JSON.parse(output) as Examined) }
}

const line = ({ what, state, says }: Examined['checks'][number]): string => `${state} ${what}: ${says}`

test('all is well in front of an upstream that answers', async () => {
  using data = await gardenFolder()
  await using upstream = await strictUpstream({ window: 2048, models: ['gemma3:4b'] })
  const { code, ok, checks } = await doctor(data.path, upstream.url)
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  expect(checks.map(line)).toEqual([
    'ok server: does not run; commands read the store themselves',
    `ok upstream: ${upstream.url} is Ollama 0.0.0-strict`,
    'ok models: gemma3:4b · loaded: gemma3:4b',
    'ok window: gemma3:4b: 2,048 tokens, by Ollama, which has it loaded (/api/ps)',
    'ok template: gemma3:4b: cannot be tried here; what it refuses, the upstream will say',
    'ok counter: no model call on record tells how many tokens it had',
    `ok store: ${data.path}/minutebook.db can be written`,
    'ok record: the newest 2 threads (17 entries) hold what was written',
  ])
})

test('each line that is not well says what to change', async () => {
  using data = await longFolder()
  const { code, ok, checks } = await doctor(data.path, 'http://127.0.0.1:9')
  expect({ code, ok }).toEqual({ code: 1, ok: false })
  expect(checks.find(({ what }) => what === 'upstream')).toMatchObject({ state: 'bad', fix: expect.stringContaining('ollama serve') as string })
  expect(checks.find(({ what }) => what === 'counter')?.says).toMatch(/^gemma3:4b: predictions are \d+% too high in the median of \d+ calls, \d+% too low at worst/)
  for (const { state, fix } of checks) expect(fix !== undefined).toBe(state !== 'ok')
  const { output } = await runCommand(['doctor'], data.path, { environment: { MINUTEBOOK_UPSTREAMS: 'http://127.0.0.1:9' } })
  expect(output).toContain('✗ upstream      http://127.0.0.1:9 does not answer')
  expect(output).toMatch(/\n {16}→ Start it/)
})

describe('templates are tried where the upstream lets us', () => {
  const chat = (messages: readonly { readonly role: string; readonly content: string }[]): string | undefined =>
    messages.some(({ role }, index) => role === 'system' && index > 0) ? undefined : messages.map((message) => JSON.stringify(message)).join('\n')

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
    expect(templates.map(({ says }) => says)).toEqual(['strict:1b: demands systemFirstOnly'])
    expect(templates[0]?.fix).toContain('models.strict:1b.profile: { systemFirstOnly: true }')
    const config = join(data.path, 'minutebook.yaml')
    writeFileSync(config, `upstreams:\n  - url: ${url}\nmodels:\n  strict:1b:\n    profile:\n      systemFirstOnly: true\n`)
    const { output } = await runCommand(['doctor', '--json', '--config', config], data.path)
    expect((JSON.parse(output) as Examined).checks.filter(({ what }) => what === 'template').map(({ state }) => state)).toEqual(['ok'])
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
    expect(checks.map(line)).toEqual(expect.arrayContaining([
      `ok upstream: ${url} is llama.cpp`,
      'ok models: tiny',
      'ok window: tiny: 512 tokens, by llama.cpp (/props)',
      'warn template: tiny: demands systemFirstOnly',
    ]) as string[])
  })
})
