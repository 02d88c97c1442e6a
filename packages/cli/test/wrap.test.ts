import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { describe, expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { fakeAgents } from './support/fake-agent.ts'
import { runProcess, spawnCommand } from './support/process.ts'
import { runCommand } from './support/terminal.ts'

/** What a fake agent prints of its question. */
interface Printed {
  readonly status: number
  readonly text: string
  readonly model: string
  readonly args: readonly string[]
}

describe.each(['codex', 'opencode', 'pi', 'claude'])('%s', (name) => {
  test('asks through a gateway that ends with it, which says where the record is', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns.', models: ['first', 'second'], window: 8192 })
    const PATH = fakeAgents(data.path, [name])
    const { code, output, errors } = await runProcess(
      ['wrap', name, '--upstream', upstream.url, '--', 'do', '--flag', 'a b'],
      data.path,
      { PATH },
    )
    const { status, text, model, args } = JSON.parse(output) as Printed
    expect({ code, status, model }).toEqual({ code: 0, status: 200, model: 'first' })
    expect(text).toContain('Ferns.')
    expect(args.slice(-3)).toEqual(['do', '--flag', 'a b'])
    expect(errors).toMatch(
      new RegExp(`^● ${name} through Minutebook http://127.0.0.1:\\d+ · first\n.*minutebook explain`),
    )
    expect(existsSync(join(data.path, 'server.json'))).toBe(false)
    expect(readdirSync(data.path).filter((file) => file.startsWith('wrapped-'))).toEqual([])
    const listed = await runCommand(['threads', '--json'], data.path)
    expect(JSON.parse(listed.output)).toMatchObject({ threads: [{ title: 'What grows?', model: 'first' }] })
  })
})

test('an agent uses the model that its own flag names, or else --model', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns.', models: ['first', 'second', 'third'], window: 8192 })
  const PATH = fakeAgents(data.path, ['opencode'])
  const asked = async (...words: string[]): Promise<string> => {
    const { output } = await runProcess(['wrap', 'opencode', '--upstream', upstream.url, ...words], data.path, { PATH })
    return (JSON.parse(output) as Printed).model
  }
  expect(await asked('--model', 'second')).toBe('second')
  expect(await asked('--model', 'second', '--', '-m', 'third')).toBe('third')
})

test('the agent uses the gateway that runs, with its key, and leaves it running', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns.', models: ['first'], window: 8192 })
  const PATH = fakeAgents(data.path, ['codex', 'opencode', 'pi', 'claude'])
  const config = join(data.path, 'minutebook.yaml')
  const sha256 = createHash('sha256').update('of-the-app').digest('hex')
  writeFileSync(config, `upstreams: [{ url: "${upstream.url}" }]\nkeys: [{ name: app, sha256: ${sha256} }]\n`)
  const serving = spawnCommand(['serve', '--port', '0', '--config', config, '--json'], data.path)
  const { url } = JSON.parse(await serving.shows('\n')) as { url: string }
  const remote = { PATH, MINUTEBOOK_KEY: 'of-the-app', MINUTEBOOK_SERVER: url }
  const [codex, claude, opencode, pi, wrong] = await Promise.all([
    runProcess(['wrap', 'codex'], data.path, { PATH }),
    runProcess(['wrap', 'claude'], data.path, { PATH, ANTHROPIC_API_KEY: 'private' }),
    runProcess(['wrap', 'opencode'], data.path, remote),
    runProcess(['wrap', 'pi'], data.path, remote),
    runProcess(['wrap', 'pi'], data.path, { PATH, MINUTEBOOK_KEY: 'wrong' }),
  ])
  for (const { output } of [codex, claude, opencode, pi]) expect(JSON.parse(output)).toMatchObject({ status: 200 })
  expect(pi.errors).toContain(`pi through Minutebook ${url}`)
  expect(wrong).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringContaining('does not know this key') as string,
  })
  const { output } = await runProcess(['wrap', '--print', 'claude'], data.path, { PATH })
  expect(output).toContain(`# MINUTEBOOK_KEY must be a key of the gateway: minutebook keys create`)
  expect(output).toContain(`export ANTHROPIC_BASE_URL=${url}\n`)
  expect(output).toContain('export ANTHROPIC_AUTH_TOKEN="$MINUTEBOOK_KEY"\n')
  const isKeyed = ({ headers }: { readonly headers: object }): boolean =>
    'authorization' in headers || 'x-api-key' in headers
  expect(upstream.requests.filter(isKeyed)).toEqual([])
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

describe('the end of an agent', () => {
  test('is that of the command: its exit code', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream()
    const PATH = fakeAgents(data.path, ['pi'])
    const { code, errors } = await runProcess(
      ['wrap', 'pi', '--upstream', upstream.url, '--', '--exit', '42'],
      data.path,
      { PATH, TMPDIR: data.path },
    )
    expect(code).toBe(42)
    expect(errors).toContain('pi sent no chat to the gateway.')
    expect(readdirSync(data.path).filter((name) => name.startsWith('minutebook-wrap-'))).toEqual([])
  })

  test('waits for signals, which are passed on to it', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream()
    const PATH = fakeAgents(data.path, ['pi'])
    const wrapping = spawnCommand(['wrap', 'pi', '--upstream', upstream.url, '--', '--wait'], data.path, { PATH })
    await wrapping.shows('waiting\n')
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
      wrapping.child.kill(signal)
      await wrapping.shows(`${signal}\n`)
    }
    expect(await wrapping.ended).toBe(7)
    expect(existsSync(join(data.path, 'server.json'))).toBe(false)
  })

  test('by a signal is told as a shell tells it', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream()
    const PATH = fakeAgents(data.path, [])
    writeFileSync(join(data.path, 'bin', 'pi'), '#!/bin/sh\nkill -KILL $$\n', { mode: 0o755 })
    expect(await runProcess(['wrap', 'pi', '--upstream', upstream.url], data.path, { PATH })).toMatchObject({
      code: 137,
    })
  })

  test('does not end the gateway of another agent', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns.' })
    const PATH = fakeAgents(data.path, ['pi', 'opencode'])
    const first = spawnCommand(['wrap', 'pi', '--upstream', upstream.url, '--', '--wait'], data.path, { PATH })
    await first.shows('waiting\n')
    const second = spawnCommand(['wrap', 'opencode', '--', '--wait'], data.path, { PATH })
    await second.shows('waiting\n')
    first.child.kill('SIGTERM')
    await first.says('Another agent uses this gateway')
    const third = await runProcess(['wrap', 'pi'], data.path, { PATH })
    expect(JSON.parse(third.output)).toMatchObject({ status: 200 })
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(7)
    expect(await first.ended).toBe(7)
    expect(readdirSync(data.path).filter((name) => /^(?:wrapped-|server)/.test(name))).toEqual([])
  })
})

describe('what cannot be done is told, with what to do', () => {
  test.each([
    [['codex'], 1, 'codex is not installed. Install it with: npm install --global @openai/codex'],
    [['aider'], 2, 'wrap does not know aider, only codex, opencode, pi and claude. For any other client'],
    [['constructor', '--print'], 2, 'wrap does not know constructor'],
    [['pi', '--', '--provider', 'x'], 2, 'With --provider, the agent would not use the gateway'],
    [['pi', '--upstream', 'http://127.0.0.1:9'], 1, 'The upstream does not answer. Start it'],
    [['pi', '--server', 'http://127.0.0.1:9'], 1, 'The server at http://127.0.0.1:9 does not answer'],
    [[], 2, 'No agent is named. wrap knows codex, opencode, pi and claude.'],
  ])('wrap %j', async (words, code, says) => {
    using data = dataFolder()
    const PATH = fakeAgents(data.path, ['pi'])
    const ran = await runCommand(['wrap', ...words], data.path, { environment: { PATH } })
    expect(ran).toEqual({ code, output: '', errors: expect.stringContaining(says) as string })
    expect(existsSync(join(data.path, 'server.json'))).toBe(false)
  })

  test('an upstream that lists no models', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ models: [] })
    const environment = { PATH: fakeAgents(data.path, ['pi']) }
    const { code, errors } = await runCommand(['wrap', 'pi', '--upstream', upstream.url], data.path, { environment })
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('ollama pull') as string })
  })
})

test('an upstream that answers but lists no models is enough for a named model', async () => {
  using data = dataFolder()
  const closed = createServer((_, response) => void response.writeHead(401).end('{"error":{"code":"invalid_api_key"}}'))
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  const environment = { PATH: fakeAgents(data.path, ['pi']), MINUTEBOOK_UPSTREAMS: `http://127.0.0.1:${port}` }
  const ran = (...words: string[]): ReturnType<typeof runCommand> =>
    runCommand(['wrap', '--print', ...words], data.path, { environment })
  expect(await ran('pi')).toEqual({
    code: 1,
    output: '',
    errors: expect.stringMatching(
      /answers, but needs a key to list its models \(status 401\)\. Give it a key/,
    ) as string,
  })
  expect(await ran('pi', '--model', 'first')).toMatchObject({
    code: 0,
    output: expect.stringContaining('--model first') as string,
  })
  const { output } = await ran('claude')
  expect(output).toContain('export ANTHROPIC_BASE_URL=')
  expect(output).not.toMatch(/ANTHROPIC_(?:MODEL|AUTH_TOKEN|API_KEY)/)
  closed.close()
})

test('--print shows the lines, of the address where serve would listen, and starts no agent', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first', '\u001b[31mred'] })
  const environment = { PATH: '', MINUTEBOOK_PORT: '12345', MINUTEBOOK_UPSTREAMS: upstream.url }
  const { code, output } = await runCommand(['wrap', '--print', 'codex', '--', 'exec', "it's"], data.path, {
    environment,
  })
  expect({ code, output }).toEqual({
    code: 0,
    output: `# In another terminal: MINUTEBOOK_RECORD=always minutebook serve
codex -c 'model_provider="minutebook"' -c 'model_providers.minutebook={ name = "Minutebook", base_url = "http://127.0.0.1:12345/v1", wire_api = "responses" }' -c 'model="first"' -c model_context_window=1000000 exec 'it'\\''s'
`,
  })
  expect(existsSync(join(data.path, 'server.json'))).toBe(false)
})

test('--print names the gateway that wrap would start', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'] })
  const { output } = await runCommand(['wrap', '--print', 'pi', '--upstream', upstream.url], data.path)
  expect(output).toContain(`# In another terminal: minutebook serve --upstream ${upstream.url}`)
})

test('a login for the models of its maker is not sent to a server that has none of them', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ models: ['first'] })
  const PATH = fakeAgents(data.path, ['claude'])
  const { code, output, errors } = await runProcess(
    ['wrap', 'claude', '--upstream', upstream.url, '--', '--model', 'opus'],
    data.path,
    { PATH, ANTHROPIC_API_KEY: 'private' },
  )
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toContain('The gateway has no model opus.')
  expect(errors).toContain('--model first')
})

test.each([
  ['-c', 'model_provider=other'],
  ['--config', 'model_providers.minutebook.base_url="x"'],
  ['--config=model_provider=other'],
  ['--oss'],
])('codex is not started with %s, which leads past the gateway', async (...words) => {
  using data = dataFolder()
  const { code, errors } = await runCommand(['wrap', 'codex', '--', ...words], data.path)
  expect(code).toBe(2)
  expect(errors).toContain('the agent would not use the gateway')
})

describe('what may not work is told, and the agent is started', () => {
  /** An upstream of OpenAI's protocol, without /v1/messages. */
  async function older(): Promise<{ readonly url: string; close(): void }> {
    const server = createServer(({ url }, response) => {
      if (url === '/v1/models') return void response.end('{"data":[{"id":"first"},{"id":"second"}]}')
      response.writeHead(404).end('not found')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
  }

  test('claude, if the upstream does not serve its protocol', async () => {
    using data = dataFolder()
    const upstream = await older()
    const PATH = fakeAgents(data.path, ['claude', 'pi'])
    const wrapped = async (...words: string[]): Promise<string> =>
      (await runProcess(['wrap', ...words, '--upstream', upstream.url, '--', '--exit', '0'], data.path, { PATH }))
        .errors
    const errors = await wrapped('claude')
    expect(errors).toContain('! The upstream does not serve /v1/messages, which claude needs (status 404). Use one')
    expect(errors).toContain('● claude through Minutebook')
    expect(errors).toContain('claude sent no chat to the gateway.')
    expect(await wrapped('pi')).not.toContain('!')
    upstream.close()
  })

  test('claude, if no upstream is set to its protocol', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ models: ['first'] })
    const environment = { MINUTEBOOK_UPSTREAMS: JSON.stringify([{ url: upstream.url, protocol: 'openai' }]) }
    const { code, errors } = await runCommand(['wrap', '--print', 'claude'], data.path, { environment })
    expect({ code, errors }).toEqual({
      code: 0,
      errors:
        '! The gateway has no upstream for claude: No upstream speaks this protocol. Add an upstream with protocol: anthropic to upstreams, or leave out the protocol of one that speaks several.\n',
    })
  })

  test('a model that is not listed, with those that are', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ models: ['first', 'second:latest'] })
    const printed = (...words: string[]): ReturnType<typeof runCommand> =>
      runCommand(['wrap', '--print', 'codex', '--upstream', upstream.url, ...words], data.path)
    expect(await printed('--model', 'nope')).toEqual({
      code: 0,
      output: expect.stringContaining('model="nope"') as string,
      errors: '! The gateway lists no model nope. It lists: first, second:latest\n',
    })
    for (const words of [['--model', 'second'], ['--', '-m', 'first'], []])
      expect(await printed(...words)).toMatchObject({ code: 0, errors: '' })
  })

  test('nothing of an upstream that serves the protocol, which gets no chat by the question', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ models: ['first'] })
    const ran = await runCommand(['wrap', '--print', 'claude', '--upstream', upstream.url], data.path)
    expect(ran).toMatchObject({ code: 0, errors: '' })
    const asked = upstream.requests.filter(({ path }) => path === '/v1/messages')
    expect(asked.map(({ status }) => status)).toEqual([400])
    expect(JSON.parse((await runCommand(['threads', '--json'], data.path)).output)).toMatchObject({ threads: [] })
  })
})

test('for other clients, --print has the variables that many of them read', async () => {
  using data = dataFolder()
  const { code, output } = await runCommand(['wrap', '--print'], data.path, {
    environment: { MINUTEBOOK_PORT: '12345' },
  })
  expect({ code, output }).toEqual({
    code: 0,
    output: `# In another terminal: minutebook serve
export OPENAI_BASE_URL=http://127.0.0.1:12345/v1
export ANTHROPIC_BASE_URL=http://127.0.0.1:12345
export OLLAMA_HOST=http://127.0.0.1:12345
`,
  })
})
