import { Writable } from 'node:stream'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { ToolContext } from 'minutebook'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { UpstreamAnswer } from '@minutebook/testing/server'
import { z } from 'zod'
import { streamEvent } from '../../src/api/schema/event.ts'
import type { Config, ToolConfig } from '../../src/config/config.ts'
import { recordSetup } from '../../src/stores/setup.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { noSpans } from '../../src/telemetry/telemetry.ts'
import { createToolbox } from '../../src/tools/tools.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native, nativeServer, shownBy, type Native, type Seen } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const weather = (url: string, more: Partial<ToolConfig> = {}): ToolConfig => ({
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
  url,
  ...more,
})

async function toolTurn(operator: Native, tools: readonly string[]): Promise<readonly Seen[]> {
  expect(await operator.ask('POST', '/threads', { thread: 'garden', setup: { tools } })).toMatchObject({ status: 201 })
  return operator.stream('POST', '/threads/garden/turns', { body: { message: 'How is it?' } })
}

const script = (
  name: string,
  input: Readonly<Record<string, unknown>> = { place: 'Rome' },
): readonly (string | UpstreamAnswer)[] => [{ calls: [{ name, arguments: input }] }, 'Sunny.']
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function texts(seen: readonly Seen[]): readonly string[] {
  for (const event of seen) expect(streamEvent.parse(event)).toEqual(event)
  return shownBy(seen).entries
}

describe('a tool over HTTP', () => {
  test('gets input, tenant, thread and call, and its result goes to the model', async () => {
    const asked: unknown[] = []
    const server = await plainUpstream((request, response) => {
      const answer = (bytes: Buffer): void => {
        asked.push({ ...(JSON.parse(bytes.toString()) as object), key: request.headers['x-key'] })
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"sky":"clear"}')
      }
      bytesOf(request).then(answer, () => response.destroy())
    })
    const { operator, upstream } = await nativeServer(
      { answer: script('weather') },
      {
        tools: [weather(server.url, { headers: { 'x-key': 'secret-4711' } })],
        states: [
          {
            name: 'sky',
            tools: ['weather'],
            schema: { type: 'object', properties: { sky: { type: 'string' } }, required: ['sky'] },
          },
        ],
      },
    )
    const seen = await toolTurn(operator, ['weather'])
    expect(texts(seen)).toEqual(['user: How is it?', 'assistant: ', 'tool: {"sky":"clear"}', 'assistant: Sunny.'])
    expect(
      seen
        .filter(({ event }) => event === 'call' || event === 'result')
        .map(({ event, data: { call, status, output } }) => ({ event, call, status, output })),
    ).toMatchObject([
      { event: 'call', call: { name: 'weather', input: { place: 'Rome' } } },
      { event: 'result', call: { name: 'weather' }, status: 'complete', output: { sky: 'clear' } },
    ])
    expect(asked).toEqual([
      {
        input: { place: 'Rome' },
        tenant: 'default',
        thread: 'garden',
        call: { id: null, name: 'weather' },
        key: 'secret-4711',
      },
    ])
    expect(upstream.requests.filter(({ path }) => path === '/api/chat').length).toBe(2)
    expect((await operator.ask('GET', '/threads/garden/state/sky')).body).toEqual({
      thread: 'garden',
      name: 'sky',
      value: { sky: 'clear' },
    })
    const asks = (await operator.ask('GET', '/threads/garden/entries')).body['entries'] as { id: string }[]
    expect((await operator.ask('GET', `/threads/garden/state/sky?at=${asks[0]?.id}`)).body['value']).toBeNull()
  })

  test('is told the call by an idempotency key and the run by its term; each call has a key of its own', async () => {
    const told: IncomingMessage['headers'][] = []
    const server = await plainUpstream((request, response) => {
      told.push(request.headers)
      request.resume()
      response.end('clear')
    })
    const twice = { calls: [1, 2].map(() => ({ name: 'weather', arguments: { place: 'Rome' } })) }
    const { operator } = await nativeServer({ answer: [twice, 'Sunny.'] }, { tools: [weather(server.url)] })
    await toolTurn(operator, ['weather'])
    const keys = told.map(({ 'idempotency-key': key }) => key)
    expect(keys).toEqual([1, 2].map(() => expect.stringMatching(/^[0-9a-f]{64}$/) as string))
    expect(new Set(keys).size).toBe(2)
    expect(told.map(({ 'minutebook-term': term }) => term)).toEqual(['1', '1'])
  })

  test('A24: is told another key for the call of another tenant, whatever is the same', async () => {
    const keys: unknown[] = []
    const server = await plainUpstream((request, response) => {
      keys.push(request.headers['idempotency-key'])
      request.resume()
      response.end('clear')
    })
    const toolbox = createToolbox({
      config: { tools: [weather(server.url, { mayRepeat: true, timeout: 5000 })], mcp: [], states: [] },
      metrics: createMetrics(),
      spans: noSpans,
    })
    const context: ToolContext = {
      thread: 'garden',
      context: undefined,
      call: { name: 'weather', arguments: {} },
      index: 0,
      idempotencyKey: 'the same',
      term: 1,
      signal: new AbortController().signal,
      entries: async () => [],
      state: async () => undefined as never,
    }
    for (const tenant of ['alpha', 'beta', 'alpha']) {
      const { tools } = await toolbox.take(['weather'], tenant)
      await tools[0]!.run!({}, context)
    }
    expect([new Set(keys).size, keys[2]]).toEqual([2, keys[0]])
  })

  const failures: readonly (readonly [name: string, answer: (response: ServerResponse) => unknown, told: RegExp])[] = [
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /status 302/],
    ['an error', (response) => response.writeHead(500).end('canary-4711'), /status 500/],
    ['silence', () => undefined, /within 300 ms/],
    ['more than is taken', (response) => response.writeHead(200).end('x'.repeat(5 << 20)), /longer than/],
  ]
  test.each(failures)('that answers with %s fails, and the turn goes on', async (_, answer, told) => {
    const server = await plainUpstream((request, response) => {
      request.resume()
      answer(response)
    })
    const { operator } = await nativeServer(
      { answer: script('weather') },
      { tools: [weather(server.url, { timeout: told.source.includes('300') ? 300 : 20_000 })] },
    )
    const seen = await toolTurn(operator, ['weather'])
    const result = seen.find(({ event }) => event === 'result')
    expect(result?.data).toMatchObject({ status: 'failed', text: expect.stringMatching(told) as string })
    expect(JSON.stringify(seen)).not.toContain('4711')
    expect(seen.at(-1)?.data).toMatchObject({ status: 'complete' })
  })
})

describe('tools of MCP servers', () => {
  const calculator = (): McpServer => {
    const server = new McpServer({ name: 'calculator', version: '1.0.0' })
    server.registerTool(
      'add',
      { description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    )
    server.registerTool('fail', { description: 'Fails.', inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: 'no such sum' }],
      isError: true,
    }))
    return server
  }

  test('over HTTP: listed under the name of their server, called, and again when the server comes back', async () => {
    const handler = createMcpHandler(calculator)
    let isUp = true
    const server = await overHttp(handler, () => isUp)
    const { operator, upstream } = await nativeServer(
      { answer: 'ok' },
      { mcp: [{ name: 'calc', url: `${server.url}/mcp` }] },
    )
    const { body } = await operator.ask('GET', '/tools')
    expect((body['tools'] as { name: string }[]).map(({ name }) => name).toSorted()).toEqual([
      'ask_user',
      'calc_add',
      'calc_fail',
    ])
    for (const answer of script('calc_add', { a: 2, b: 3 })) upstream.next({ answer })
    expect(texts(await toolTurn(operator, ['calc_add', 'calc_fail']))).toEqual([
      'user: How is it?',
      'assistant: ',
      'tool: 5',
      'assistant: Sunny.',
    ])
    for (const answer of script('calc_fail', {})) upstream.next({ answer })
    const failed = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'And this?' } })
    expect(failed.find(({ event }) => event === 'result')?.data).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('no such sum') as string,
    })
    isUp = false
    for (const answer of script('calc_add', { a: 1, b: 1 })) upstream.next({ answer })
    const down = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Once more?' } })
    expect(down.find(({ event }) => event === 'result')?.data).toMatchObject({ status: 'failed' })
    isUp = true
    for (const answer of script('calc_add', { a: 4, b: 4 })) upstream.next({ answer })
    const back = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'And now?' } })
    expect(back.find(({ event }) => event === 'result')?.data).toMatchObject({ status: 'complete', text: '8' })
  })

  test('are told the call and the run in `_meta`', async () => {
    const told: unknown[] = []
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'calculator', version: '1.0.0' })
      server.registerTool('add', { inputSchema: z.object({}) }, (_, context) => {
        told.push(context.mcpReq._meta)
        return { content: [{ type: 'text', text: '5' }] }
      })
      return server
    })
    const server = await overHttp(handler, () => true)
    const { operator } = await nativeServer(
      { answer: script('calc_add', {}) },
      { mcp: [{ name: 'calc', url: `${server.url}/mcp` }] },
    )
    await toolTurn(operator, ['calc_add'])
    expect(told).toEqual([
      expect.objectContaining({
        'minutebook/idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        'minutebook/term': 1,
      }),
    ])
  })

  test('over standard input and output: started when they are needed, and again when they died', async () => {
    const program = fileURLToPath(new URL('../../../../tests/support/server/mcp-program.ts', import.meta.url))
    const { operator, upstream } = await nativeServer(
      { answer: 'ok' },
      { mcp: [{ name: 'calc', command: [process.execPath, program] }] },
    )
    for (const answer of script('calc_add', { a: 2, b: 3 })) upstream.next({ answer })
    expect(texts(await toolTurn(operator, ['calc_add', 'calc_die']))).toEqual([
      'user: How is it?',
      'assistant: ',
      'tool: 5',
      'assistant: Sunny.',
    ])
    for (const answer of script('calc_die', {})) upstream.next({ answer })
    const died = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Die.' } })
    expect(died.find(({ event }) => event === 'result')?.data).toMatchObject({ status: 'failed' })
    for (const answer of script('calc_add', { a: 3, b: 3 })) upstream.next({ answer })
    const back = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'And now?' } })
    expect(back.find(({ event }) => event === 'result')?.data).toMatchObject({ status: 'complete', text: '6' })
  })
})

describe('a tool that a setup names and that is not there', () => {
  /** A turn on a thread whose setup was put on record by an instance with other settings. */
  async function turnWith(
    tools: readonly string[],
    settings: Partial<Config>,
  ): Promise<{
    readonly end: Seen | undefined
    readonly lines: () => readonly Readonly<Record<string, unknown>>[]
    readonly asked: number
  }> {
    let text = ''
    const log = new Writable({ write: (piece: Buffer, _, done) => ((text += piece.toString('utf8')), done()) })
    const { running, upstream } = await gatewayBefore(
      { answer: 'ok' },
      { defaultModel: 'strict', ...settings },
      { log },
    )
    await native(running.url, running.token).ask('POST', '/threads', { thread: 'garden' })
    await recordSetup(running.services.stores.of('default').store, 'garden', { tools })
    const seen = await native(running.url, running.token).stream('POST', '/threads/garden/turns', {
      body: { message: 'How is it?' },
    })
    return {
      end: seen.at(-1),
      lines: () =>
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
      asked: upstream.requests.filter(({ path }) => path === '/api/chat').length,
    }
  }

  test.each([
    [
      'since nobody registered it',
      ['weather'],
      {},
      { tool: 'weather' },
      { message: 'The tool "weather" is not available.', fix: /^Register it/ },
    ],
    [
      'since its MCP server cannot start',
      ['calc_add'],
      { mcp: [{ name: 'calc', command: ['/nowhere/to/be/found'] }] },
      { tool: 'calc_add', server: 'calc' },
      {
        message: 'The tool "calc_add" is not available: the tool server "calc" does not start or does not answer.',
        fix: /./,
      },
    ],
    [
      'since its MCP server cannot be reached',
      ['calc_add'],
      { mcp: [{ name: 'calc', url: 'http://127.0.0.1:9/mcp' }] },
      { tool: 'calc_add', server: 'calc' },
      {
        message: 'The tool "calc_add" is not available: the tool server "calc" does not start or does not answer.',
        fix: /retry the turn/,
      },
    ],
  ] as const)('%s: the turn fails on record, and no model is asked', async (_, tools, settings, line, says) => {
    const { end, lines, asked } = await turnWith(tools, settings as Partial<Config>)
    expect(end).toMatchObject({
      event: 'end',
      data: {
        status: 'failed',
        reason: { code: 'tool_missing', message: says.message, fix: expect.stringMatching(says.fix) as string },
      },
    })
    expect(asked).toBe(0)
    await expect
      .poll(() => lines().filter(({ code }) => code === 'tool_missing'))
      .toMatchObject([
        { level: 40, thread: 'garden', ...line, msg: expect.any(String) as string },
        { turnStatus: 'failed' },
      ])
  })

  test('is asked for again when the turn is retried', async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'calculator', version: '1.0.0' })
      server.registerTool('add', { inputSchema: z.object({}) }, () => ({ content: [{ type: 'text', text: '5' }] }))
      return server
    })
    let isUp = false
    const server = await overHttp(handler, () => isUp)
    const { operator, running } = await nativeServer(
      { answer: 'ok' },
      { mcp: [{ name: 'calc', url: `${server.url}/mcp` }] },
    )
    await operator.ask('POST', '/threads', { thread: 'garden' })
    await recordSetup(running.services.stores.of('default').store, 'garden', { tools: ['calc_add'] })
    const seen = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'How is it?' } })
    expect(seen.at(-1)?.data).toMatchObject({ status: 'failed', reason: { code: 'tool_missing' } })
    isUp = true
    await expect.poll(async () => (await operator.ask('GET', '/tools')).body['tools']).toHaveLength(2)
    expect((await operator.stream('POST', '/threads/garden/retry')).at(-1)?.data).toMatchObject({ status: 'complete' })
  })
})

test('nothing listens where a tool is called in vain', async () => {
  const closed = createServer()
  const url = await new Promise<string>(
    (resolve) =>
      void closed.listen(0, '127.0.0.1', () => {
        const address = closed.address()
        closed.close(() => resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`))
      }),
  )
  const { operator } = await nativeServer({ answer: script('weather') }, { tools: [weather(url)] })
  expect((await toolTurn(operator, ['weather'])).find(({ event }) => event === 'result')?.data).toMatchObject({
    status: 'failed',
  })
})

/** An MCP server that can be reached while it is up. */
function overHttp(handler: ReturnType<typeof createMcpHandler>, isUp: () => boolean): ReturnType<typeof plainUpstream> {
  return plainUpstream((request, response) => {
    if (!isUp()) return void response.socket?.destroy()
    const answered = async (): Promise<void> => {
      const body = await bytesOf(request)
      const answer = await handler.fetch(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method ?? 'GET',
          headers: request.headers as Record<string, string>,
          ...(body.length > 0 && { body }),
        }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
    }
    // The client may leave before it has asked.
    answered().catch(() => response.destroy())
  })
}
