import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../../../tests/support/blocks.ts'
import { readConfig, type Config } from '../src/index.ts'
import { createOriginCheck } from '../src/http/origins.ts'
import { gatewayBefore, temporaryFolder } from '../../../tests/support/server/gateway.ts'

const pageOf = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
const page = pageOf('gateway.md')
const sources = new URL('../src/', import.meta.url)
const blocks = (language: string): string[] =>
  blocksOf('docs/gateway.md', page)
    .filter((block) => block.language === language)
    .map(({ text }) => text.replaceAll('…64 hexadecimal digits…', 'ab'.repeat(32)))

/** The cells of the table whose head begins so. */
function rows(head: string, text = page): string[][] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  if (start < 0) throw new Error(`There is no table that begins with "${head}".`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

function read(yaml: string, environment: Readonly<Record<string, string>> = {}): Config {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'minutebook.yaml'), yaml)
  return readConfig({ path: 'minutebook.yaml', folder, environment })
}

test('shows settings that are in order', () => {
  const configs = blocks('yaml').map((yaml) => read(yaml))
  expect(configs.map(({ upstreams }) => upstreams.length)).toEqual([1, 2])
  expect(configs[0]).toMatchObject({ models: { 'gemma3:4b': { num_ctx: 16_384 } }, policy: { recall: 'eager' } })
})

test('shows an environment for containers that is in order, and lets them in', () => {
  const exported = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/^export (\w+)=(?:'(.*)'|(.*))$/gm)].map(([, name = '', quoted, plain]) => [
        name,
        quoted ?? plain ?? '',
      ]),
    )
  const [, onHost = '', inContainer = ''] = blocks('sh')
  const allowHosts = [...(/--allow-host (\S+)/.exec(onHost)?.slice(1) ?? [])]
  const flags = { host: /--host (\S+)/.exec(onHost)?.[1], allowHosts }
  const host = readConfig({ folder: temporaryFolder(), environment: exported(onHost), flags })
  const container = readConfig({ folder: temporaryFolder(), environment: exported(inContainer) })
  expect([host.host, container.host, container.data, container.keys[0]?.tenant]).toEqual([
    '0.0.0.0',
    '0.0.0.0',
    '/data',
    'garden',
  ])
  const isLetIn = (config: Config, name: string): boolean =>
    createOriginCheck(config).check(
      { headers: { host: name }, rawHeaders: ['host', name] },
      { route: { kind: 'chat', name: '/api/chat' } },
    ) === undefined
  expect([
    isLetIn(host, 'host.docker.internal:11435'),
    isLetIn(container, 'gateway:11435'),
    isLetIn(container, 'localhost:8080'),
    isLetIn(container, 'elsewhere.example'),
  ]).toEqual([true, true, true, false])
})

test('reference/headers.md lists every header of an answer', async () => {
  const { running } = await gatewayBefore()
  const ask = async (path: string, body: object): Promise<readonly string[]> => {
    const { headers } = await fetch(running.url + path, { method: 'POST', body: JSON.stringify(body) })
    return [...headers.keys()].filter((name) => name.startsWith('minutebook-'))
  }
  const chat = { model: 'strict', stream: false, messages: [{ role: 'user', content: 'Hello?' }] }
  const asked = await Promise.all([
    ask('/api/chat', chat),
    ask('/v1/responses', { model: 'strict', input: 'Hello?', tools: [{ type: 'web_search' }] }),
  ])
  // Only for an upstream that cannot count.
  const counting = readFileSync(new URL('gateway/count-tokens.ts', sources), 'utf8')
  const counted = [...counting.matchAll(/'(minutebook-[a-z]+)':/g)].map(([, name = '']) => name)
  const ours = [...new Set([...asked.flat(), ...counted])]
  expect(
    rows('of an answer', pageOf('reference/headers.md'))
      .map(([name = '']) => name)
      .toSorted(),
  ).toEqual(ours.toSorted())
})

test('a web page can read every header of an answer', async () => {
  const { running } = await gatewayBefore()
  const { headers } = await fetch(`${running.url}/v1/models`, { headers: { origin: 'http://localhost:3000' } })
  const shown = headers.get('access-control-expose-headers')?.split(', ') ?? []
  const named = rows('of an answer', pageOf('reference/headers.md')).map(([name = '']) => name)
  expect(shown.filter((name) => name.startsWith('minutebook-')).toSorted()).toEqual(named.toSorted())
})

test('names codes that are given', () => {
  const given = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(file, sources), 'utf8'))
    .join('\n')
  const codes = rows('what').map((cells) => cells.at(-1))
  expect(codes.length).toBeGreaterThan(4)
  expect(codes.filter((code) => !given.includes(`'${code}'`))).toEqual([])
})

test('a table that is not there is noticed', () => {
  expect(() => rows('nothing', '| something |\n|---|\n| a |\n')).toThrow('nothing')
  expect(rows('something', '| something |\n|---|\n| `a` |\n')).toEqual([['a']])
})
