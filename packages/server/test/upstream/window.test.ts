import fc from 'fast-check'
import type { FoundWindow } from 'minutebook/wire'
import { expect, test } from 'vitest'
import type { ModelConfig } from '../../src/config/config.ts'
import { createUpstreamClient } from '../../src/upstream/call.ts'
import { upstreamsOf } from '../../src/upstream/upstream.ts'
import { configuredFor, createWindows, decideWindow, type WindowTerms } from '../../src/upstream/window.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const terms = (more: Partial<WindowTerms> = {}): WindowTerms => ({ configured: {}, takesNumCtx: true, ...more })
const all: FoundWindow = { window: 3000, source: '/api/ps', limit: 131_072 }

test.each<[string, WindowTerms, FoundWindow, object, refused?: number]>([
  [
    'the request first',
    terms({ numCtx: 1000, configured: { window: 2000 } }),
    all,
    { window: 1000, source: 'request' },
  ],
  ['then the configuration', terms({ configured: { window: 2000 } }), all, { window: 2000, source: 'configuration' }],
  [
    'a configured num_ctx before that of the request: it replaces it',
    terms({ numCtx: 1000, configured: { num_ctx: 2000 } }),
    all,
    { window: 2000, source: 'configuration', numCtx: 2000 },
  ],
  [
    'a configured window beside a configured num_ctx',
    terms({ configured: { num_ctx: 2000, window: 1500 } }),
    all,
    { window: 1500, source: 'configuration', numCtx: 2000 },
  ],
  ['then the loaded model', terms(), all, { window: 3000, source: '/api/ps' }],
  ['nobody', terms(), {}, { window: 32_768, source: 'assumed' }],
  ['what the model can take is only a limit', terms(), { limit: 131_072 }, { window: 32_768, source: 'assumed' }],
  ['a limit below what is assumed', terms(), { limit: 2048 }, { window: 2048, source: 'assumed' }],
  ['a refusal, if nobody says anything', terms(), {}, { window: 65_536, source: 'refusal' }, 65_536],
  ['a refusal, if it is less than what is said', terms(), all, { window: 2000, source: 'refusal' }, 2000],
  ['what is said, if it is less than a refusal', terms(), all, { window: 3000, source: '/api/ps' }, 4000],
  [
    'a refusal, if the operator says more',
    terms({ configured: { window: 8000 } }),
    {},
    { window: 4000, source: 'refusal' },
    4000,
  ],
  ['a request above the limit', terms({ numCtx: 100_000 }), { limit: 8192 }, { window: 8192, source: 'request' }],
  ['a num_ctx that is none', terms({ numCtx: 0 }), all, { window: 3000, source: '/api/ps' }],
  [
    "OpenAI's protocol knows no num_ctx",
    terms({ numCtx: 1000, configured: { num_ctx: 2000 }, takesNumCtx: false }),
    all,
    { window: 3000, source: '/api/ps' },
  ],
  ['requested output is the reserve', terms({ output: 500 }), all, { window: 3000, source: '/api/ps', reserve: 500 }],
  ['at most half of the window', terms({ output: 100_000 }), all, { window: 3000, source: '/api/ps', reserve: 1500 }],
  [
    'before the configured one',
    terms({ output: 500, configured: { reserve: 200 } }),
    all,
    { window: 3000, source: '/api/ps', reserve: 500 },
  ],
  [
    'without end: the configured one',
    terms({ output: -1, configured: { reserve: 200 } }),
    all,
    { window: 3000, source: '/api/ps', reserve: 200 },
  ],
])('%s', (_, asked, found, expected, refused) => {
  expect(decideWindow(asked, found, refused)).toEqual(expected)
})

test('whatever is said, a window is a positive number of tokens and the reserve at most half of it', () => {
  const size = fc.option(fc.oneof(fc.integer({ min: -5, max: 20_000 }), fc.constantFrom(NaN, 0.5, Infinity)), {
    nil: undefined,
  })
  const positive = fc.option(fc.integer({ min: 16, max: 20_000 }), { nil: undefined })
  fc.assert(
    fc.property(
      fc.record({
        numCtx: size,
        output: size,
        window: positive,
        num_ctx: positive,
        reserve: positive,
        found: positive,
        limit: positive,
        refused: positive,
        takesNumCtx: fc.boolean(),
      }),
      (said) => {
        const asked = terms({
          numCtx: said.numCtx,
          output: said.output,
          configured: { window: said.window, num_ctx: said.num_ctx, reserve: said.reserve },
          takesNumCtx: said.takesNumCtx,
        })
        const { window, reserve = 0 } = decideWindow(
          asked,
          { window: said.found, source: '/props', limit: said.limit },
          said.refused,
        )
        expect(Number.isSafeInteger(window) && window > 0).toBe(true)
        expect(reserve).toBeLessThanOrEqual(window / 2)
      },
    ),
  )
})

interface Asked {
  readonly of: (numCtx?: number) => Promise<object>
  readonly paths: string[]
  time: number
}

/** Windows of a model behind an upstream that answers these pages. */
async function asking(
  pages: Record<string, unknown>,
  models: Record<string, ModelConfig> = {},
  protocol?: 'openai',
): Promise<Asked> {
  const paths: string[] = []
  const { url } = await plainUpstream((request, response) => {
    request.resume()
    paths.push(request.url ?? '')
    const page = pages[request.url ?? '']
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' })
    setTimeout(() => response.end(typeof page === 'string' ? page : JSON.stringify(page ?? { error: 'not found' })), 5)
  })
  const [upstream] = upstreamsOf([{ url, protocol }]).all
  const caller = createUpstreamClient()
  const asked: Asked = {
    of: (numCtx) =>
      windows.of({
        tenant: 'default',
        owner: '',
        upstream: upstream!,
        model: 'gemma3',
        protocol: protocol ?? 'ollama',
        numCtx,
      }),
    paths,
    time: 0,
  }
  const windows = createWindows(models, caller, { now: () => asked.time })
  return asked
}

const ps = {
  models: [
    { name: 'other', context_length: 1 },
    { name: 'gemma3:latest', model: 'gemma3:latest', context_length: 6000 },
  ],
}
const show = {
  parameters: 'stop   "<x>"\nnum_ctx                        7000\n',
  model_info: { 'general.architecture': 'gemma3', 'gemma3.context_length': 32_768 },
}

test.each<[string, Record<string, unknown>, object]>([
  ['a loaded model', { '/api/ps': ps, '/api/show': show }, { window: 6000, source: '/api/ps' }],
  [
    'a model that is not loaded',
    { '/api/ps': { models: [] }, '/api/show': show },
    { window: 7000, source: 'model file' },
  ],
  [
    'a model file that says nothing',
    { '/api/ps': { models: [] }, '/api/show': { ...show, parameters: 'stop x' } },
    { window: 32_768, source: 'assumed' },
  ],
  [
    'an old server that does not tell',
    { '/api/ps': { models: [{ name: 'gemma3:latest' }] }, '/api/show': {} },
    { window: 32_768, source: 'assumed' },
  ],
  ['llama.cpp', { '/props': { default_generation_settings: { n_ctx: 9000 } } }, { window: 9000, source: '/props' }],
  [
    'one that answers nonsense',
    { '/api/ps': 'what?', '/api/show': '[', '/props': 'null' },
    { window: 32_768, source: 'assumed' },
  ],
  ['one that knows nothing', {}, { window: 32_768, source: 'assumed' }],
])('the window of %s', async (_, pages, expected) => {
  const asked = await asking(pages)
  expect(await asked.of()).toEqual(expected)
})

test('many who ask at once ask the upstream once, and a loaded model is asked for again soon', async () => {
  const asked = await asking({ '/api/ps': ps, '/api/show': show })
  await Promise.all(Array.from({ length: 20 }, () => asked.of()))
  await asked.of()
  expect(asked.paths.toSorted()).toEqual(['/api/ps', '/api/show'])
  asked.time += 5_001
  await asked.of()
  expect(asked.paths.toSorted()).toEqual(['/api/ps', '/api/ps', '/api/show'])
  asked.time += 60_000
  await asked.of()
  expect(asked.paths.toSorted()).toEqual(['/api/ps', '/api/ps', '/api/ps', '/api/show', '/api/show'])
})

test('a request that says its window asks only for the limit; a configured window asks nobody', async () => {
  const asked = await asking({ '/api/ps': ps, '/api/show': show })
  expect(await asked.of(40_000)).toEqual({ window: 32_768, source: 'request' })
  expect(asked.paths).toEqual(['/api/show'])
  const configured = await asking({ '/api/ps': ps, '/api/show': show }, { 'gemma3:latest': { window: 2000 } })
  expect(await configured.of()).toEqual({ window: 2000, source: 'configuration' })
  expect(configured.paths).toEqual([])
})

test("an upstream of OpenAI's protocol alone is not asked in Ollama's", async () => {
  const asked = await asking({ '/props': { default_generation_settings: { n_ctx: 9000 } } }, {}, 'openai')
  expect(await asked.of()).toEqual({ window: 9000, source: '/props' })
  expect(asked.paths.toSorted()).toEqual(['/api/v0/models', '/props', '/v1/models'])
})

test('an upstream that is not there, or does not answer, fails nothing', async () => {
  const caller = createUpstreamClient()
  const [gone] = upstreamsOf([{ url: 'http://127.0.0.1:1' }]).all
  expect(
    await createWindows({}, caller).of({
      tenant: 'default',
      owner: '',
      upstream: gone!,
      model: 'm',
      protocol: 'ollama',
    }),
  ).toEqual({ window: 32_768, source: 'assumed' })
  const { url } = await plainUpstream(() => undefined)
  const [silent] = upstreamsOf([{ url, protocol: 'openai' }]).all
  expect(
    await createWindows({}, caller).of({
      tenant: 'default',
      owner: '',
      upstream: silent!,
      model: 'm',
      protocol: 'openai',
    }),
  ).toEqual({ window: 32_768, source: 'assumed' })
})

test('a window that a refusal names is learnt, but not from a request that set its own', async () => {
  const { url } = await plainUpstream((_, response) => void response.writeHead(404).end('{}'))
  const [upstream] = upstreamsOf([{ url }]).all
  const windows = createWindows({}, createUpstreamClient())
  const place = { tenant: 'default', owner: '', upstream: upstream!, model: 'm', protocol: 'ollama' as const }
  await windows.refused({ ...place, numCtx: 2000 }, 1500, '{}')
  expect(await windows.of(place)).toEqual({ window: 32_768, source: 'assumed' })
  expect(await windows.of({ ...place, numCtx: 2000 })).toEqual({ window: 2000, source: 'request' })
  await windows.refused(place, 1500, '{}')
  expect(await windows.of({ ...place, owner: 'other' })).toEqual({ window: 1500, source: 'refusal' })
})

test('settings are found under a name with or without its tag, and never on the prototype', () => {
  expect(configuredFor({ gemma3: { window: 1 } }, 'gemma3:latest')).toEqual({ window: 1 })
  expect(configuredFor({}, '__proto__')).toEqual({})
  expect(configuredFor({}, 'constructor')).toEqual({})
})
