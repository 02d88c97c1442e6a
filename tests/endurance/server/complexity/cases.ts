import { apiDocument } from '../../../../packages/server/src/api/document.ts'
import { grown, placesIn, sizesOf, type How, type Place } from './grown.ts'
import { kinds } from './kinds.ts'
import type { Sent } from './measured-server.ts'

/** A request that can be made larger in one way. */
export interface Case {
  readonly name: string
  readonly sizes: readonly number[]
  /** `unique`: a word that no request had before, so that none is known from before. */
  readonly request: (size: number, unique: string) => Sent
}

/**
 * `isLong`: every way, larger, and two lists or maps of a chat or a definition at once. The short form leaves out ways
 * that differ in next to nothing from others: texts that become lists, odd texts in every kind of chat, texts in YAML.
 */
export function casesOf(isLong: boolean): Case[] {
  const scale = isLong ? 4 : 0.5
  return [
    ...operationCases(scale, isLong),
    ...chatCases(scale, isLong),
    ...kindCases(isLong),
    ...definitionCases(scale, isLong),
  ]
}

/** The ways in which a value is made larger. `brief`: those that the short form leaves out. */
function placesFor(value: unknown, isLong: boolean, brief: readonly How[] = []): Place[] {
  const partAt = (path: Place['path']): unknown =>
    path.reduce<unknown>((within, part) => Object(within)[part] as unknown, value)
  return placesIn(value).filter(
    ({ how, path }) => isLong || !(brief.includes(how) || (how === 'depth' && typeof partAt(path) === 'string')),
  )
}

// --- The operations of the API

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly example?: unknown
  readonly minimum?: number
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema?: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const document = apiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What answers without end, or ends what the others need. */
const left: ReadonlySet<string> = new Set([
  'get /minutebook/v1/threads/{thread}/stream',
  'get /minutebook/v1/runs/{run}/events',
])

/** An operation, its request as an example of it would be, and the same with another body or other parameters. */
interface Example {
  readonly name: string
  readonly operation: Operation
  readonly sample: unknown
  readonly send: (body: unknown, unique: string, changes?: Readonly<Record<string, string>>) => Sent
}

/** Every operation once, as an example of it would be. */
export function plainOperations(): readonly { readonly name: string; readonly request: (unique: string) => Sent }[] {
  return examples().map(({ name, sample, send }) => ({ name, request: (unique) => send(sample, unique) }))
}

function examples(): Example[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]): Example[] => {
      if (left.has(`${method} ${path}`)) return []
      const { parameters = [], requestBody } = operation
      const name = `${method.toUpperCase()} ${path.replace('/minutebook/v1', '')}`
      const send = (body: unknown, unique: string, changes: Readonly<Record<string, string>> = {}): Sent => {
        const valueOf = (parameter: string): string => changes[parameter] ?? known[parameter] ?? unique
        const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
          encodeURIComponent(path.endsWith('/import') && parameter === 'thread' ? unique : valueOf(parameter)),
        )
        const query = parameters
          .filter((parameter) => parameter.in === 'query' && (parameter.name in changes || needed.has(parameter.name)))
          .map((parameter) => `${parameter.name}=${encodeURIComponent(valueOf(parameter.name))}`)
        return {
          method: method.toUpperCase(),
          path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
          body,
          ...(typeof body === 'string' && { headers: { 'content-type': 'application/x-ndjson' } }),
        }
      }
      const json = requestBody?.content['application/json']?.schema
      return [{ name, operation, sample: json && sampleOf(json), send }]
    }),
  )
}

function operationCases(scale: number, isLong: boolean): Case[] {
  return examples().flatMap(({ name, operation: { parameters = [], requestBody }, sample, send }) => {
    const json = requestBody?.content['application/json']
    const bodies = json
      ? placesFor(sample, isLong, ['odd text']).map((place): Case => ({
          name: `${name}: ${place.name}`,
          sizes: sizesOf(place.how, scale),
          request: (size, unique) => send(grown(sample, place, size), unique),
        }))
      : []
    const lines = requestBody?.content['application/x-ndjson']
      ? [
          {
            name: `${name}: lines`,
            sizes: sizesOf('items', scale),
            request: (size: number, unique: string) =>
              send('{"kind":"user","text":"x","parent":null}\n'.repeat(size), unique),
          },
        ]
      : []
    const texts = parameters
      .filter(({ schema }) => schema?.type !== 'integer' && schema?.type !== 'number')
      .map((parameter): Case => ({
        name: `${name}: parameter ${parameter.name}`,
        sizes: [1500, 3000, 6000, 12_000],
        request: (size, unique) => send(sample, unique, { [parameter.name]: 'lemon tree '.repeat(size / 11) }),
      }))
    return [...bodies, ...lines, ...texts]
  })
}

/** What is there before anything is measured, by the name of its parameter. */
export const known: Readonly<Record<string, string>> = {
  thread: 'garden',
  run: 'counting',
  left: 'counting',
  right: 'counting',
  policy: 'short',
  query: 'lemons',
  key: 'nobody',
}
const needed: ReadonlySet<string> = new Set(['query', 'left', 'right'])

/** A value of a schema, with everything in it that may be there. */
function sampleOf(schema: Schema): unknown {
  const { $ref, type, properties, items, anyOf, enum: choices, example, minimum } = schema
  if ($ref !== undefined) return sampleOf(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (anyOf)
    return sampleOf(
      anyOf.find((one) => one.type === 'array') ?? anyOf.find((one) => one.type === 'object') ?? anyOf[0] ?? {},
    )
  if (choices) return choices[0]
  if (type === 'object' || properties)
    return {
      ...(example as object | undefined),
      ...Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, sampleOf(part)])),
    }
  if (type === 'array') return example ?? [sampleOf(items ?? {})]
  if (type === 'string') return example ?? 'x'
  if (type === 'integer' || type === 'number') return example ?? minimum ?? 1
  return example ?? (type === 'boolean' ? true : 'x')
}

// --- Chats and responses

const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"place":"here"}' } }
const tool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
}
const messages = [
  { role: 'system', content: 'You sell lemons.' },
  { role: 'user', content: 'What is the weather?' },
  { role: 'assistant', content: 'I look.', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Rain.' },
  { role: 'assistant', content: '<think>Hm.</think>It rains.', thinking: 'Hm.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
]
const ollamaMessages = [
  { role: 'user', content: 'Look.', images: ['AAAA'] },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ function: { name: 'weather', arguments: { place: 'here' } } }],
  },
  { role: 'tool', tool_name: 'weather', content: 'Rain.' },
]
const input = [
  { type: 'message', role: 'developer', content: 'You sell lemons.' },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is the weather?' }] },
  { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"place":"here"}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'Rain.' },
  { type: 'message', role: 'user', content: 'And now?' },
]

interface Base {
  readonly name: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  /** Where the word goes that makes a request unlike others; at the end, so that nothing that is grown moves. */
  readonly list: string
  readonly last: (unique: string) => unknown
  readonly brief?: readonly How[]
}

const question = (unique: string): unknown => ({ role: 'user', content: unique })
const bases: readonly Base[] = [
  {
    name: 'openai chat',
    path: '/v1/chat/completions',
    body: { model: 'plain', messages, tools: [tool], stop: ['x'], metadata: { a: 'b' } },
    list: 'messages',
    last: question,
  },
  {
    name: 'openai chat, unrecorded',
    path: '/v1/chat/completions',
    headers: { 'minutebook-record': 'no' },
    body: { model: 'plain', messages },
    list: 'messages',
    last: question,
    brief: ['odd text', 'text', 'depth', 'fields'],
  },
  {
    name: 'openai chat, small window',
    path: '/v1/chat/completions',
    body: { model: 'small', messages },
    list: 'messages',
    last: question,
    brief: ['odd text', 'depth', 'fields'],
  },
  {
    name: 'ollama chat',
    path: '/api/chat',
    body: { model: 'plain', stream: false, messages: ollamaMessages, options: { temperature: 0 }, tools: [tool] },
    list: 'messages',
    last: question,
  },
  {
    name: 'ollama chat on a named thread',
    path: '/api/chat',
    headers: { 'minutebook-thread': 'unique' },
    body: { model: 'plain', stream: false, messages: ollamaMessages },
    list: 'messages',
    last: question,
    brief: ['odd text', 'depth'],
  },
  {
    name: 'response',
    path: '/v1/responses',
    body: {
      model: 'plain',
      input,
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }],
      metadata: { a: 'b' },
    },
    list: 'input',
    last: (unique) => ({ type: 'message', role: 'user', content: unique }),
  },
  {
    name: 'conversation',
    path: '/v1/conversations',
    body: { items: input, metadata: { a: 'b' } },
    list: 'items',
    last: (unique) => ({ type: 'message', role: 'user', content: unique }),
    brief: ['odd text', 'depth'],
  },
]

function chatCases(scale: number, isLong: boolean): Case[] {
  return bases.flatMap(({ name, path, headers, body, list, last, brief }) => {
    const send = (changed: unknown, unique: string): Sent => {
      const { [list]: said, ...rest } = Object(changed) as Record<string, unknown>
      return {
        path,
        body: { ...rest, [list]: Array.isArray(said) ? [...(said as unknown[]), last(unique)] : said },
        headers: { ...headers, ...(headers?.['minutebook-thread'] !== undefined && { 'minutebook-thread': unique }) },
      }
    }
    const single = placesFor(body, isLong, brief).map((place): Case => ({
      name: `${name}: ${place.name}`,
      sizes: sizesOf(place.how, scale),
      request: (size, unique) => send(grown(body, place, size), unique),
    }))
    const headed = ['idempotency-key', 'minutebook-thread', 'minutebook-policy', 'traceparent'].map((header): Case => ({
      name: `${name}: header ${header}`,
      sizes: [1500, 3000, 6000, 12_000],
      request: (size, unique) => ({ ...send(body, unique), headers: { [header]: 'x'.repeat(size) } }),
    }))
    return [
      ...single,
      ...(isLong || brief === undefined ? headed : []),
      ...(isLong ? pairCases(name, body, scale, send) : []),
    ]
  })
}

/** Two lists or maps at once: what compares each of one with each of the other. */
function pairCases(
  name: string,
  body: unknown,
  scale: number,
  send: (changed: unknown, unique: string) => Sent,
): Case[] {
  const places = placesIn(body).filter(({ how }) => how === 'items' || how === 'fields')
  return places.flatMap((one, index) =>
    places
      .slice(index + 1)
      .filter((other) => isApart(one, other))
      .map((other): Case => ({
        name: `${name}: ${one.name} and ${other.name}`,
        sizes: sizesOf('items', scale / 2),
        request: (size, unique) => send(grown(grown(body, other, size), one, size), unique),
      })),
  )
}

/** Neither stands within the other. */
function isApart(one: Place, other: Place): boolean {
  const within = (inner: Place, outer: Place): boolean => outer.path.every((part, index) => inner.path[index] === part)
  return !within(one, other) && !within(other, one)
}

/** Each kind of block of each protocol, up to the most that one message may have. The short form: Anthropic's alone. */
function kindCases(isLong: boolean): Case[] {
  return kinds
    .filter(({ name }) => isLong || name.startsWith('/v1/messages:'))
    .map((kind) => ({ ...kind, sizes: [125, 250, 500, 1000] }))
}

// --- The language of experiments

const definition = {
  name: 'stand',
  description: 'A stand.',
  environment: {
    cash: 100,
    stock: { lemons: 3 },
    days: [1, 2],
    weather: { type: 'text', initial: 'sun', description: 'Of the day.' },
  },
  participants: {
    ann: {
      model: { name: 'plain', options: { temperature: 0 } },
      system: 'You sell.',
      tools: ['buy'],
      sees: ['cash', 'weather'],
      tells: ['bob'],
      history: [{ role: 'user', content: 'Hello.' }],
    },
    bob: { model: 'plain' },
  },
  rounds: [{ name: 'day', play: 'sequence', participants: ['ann', 'bob'], ask: 'Decide.' }],
  tools: {
    buy: {
      description: 'Buys.',
      parameters: { count: { type: 'integer', minimum: 1 } },
      require: [{ when: 'cash >= 5', otherwise: 'You cannot pay that.' }],
      changes: { cash: 'cash - input.count' },
      result: '"done"',
    },
  },
  hooks: { roundStart: { cash: 'cash + size(days.map(x, x * 2))' } },
  goals: { success: { rich: 'cash >= 1000' }, failure: { poor: 'cash < 0' } },
  limits: { rounds: 1 },
  prices: { plain: { input: 0, output: 0 } },
}

function definitionCases(scale: number, isLong: boolean): Case[] {
  const check = (changed: unknown): Sent => ({
    path: '/minutebook/v1/experiments/check',
    body: { definition: changed },
  })
  const places = placesFor(definition, isLong, ['odd text'])
  const sized = (how: How): readonly number[] => sizesOf(how, scale)
  const asData = places.map((place): Case => ({
    name: `definition: ${place.name}`,
    sizes: sized(place.how),
    request: (size) => check(grown(definition, place, size)),
  }))
  const asText = places
    .filter(({ how }) => isLong || how === 'items' || how === 'fields')
    .map((place): Case => ({
      name: `definition as YAML: ${place.name}`,
      sizes: sized(place.how),
      request: (size) => check(blockText(grown(definition, place, size))),
    }))
  const expressions = Object.entries(growing).map(([name, expression]): Case => ({
    name: `expression: ${name}`,
    sizes: [30, 60, 120, 240].map((size) => Math.ceil(size * scale)),
    request: (size) => check({ ...definition, hooks: { roundStart: { cash: expression(size) } } }),
  }))
  const texts = Object.entries(written).map(([name, text]): Case => ({
    name: `YAML: ${name}`,
    sizes: sizesOf('items', scale),
    request: (size) => check(text(size)),
  }))
  return [
    ...asData,
    ...asText,
    ...expressions,
    ...texts,
    ...(isLong ? pairCases('definition', definition, scale / 4, check) : []),
  ]
}

/** As YAML in blocks, a line for each value. */
function blockText(value: unknown, indent = ''): string {
  const lineOf = (head: string, part: unknown): string => {
    const isBlock = typeof part === 'object' && part !== null && Object.keys(part).length > 0
    return isBlock
      ? `${indent}${head}\n${blockText(part, `${indent}  `)}`
      : `${indent}${head} ${JSON.stringify(part)}\n`
  }
  if (Array.isArray(value)) return value.map((part) => lineOf('-', part)).join('')
  return Object.entries(value as object)
    .map(([name, part]) => lineOf(`${name}:`, part))
    .join('')
}

const growing: Readonly<Record<string, (size: number) => string>> = {
  'a sum': (size) => Array.from({ length: size }, () => 'cash').join(' + '),
  'within brackets': (size) => `${'('.repeat(size)}cash${')'.repeat(size)}`,
  'a list': (size) => `size([${Array.from({ length: size }, (_, index) => index).join(', ')}])`,
  'a map': (size) => `size({${Array.from({ length: size }, (_, index) => `"k${index}": 1`).join(', ')}})`,
  'lists within each other': (size) => `${'days.map(x, '.repeat(size / 10)}cash${')'.repeat(size / 10)}`,
  'a text': (size) => `size("${'x'.repeat(size * 10)}")`,
  conditions: (size) => `${'cash > 1 ? 1 : '.repeat(size)}0`,
}

const written: Readonly<Record<string, (size: number) => string>> = {
  'anchors and aliases': (size) =>
    `name: x\nenvironment:\n${Array.from({ length: size }, (_, index) => `  a${index}: &a${index} 1\n  b${index}: *a${index}\n`).join('')}`,
  'the same name': (size) => `name: x\n${'name: x\n'.repeat(size)}`,
  'lines that are no YAML': (size) => 'a: "b" c\n'.repeat(size),
  brackets: (size) => '['.repeat(size),
  comments: (size) => `${'# x\n'.repeat(size)}name: x\n`,
  documents: (size) => '---\nname: x\n'.repeat(size),
  tags: (size) =>
    `name: x\nenvironment:\n${Array.from({ length: size }, (_, index) => `  a${index}: !t${index} 1\n`).join('')}`,
}
