import { describe, expect, test } from 'vitest'
import { discoverWindow, type FoundWindow } from 'minutebook/wire'

/** A server that answers these pages and no others, and keeps what it was asked. */
function server(pages: Readonly<Record<string, unknown>>): {
  readonly ask: (path: string, body?: object) => Promise<unknown>
  readonly asked: string[]
} {
  const asked: string[] = []
  const ask = async (path: string): Promise<unknown> => {
    asked.push(path)
    const page = pages[path]
    return typeof page === 'function' ? (page as () => unknown)() : page
  }
  return { asked, ask }
}

const shown = {
  model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
  parameters: 'stop "<|end|>"\ntemperature 0.6',
}
const running = (window: number): object => ({
  models: [{ name: 'qwen3:latest', model: 'qwen3:latest', digest: 'abc', context_length: window }],
})

const kinds: readonly (readonly [kind: string, pages: Readonly<Record<string, unknown>>, found: FoundWindow])[] = [
  [
    'Ollama that has it loaded',
    { '/api/ps': running(8192), '/api/show': shown },
    { window: 8192, source: '/api/ps', limit: 40_960, version: 'abc' },
  ],
  [
    'Ollama whose model file names it',
    { '/api/ps': { models: [] }, '/api/show': { ...shown, parameters: 'num_ctx   16384\nstop "x"' } },
    { window: 16_384, source: 'model file', limit: 40_960 },
  ],
  [
    'llama.cpp',
    {
      '/props': { default_generation_settings: { n_ctx: 4096 } },
      '/v1/models': { data: [{ id: 'qwen3', meta: { n_ctx_train: 40_960 } }] },
      '/api/show': { model_info: { 'llama.context_length': 4096 }, parameters: '' },
    },
    { window: 4096, source: '/props' },
  ],
  [
    'vLLM',
    {
      '/v1/models': {
        data: [
          { id: 'other', max_model_len: 1 },
          { id: 'qwen3', max_model_len: 32_768 },
        ],
      },
    },
    { window: 32_768, source: '/v1/models' },
  ],
  [
    'vLLM with an adapter',
    {
      '/v1/models': {
        data: [
          { id: 'base', max_model_len: 32_768 },
          { id: 'qwen3', max_model_len: null, parent: 'base' },
        ],
      },
    },
    { window: 32_768, source: '/v1/models' },
  ],
  [
    'LM Studio that has it loaded',
    {
      '/api/v0/models': {
        data: [{ id: 'qwen3', state: 'loaded', loaded_context_length: 8192, max_context_length: 40_960 }],
      },
      '/v1/models': { data: [{ id: 'qwen3' }] },
    },
    { window: 8192, source: '/api/v0/models', limit: 40_960 },
  ],
  [
    'LM Studio that has it not',
    {
      '/api/v0/models': { data: [{ id: 'qwen3', state: 'not-loaded', max_context_length: 40_960 }] },
      '/v1/models': { data: [{ id: 'qwen3' }] },
    },
    { limit: 40_960 },
  ],
  [
    'OpenRouter',
    { '/v1/models': { data: [{ id: 'qwen3', context_length: 131_072, top_provider: { context_length: 65_536 } }] } },
    { window: 65_536, source: '/v1/models' },
  ],
  ['Together', { '/v1/models': [{ id: 'qwen3', context_length: 131_072 }] }, { window: 131_072, source: '/v1/models' }],
  [
    'Groq',
    { '/v1/models': { data: [{ id: 'qwen3', context_window: 131_072 }] } },
    { window: 131_072, source: '/v1/models' },
  ],
  [
    'Mistral',
    { '/v1/models': { data: [{ id: 'qwen3', max_context_length: 131_072 }] } },
    { window: 131_072, source: '/v1/models' },
  ],
  ['OpenAI', { '/v1/models': { data: [{ id: 'qwen3', object: 'model', created: 1 }] } }, {}],
  ['a server that says nothing', {}, {}],
  [
    'a server that says nonsense',
    {
      '/api/ps': 7,
      '/api/show': [],
      '/props': { n_ctx: -1 },
      '/v1/models': { data: [null, { id: 'qwen3', context_length: 'large' }] },
    },
    {},
  ],
]

describe('the window of a model', () => {
  test.each(kinds)('is what %s says', async (_, pages, found) => {
    expect(await discoverWindow(server(pages).ask, { model: 'qwen3' })).toEqual(found)
  })

  test('is asked of Ollama after it has loaded the model, unless it may not', async () => {
    let isLoaded = false
    const idle = {
      '/api/ps': () => (isLoaded ? running(32_768) : { models: [] }),
      '/api/show': shown,
      '/api/generate': () => (isLoaded = true),
    }
    expect(await discoverWindow(server(idle).ask, { model: 'qwen3', load: false })).toEqual({ limit: 40_960 })
    expect(isLoaded).toBe(false)
    expect(await discoverWindow(server(idle).ask, { model: 'qwen3' })).toEqual({
      window: 32_768,
      source: '/api/ps',
      limit: 40_960,
      version: 'abc',
    })
  })

  test('is limited by what the model was made for, which alone is asked for if the window is known', async () => {
    const { ask, asked } = server({ '/api/ps': running(8192), '/api/show': shown })
    expect(await discoverWindow(ask, { model: 'qwen3', limitOnly: true })).toEqual({ limit: 40_960 })
    expect(asked).toEqual(['/api/show'])
  })

  test('is not asked of Ollama pages if the server is known to have none', async () => {
    const { ask, asked } = server({ '/v1/models': { data: [{ id: 'qwen3', max_model_len: 4096 }] } })
    await discoverWindow(ask, { model: 'qwen3', ollama: false })
    expect(asked.toSorted()).toEqual(['/api/v0/models', '/props', '/v1/models'])
  })
})
