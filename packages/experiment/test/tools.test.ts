import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineTool, MinutebookError } from 'minutebook'
import { seeded, type CallContext, type CallInput, type ExperimentTool } from '@minutebook/experiment/run'
import {
  checkDefinition,
  checkModules,
  compileExperiment,
  readExperiment,
  toolsOf,
  type Definition,
  type Place,
  type ToolDefinition,
} from '@minutebook/experiment'
import { afterAll, afterEach, describe, expect, test } from 'vitest'

const scratch = mkdtempSync(join(tmpdir(), 'minutebook-tools-'))
const folder = join(scratch, 'stand')
mkdirSync(join(folder, 'deep'), { recursive: true })
writeFileSync(
  join(folder, 'tools.ts'),
  `
export const forecast = (input: { day: number }, { environment }: { environment: { cash: number } }): string => \`day \${input.day}, \${environment.cash} dollars\`
export const whole = { description: 'Gives it all.', parameters: { type: 'object', properties: {} }, run: (): number => 5, changes: () => ({ cash: 0 }) }
export const number = 7
`,
)
writeFileSync(join(folder, 'deep/tools.mjs'), 'export const deep = () => ({ temperature: 21 })\n')
writeFileSync(join(folder, 'broken.ts'), 'throw new Error("no luck")\n')
writeFileSync(join(scratch, 'outside.ts'), 'globalThis.wasOutside = true\nexport const outside = () => 1\n')
symlinkSync(join(scratch, 'outside.ts'), join(folder, 'link.ts'))
symlinkSync(scratch, join(folder, 'up'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const withTool = (tool: ToolDefinition | Record<string, unknown>, names: readonly string[] = ['it']): Definition =>
  checkDefinition(
    {
      name: 'one',
      environment: { cash: 10 },
      participants: { ann: { model: 'small', tools: names } },
      ...(names.includes('it') && { tools: { it: tool } }),
    },
    { registered: ['weather'] },
  )
const local: Place = { kind: 'local', folder }
const contextOf = (input: CallInput): CallContext => ({
  round: 1,
  participant: 'ann',
  thread: 'run/one/ann',
  input,
  random: seeded(1, ''),
  environment: { cash: 10 },
  idempotencyKey: 'key of the call',
  term: 3,
  signal: new AbortController().signal,
})

async function toolOf(definition: Definition, place: Place = local, name = 'it'): Promise<ExperimentTool> {
  const { tools, close } = await toolsOf(definition, place)
  closing.push(close)
  return compileExperiment(definition, { tools }).tools![name]!
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (MinutebookError.isInstance(error) ? [error.code, error.message] : error),
  )

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a tool from a module', () => {
  test('is a function that gets the input and where it is', async () => {
    const tool = await toolOf(withTool({ module: './tools.ts#forecast', parameters: { day: 'integer' } }))
    expect(await tool.run!({ day: 3 }, contextOf({ day: 3 }))).toBe('day 3, 10 dollars')
    expect(tool.mayRepeat).toBe(false)
  })

  test('or a whole tool, of which the definition may say otherwise', async () => {
    const whole = await toolOf(withTool({ module: './tools.ts#whole' }))
    expect(whole).toMatchObject({ description: 'Gives it all.', parameters: { type: 'object', properties: {} } })
    expect(whole.changes!({ cash: 10 }, { ...contextOf({}), result: 5 })).toEqual({ cash: 0 })
    const other = await toolOf(
      withTool({ module: './tools.ts#whole', description: 'Mine.', changes: { cash: 'cash + result' } }),
    )
    expect(other.description).toBe('Mine.')
    expect(other.changes!({ cash: 10 }, { ...contextOf({}), result: 5 })).toEqual({ cash: 15 })
  })

  test('and what it gives can be looked into', async () => {
    const tool = await toolOf(withTool({ module: './deep/tools.mjs#deep', changes: { cash: 'result.temperature' } }))
    const result = (await tool.run!({}, contextOf({}))) as { temperature: number }
    expect(tool.changes!({ cash: 10 }, { ...contextOf({}), result })).toEqual({ cash: 21 })
  })

  test.each([
    ['a file that is not there', './none.ts#a', 'bad_module', 'there is no ./none.ts next to the experiment'],
    [
      'a name that it does not export',
      './tools.ts#none',
      'bad_module',
      'exports no function or tool "none". It exports forecast, number, whole.',
    ],
    ['a value that is no function', './tools.ts#number', 'bad_module', 'exports no function or tool "number"'],
    ['a file that throws', './broken.ts#a', 'bad_module', 'no luck'],
    ['a link that leads outside', './link.ts#outside', 'tool_not_allowed', 'outside of the folder of the experiment'],
    [
      'a folder that leads outside',
      './up/outside.ts#outside',
      'tool_not_allowed',
      'outside of the folder of the experiment',
    ],
    [
      'a way that leads outside',
      './deep/../../outside.ts#outside',
      'tool_not_allowed',
      'outside of the folder of the experiment',
    ],
  ])('%s is refused', async (_, module, code, text) => {
    expect(await codeOf(toolsOf(withTool({ module }), local))).toEqual([code, expect.stringContaining(text)])
    expect('wasOutside' in globalThis).toBe(false)
  })
})

test('modules that are not there are told before a run, with line and field, all of them; and nothing of them is run', async () => {
  const text = `name: one
participants: { ann: { model: small } }
tools:
  fine: { module: ./tools.ts#forecast }
  gone: { module: ./none.ts#a }
  other: { module: ./tools.ts#none }
  away: { module: ./link.ts#outside }
  odd: { module: ./broken.ts#a }`
  const definition = readExperiment(text)
  const lines = (work: Promise<void>): Promise<unknown> =>
    work.then(
      () => [],
      (error: Error) => error.message.split('\n').slice(1),
    )
  expect(await lines(checkModules(definition, { folder, text, source: 'a.yaml' }))).toEqual([
    'a.yaml:5:19 tools.gone.module: there is no ./none.ts next to the experiment; fix its path.',
    'a.yaml:6:20 tools.other.module: ./tools.ts exports no function or tool "none"; export it there, or name another.',
    'a.yaml:7:19 tools.away.module: ./link.ts is outside of the folder of the experiment; move the file there.',
  ])
  expect(await lines(checkModules(definition, { folder }))).toEqual(
    expect.arrayContaining(['tools.gone.module: there is no ./none.ts next to the experiment; fix its path.']),
  )
  expect('wasOutside' in globalThis).toBe(false)
  expect(await lines(checkModules({ ...definition, tools: { fine: definition.tools!['fine']! } }, { folder }))).toEqual(
    [],
  )
})

describe('a tool behind an address', () => {
  test('is asked with the input, and told no more than its headers, the call and the run', async () => {
    const asked: unknown[] = []
    const url = await listening((request, response) => {
      let body = ''
      request
        .on('data', (piece) => (body += String(piece)))
        .on('end', () => {
          const { 'x-key': key, 'idempotency-key': call, 'minutebook-term': term } = request.headers
          asked.push([request.method, request.url, key, call, term, body])
          response.end('{"price": 4}')
        })
    })
    const definition = withTool({
      http: { url: `${url}/price`, headers: { 'x-key': 'Bearer ${SECRET}' } },
      parameters: { count: 'integer' },
      changes: { cash: 'cash - result.price * input.count' },
    })
    const tool = await toolOf(definition, { ...local, variables: { SECRET: 'hidden' } })
    const result = (await tool.run!({ count: 2 }, contextOf({ count: 2 }))) as { price: number }
    expect(asked).toEqual([['POST', '/price', 'Bearer hidden', 'key of the call', '3', '{"count":2}']])
    expect(tool.changes!({ cash: 10 }, { ...contextOf({ count: 2 }), result })).toEqual({ cash: 2 })
    expect(JSON.stringify(definition)).not.toContain('hidden')
  })

  test('is asked by a query with GET, and may be asked again', async () => {
    const asked: unknown[] = []
    const url = await listening(
      (request, response) => (asked.push([request.method, request.url]), response.end('4 dollars')),
    )
    const tool = await toolOf(
      withTool({
        http: { url: `${url}/price?of=lemons`, method: 'GET' },
        parameters: { name: 'string', count: 'integer' },
      }),
    )
    expect(await tool.run!({ name: 'a&b', count: 2 }, contextOf({}))).toBe('4 dollars')
    expect(asked).toEqual([['GET', '/price?of=lemons&name=a%26b&count=2']])
    expect(tool.mayRepeat).toBe(true)
  })

  test.each<[string, RequestListener, string]>([
    ['answers with an error', (_, response) => response.writeHead(500).end(), 'status 500'],
    [
      'sends elsewhere',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'sends elsewhere',
    ],
    ['answers without end', (_, response) => response.end('x'.repeat(2 << 20)), 'longer than'],
  ])('that %s fails', async (_, answer, text) => {
    const tool = await toolOf(withTool({ http: { url: await listening(answer) }, parameters: {} }))
    expect(await codeOf(Promise.resolve(tool.run!({}, contextOf({}))))).toEqual([
      'tool_failed',
      expect.stringContaining(text),
    ])
  })

  test('needs the variables of its headers', async () => {
    const definition = withTool({
      http: { url: 'http://127.0.0.1:1', headers: { key: '${NOWHERE_SET}' } },
      parameters: {},
    })
    expect(await codeOf(toolsOf(definition, { ...local, variables: {} }))).toEqual([
      'missing_variable',
      'The tool "it" needs the variable NOWHERE_SET for its header key. Set it before the run.',
    ])
  })
})

describe('a tool of an MCP server', () => {
  const program = fileURLToPath(new URL('../../../tests/support/server/mcp-program.ts', import.meta.url))
  const command = [process.execPath, '--no-warnings', './mcp-program.ts']

  test('is called, and has the parameters of the server', async () => {
    const tool = await toolOf(withTool({ mcp: { command, tool: 'add' }, changes: { cash: 'double(result)' } }), {
      kind: 'local',
      folder: join(program, '..'),
    })
    expect(tool).toMatchObject({ description: 'Adds.', parameters: { required: ['a', 'b'] } })
    expect(tool.refusal!({ cash: 1 }, contextOf({ a: 1 }))).toBe('This cannot be done: b is missing.')
    const result = (await tool.run!({ a: 1, b: 2 }, contextOf({ a: 1, b: 2 }))) as string
    expect(tool.changes!({ cash: 10 }, { ...contextOf({}), result })).toEqual({ cash: 3 })
  })

  test('is told the call and the run beside the arguments', async () => {
    const tool = await toolOf(withTool({ mcp: { command, tool: 'meta' } }), {
      kind: 'local',
      folder: join(program, '..'),
    })
    expect(await tool.run!({}, contextOf({}))).toMatchObject({
      'minutebook/idempotency-key': 'key of the call',
      'minutebook/term': 3,
    })
  })

  test('must be one that it has', async () => {
    expect(
      await codeOf(toolsOf(withTool({ mcp: { command, tool: 'ad' } }), { kind: 'local', folder: join(program, '..') })),
    ).toEqual(['unknown_tool', 'The MCP server of the tool "it" has no tool "ad". Did you mean "add"?'])
  })

  test('of one that does not start is refused', async () => {
    expect(await codeOf(toolsOf(withTool({ mcp: { command: ['/nowhere/to/be/found'] } }), local))).toEqual([
      'tool_failed',
      expect.stringContaining('does not start or does not answer'),
    ])
  })
})

describe('on a server', () => {
  const weather = defineTool({
    name: 'weather',
    description: 'Tells it.',
    parameters: { type: 'object', properties: {} },
    mayRepeat: true,
    run: (_, { thread }) => `{"sky": "blue", "for": "${thread}"}`,
  })
  const server: Place = { kind: 'server', registered: { weather } }

  test.each<[string, ToolDefinition, string]>([
    ['a module', { module: './tools.ts#forecast' }, 'The tool "it" is a module.'],
    ['an address', { http: { url: 'http://169.254.169.254/latest' }, parameters: {} }, 'The tool "it" is an address.'],
    ['a command', { mcp: { command: ['sh', '-c', 'true'] } }, 'The tool "it" is an MCP server of its own.'],
    [
      'an MCP server elsewhere',
      { mcp: { url: 'http://127.0.0.1:1/mcp' } },
      'The tool "it" is an MCP server of its own.',
    ],
  ])('%s is refused, with what to do', async (_, tool, text) => {
    expect(await codeOf(toolsOf(withTool(tool), server))).toEqual([
      'tool_not_allowed',
      expect.stringContaining(`${text} A server runs only tools that its operator has registered`),
    ])
  })

  test('a registered tool can be used, with changes of its own', async () => {
    const tool = await toolOf(
      withTool({ use: 'weather', changes: { cash: 'result.sky == "blue" ? cash + 1 : cash' } }),
      server,
    )
    expect(tool).toMatchObject({ description: 'Tells it.', mayRepeat: true })
    const result = (await tool.run!({}, contextOf({}))) as { sky: string }
    expect(result).toEqual({ sky: 'blue', for: 'run/one/ann' })
    expect(tool.changes!({ cash: 10 }, { ...contextOf({}), result })).toEqual({ cash: 11 })
  })

  test('and named by participants as it is', async () => {
    const tool = await toolOf(withTool({}, ['weather']), server, 'weather')
    expect(tool.description).toBe('Tells it.')
  })

  test('one that nobody registered is refused', async () => {
    expect(
      await codeOf(toolsOf(withTool({ use: 'weather' }), { kind: 'server', registered: { whether: weather } })),
    ).toEqual([
      'unknown_tool',
      'The tool "it" uses "weather", and nothing is registered under that name. Did you mean "whether"?',
    ])
    expect(
      await codeOf(toolsOf({ ...withTool({ use: 'weather' }), tools: { it: { use: 'constructor' } } }, server)),
    ).toEqual(['unknown_tool', expect.stringContaining('"constructor"')])
  })

  test('an experiment of expressions needs nobody', async () => {
    expect((await toolsOf(withTool({ changes: { cash: 'cash + 1' } }), server)).tools).toEqual({})
  })

  test('what nobody runs cannot be compiled', () => {
    expect(() => compileExperiment(withTool({ use: 'weather' }))).toThrow('The tool "it" has no runner')
  })
})
