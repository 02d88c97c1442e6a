import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../../../tests/support/blocks.ts'
import { readConfig, type Config } from '../src/index.ts'
import { createOriginCheck } from '../src/http/origins.ts'
import { gatewayBefore, temporaryFolder } from '../../../tests/support/server/gateway.ts'

const page = readFileSync(new URL('../../../docs/gateway.md', import.meta.url), 'utf8')
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

/** The settings that there are in a place, as the error for one that is not there lists them. */
function known(yaml: string): string[] {
  try {
    read(yaml)
  } catch (error) {
    return (
      /; there is (.+?)\.(?:\n|$)/
        .exec((error as Error).message)?.[1]
        ?.split(', ')
        .toSorted() ?? []
    )
  }
  return []
}

const unknown = 'zzzzzzzzzzzzzzzz'

test('has at most 200 lines', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
})

test('lists every setting, with its variable and its default', () => {
  const listed = rows('setting')
  expect(listed.map(([name = '']) => name).toSorted()).toEqual(known(`${unknown}: 1`))
  const config = read('')
  for (const [name = '', variable, given] of listed) {
    expect(variable).toBe(`MINUTEBOOK_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`)
    if (name !== 'data') expect([name, given]).toEqual([name, shown(config[name as keyof Config])])
  }
})

/** A default as the table has it. */
function shown(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return 'none'
  if (Array.isArray(value)) return value.map(({ url }: { readonly url: string }) => url).join(', ')
  if (typeof value !== 'object') return JSON.stringify(value).replaceAll('"', '')
  const { preset, ...fields } = value as Partial<Config['policy']>
  return (
    preset ??
    `{ ${Object.entries(fields)
      .map(([name, field]) => `${name}: ${JSON.stringify(field)}`)
      .join(', ')} }`
  )
}

test.each([
  ['upstreams', `upstreams: [{ url: "http://127.0.0.1:1", ${unknown}: 1 }]`],
  ['keys', `keys: [{ name: a, sha256: "${'ab'.repeat(32)}", ${unknown}: 1 }]`],
  ['models', `models: { a: { ${unknown}: 1 } }`],
  ['policy', `policy: { ${unknown}: 1 }`],
])('lists every setting within %s', (place, yaml) => {
  let at = ''
  const listed = rows('within')
    .filter(([within]) => (at = within || at) === place)
    .map(([, name = '']) => name)
  expect(listed.toSorted()).toEqual(known(yaml))
  expect(listed.length).toBeGreaterThan(3)
})

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

test('lists every header of an answer', async () => {
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
    rows('of an answer')
      .map(([name = '']) => name)
      .toSorted(),
  ).toEqual(ours.toSorted())
})

test('lists every header of a request', () => {
  const wishes = readFileSync(new URL('gateway/request-headers.ts', sources), 'utf8')
  const asked = [...wishes.matchAll(/headerIn\(headers, '([\w-]+)'\)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('x-'))
  expect(
    rows('of a request')
      .map(([name = '']) => name)
      .toSorted(),
  ).toEqual(asked.toSorted())
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
