import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { agents, type AgentSetup, type AgentTarget } from '../src/wrap/agents.ts'
import { readArguments } from '../src/wrap/arguments.ts'
import { blanks, shellLines } from '../src/wrap/print.ts'

const target: AgentTarget = {
  url: 'http://127.0.0.1:11435',
  key: undefined,
  model: 'qwen/qwen3:8b',
  models: ['qwen/qwen3:8b', 'second'],
  args: ['do', '-x'],
  environment: {},
}

function setupOf(name: string, fields: Partial<AgentTarget> = {}): AgentSetup {
  return agents[name]!.setup({ ...target, ...fields }, '/folder')
}

/** The provider that a file for pi registers. */
async function registeredBy(file = ''): Promise<unknown[]> {
  const { default: extension } = (await import(`data:text/javascript,${encodeURIComponent(file)}`)) as {
    readonly default: (pi: { registerProvider(...given: unknown[]): void }) => void
  }
  const registered: unknown[] = []
  extension({ registerProvider: (...given) => void registered.push(...given) })
  return registered
}

describe('codex', () => {
  test('gets a provider and a model by flags, and no file', () => {
    expect(setupOf('codex')).toEqual({
      environment: {},
      args: [
        '-c',
        'model_provider="minutebook"',
        '-c',
        'model_providers.minutebook={ name = "Minutebook", base_url = "http://127.0.0.1:11435/v1", wire_api = "responses" }',
        '-c',
        'model="qwen/qwen3:8b"',
        '-c',
        'model_context_window=1000000',
        'do',
        '-x',
      ],
      files: {},
    })
  })

  test('is told the name of the variable that has the key', () => {
    const { environment, args } = setupOf('codex', { key: 'secret' })
    expect(environment).toEqual({ MINUTEBOOK_KEY: 'secret' })
    expect(args[3]).toContain('env_key = "MINUTEBOOK_KEY"')
    expect(args.join(' ')).not.toContain('secret')
  })
})

describe('opencode', () => {
  const contentOf = ({ environment }: AgentSetup): Record<string, unknown> =>
    JSON.parse(environment['OPENCODE_CONFIG_CONTENT'] ?? '') as Record<string, unknown>

  test('gets its settings in a variable: all models, and the same one for titles', () => {
    const setup = setupOf('opencode')
    expect(setup).toMatchObject({ args: ['do', '-x'], files: {} })
    expect(contentOf(setup)).toMatchObject({
      model: 'minutebook/qwen/qwen3:8b',
      small_model: 'minutebook/qwen/qwen3:8b',
      provider: {
        minutebook: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: 'http://127.0.0.1:11435/v1', apiKey: 'none' },
          models: { 'qwen/qwen3:8b': { tool_call: true }, second: { tool_call: true } },
        },
      },
    })
  })

  test('keeps what the user has in that variable, and reads the key from another', () => {
    const own = JSON.stringify({ model: 'own/model', theme: 'dark', provider: { own: { npm: 'x' } } })
    const setup = setupOf('opencode', { key: 'secret', environment: { OPENCODE_CONFIG_CONTENT: own } })
    expect(contentOf(setup)).toMatchObject({
      model: 'minutebook/qwen/qwen3:8b',
      theme: 'dark',
      provider: { own: { npm: 'x' }, minutebook: { options: { apiKey: '{env:MINUTEBOOK_KEY}' } } },
    })
    expect(setup.environment['MINUTEBOOK_KEY']).toBe('secret')
    for (const odd of ['', '{', 'null', '[]', '7'])
      expect(contentOf(setupOf('opencode', { environment: { OPENCODE_CONFIG_CONTENT: odd } }))).toHaveProperty(
        'provider.minutebook',
      )
  })
})

describe('pi', () => {
  test('gets an extension that registers the provider, and keeps its own folder', async () => {
    const { environment, args, files } = setupOf('pi')
    expect(environment).toEqual({})
    expect(args.slice(0, 2)).toEqual(['--extension', '/folder/minutebook.js'])
    expect(args.slice(2)).toEqual(['--provider', 'minutebook', '--model', 'qwen/qwen3:8b', 'do', '-x'])
    const [name, provider] = await registeredBy(files['minutebook.js'])
    expect(name).toBe('minutebook')
    expect(provider).toMatchObject({
      baseUrl: 'http://127.0.0.1:11435/v1',
      api: 'openai-completions',
      apiKey: 'none',
      models: [{ id: 'qwen/qwen3:8b' }, { id: 'second' }],
    })
  })

  test('reads the key from a variable: it is in no file', async () => {
    const { environment, files } = setupOf('pi', { key: 'secret' })
    expect(environment).toEqual({ MINUTEBOOK_KEY: 'secret' })
    expect((await registeredBy(files['minutebook.js']))[1]).toMatchObject({ apiKey: 'MINUTEBOOK_KEY' })
    expect(JSON.stringify(files)).not.toContain('secret')
  })
})

describe('claude', () => {
  test('uses one model for all of its own, and sends its login to nobody else', () => {
    const { environment, args } = setupOf('claude', { environment: { ANTHROPIC_API_KEY: 'private' } })
    expect(args).toEqual(target.args)
    expect(environment).toMatchObject({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:11435',
      ANTHROPIC_MODEL: 'qwen/qwen3:8b',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'qwen/qwen3:8b',
      ANTHROPIC_AUTH_TOKEN: 'none',
    })
    expect(Object.keys(environment)).toContain('ANTHROPIC_API_KEY')
    expect(environment['ANTHROPIC_API_KEY']).toBeUndefined()
  })

  test("keeps its own choice and login for Anthropic's models", () => {
    const kept = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:11435' }
    const removed = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY']
    const unset = Object.fromEntries(removed.map((name) => [name, undefined]))
    expect(setupOf('claude', { model: undefined })).toStrictEqual({
      environment: { ...kept, ...unset },
      args: ['do', '-x'],
      files: {},
    })
    expect(setupOf('claude', { model: 'opus' })).toStrictEqual({
      environment: { ...kept, ...unset },
      args: ['--model', 'opus', 'do', '-x'],
      files: {},
    })
  })

  test('sends the key of the gateway if that needs one', () => {
    expect(setupOf('claude', { model: undefined, key: 'secret' }).environment).toMatchObject({
      ANTHROPIC_AUTH_TOKEN: 'secret',
      ANTHROPIC_API_KEY: undefined,
    })
    expect(setupOf('claude', { key: 'secret' }).environment).toMatchObject({ ANTHROPIC_AUTH_TOKEN: 'secret' })
  })
})

describe('the words after --', () => {
  const read = (...words: string[]): ReturnType<typeof readArguments> =>
    readArguments(words, { modelFlags: ['-m', '--model'], bypassFlags: ['--provider'] })

  test.each([
    [['run', '-m', 'a', 'text'], 'a', ['run', 'text']],
    [['--model=a/b', 'text'], 'a/b', ['text']],
    [['--model', 'minutebook/a/b'], 'a/b', []],
    [['-m', 'a', '--model', 'b'], 'b', []],
    [['text', '--', '-m', 'a'], undefined, ['text', '--', '-m', 'a']],
    [['text', '--model'], undefined, ['text']],
    [['--models', 'a', '-p', 'text=--model'], undefined, ['--models', 'a', '-p', 'text=--model']],
    [[], undefined, []],
  ])('%j', (words, model, args) => {
    expect(read(...words)).toEqual({ model, args })
  })

  test('cannot lead past the gateway', () => {
    for (const words of [['--provider', 'x'], ['--provider=x']])
      expect(() => read(...words)).toThrow(
        /With --provider, the agent would not use the gateway\. Leave --provider out/,
      )
    expect(read('--', '--provider').args).toEqual(['--', '--provider'])
  })
})

test('the printed lines are what a shell reads as the same setup', () => {
  const odd = `it's "odd" $HOME \`x\` \\ \n é`
  const setup: AgentSetup = {
    environment: { ONE: odd, TWO: blanks.key, HOME: undefined, MINUTEBOOK_KEY: blanks.key },
    args: ['--extension', `${blanks.folder}/a.js`, odd, '', 'plain'],
    files: { 'a.js': `${odd}\n` },
  }
  const print = `require('node:fs').writeSync(1, JSON.stringify([process.argv.slice(1), process.env.ONE, process.env.TWO, process.env.HOME ?? null]))`
  const lines = shellLines(`'${process.execPath}' -e "$print" --`, setup)
  const script = `${lines.join('\n')}\ncat "$folder/a.js"; rm -r "$folder"; printf %s "$folder"`
  const output = execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { print, MINUTEBOOK_KEY: 'k', PATH: '/usr/bin:/bin', HOME: '/' },
  })
  const folder = /[^\n]*$/.exec(output)?.[0] ?? ''
  const args = ['--extension', `${folder}/a.js`, odd, '', 'plain']
  expect(output).toBe(`${JSON.stringify([args, odd, 'k', null])}${odd}\n${folder}`)
})
