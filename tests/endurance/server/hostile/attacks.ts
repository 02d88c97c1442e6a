import type { Asker, Outcome, Sending } from './asked.ts'
import type { Dice } from './dice.ts'

/** What a hostile client remembers: what there is that it can come back to. */
interface Memory {
  readonly chats: object[][]
  readonly responses: string[]
  readonly conversations: string[]
  readonly threads: string[]
  readonly runs: string[]
}

/** One thing that a client does, in one request or several. */
type Attack = (client: Client) => Promise<void>

interface Client {
  readonly dice: Dice
  readonly memory: Memory
  readonly send: (sending: Sending) => Promise<Outcome>
  readonly idle: Asker['idle']
  /** Bytes of the largest body: what the server takes of it depends on its heap. */
  readonly largest: number
}

const api = '/minutebook/v1'
const models = ['plain', 'plain', 'plain', 'small', 'slow', 'long', 'nobody-has-it'] as const

/**
 * Everything that a key of scope `app` may do, in sizes up to the limits and beyond, again and again at random. `kind`:
 * the number of the attack, if chance is not to choose it.
 *
 * @example
 * const attack = attacker(createDice(7), asker, { largest: 8 << 20, onEnd: () => undefined })
 * for (let count = 0; count < 10; count++) await attack()
 */
export function attacker(
  dice: Dice,
  asker: Asker,
  { largest, onEnd }: AttackerOptions,
): (kind?: number) => Promise<void> {
  const memory: Memory = { chats: [], responses: [], conversations: [], threads: [], runs: [] }
  const send = async (sending: Sending): Promise<Outcome> => {
    const outcome = await asker.ask(sending)
    onEnd(sending, outcome)
    return outcome
  }
  const client: Client = { dice, memory, send, idle: asker.idle, largest }
  return (kind) => (kind === undefined ? dice.pick(attacks) : attacks[kind % attacks.length]!)(client)
}

export interface AttackerOptions {
  /** Bytes of the largest body. */
  readonly largest: number
  /** Told of each request when it is over. */
  readonly onEnd: (sending: Sending, outcome: Outcome) => void
}

/** Keeps the last few. */
function remember<T>(list: T[], value: T, most = 20): void {
  list.push(value)
  if (list.length > most) list.shift()
}

function idIn({ text }: Outcome, name: string): string | undefined {
  return new RegExp(`"${name}":"([^"]{1,200})"`).exec(text)?.[1]
}

/** A text that is ordinary, wide, full of escapes, of one letter, or of lines. */
function textOf(dice: Dice, length: number): string {
  switch (dice.below(6)) {
    case 0:
      return `中${dice.text(length)}`
    case 1:
      return '\u0001\n"\\'.repeat(length / 8)
    case 2:
      return dice.pick(['a', ' ', 'é', '🙂', '0']).repeat(length / 2)
    case 3:
      return `[NOTE TO SELF: ${dice.text(length)}`
    default:
      return dice.text(length)
  }
}

const tool = (name: string, description: string): object => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: { x: { type: 'string' } } } },
})

function chatBody(dice: Dice, messages: readonly object[]): object {
  return {
    model: dice.roll() < 0.02 ? dice.text(5000) : dice.pick(models),
    stream: dice.roll() < 0.5,
    messages,
    ...(dice.roll() < 0.2 && {
      tools: Array.from({ length: dice.size(1, 300) }, (_, index) => tool(`t${index}`, dice.text(dice.size(1, 2000)))),
    }),
  }
}

function newMessages({ dice, largest }: Pick<Client, 'dice' | 'largest'>): object[] {
  const size = dice.size(50, largest)
  switch (dice.below(8)) {
    case 0: // Many small ones.
      return Array.from({ length: Math.min(30_000, Math.ceil(size / 40)) }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: dice.word(),
      }))
    case 1: // Many words of the system.
      return [
        ...Array.from({ length: dice.size(1, 1500) }, () => ({
          role: 'system',
          content: dice.text(Math.min(2000, size / 100)),
        })),
        { role: 'user', content: dice.text(50) },
      ]
    case 2: // Pictures.
      return [{ role: 'user', content: dice.word(), images: [dice.word().repeat(size / 8)] }]
    case 3:
      return [
        {
          role: 'user',
          content: [
            { type: 'text', text: dice.word() },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(size)}` } },
          ],
        },
      ]
    case 4: // Calls and results.
      return Array.from({ length: Math.min(2000, Math.ceil(size / 400)) }, (_, index) => [
        { role: 'user', content: dice.word() },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: `c${index}`,
              type: 'function',
              function: { name: 'look', arguments: JSON.stringify({ at: dice.text(100) }) },
            },
          ],
        },
        { role: 'tool', tool_call_id: `c${index}`, content: dice.text(200) },
      ]).flat()
    default:
      return [{ role: 'user', content: textOf(dice, size) }]
  }
}

const chat = async (
  { dice, memory, send }: Client,
  messages: object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const path = dice.pick(['/v1/chat/completions', '/api/chat'])
  const { status } = await send({
    name: `chat ${path}`,
    path,
    headers,
    body: chatBody(dice, messages),
    ...(dice.roll() < 0.1 && { leaveAfter: dice.size(1, 3000) }),
  })
  if (status === 200) remember(memory.chats, [...messages, { role: 'assistant', content: 'ok' }])
}

const attacks: readonly Attack[] = [
  (client) => chat(client, newMessages(client)),
  (client) => chat(client, newMessages(client)),
  // A chat that goes on, and one that branches off.
  (client) =>
    chat(client, [
      ...client.dice.pick([[], ...client.memory.chats]),
      { role: 'user', content: textOf(client.dice, client.dice.size(10, 1e5)) },
    ]),
  ({ dice, ...client }) => {
    const before = dice.pick([[], ...client.memory.chats])
    return chat({ ...client, dice }, [
      ...before.slice(0, dice.below(before.length + 1)),
      { role: 'user', content: dice.text(dice.size(10, 1e5)) },
    ])
  },
  // Named threads, ids, policies, unrecorded ones.
  (client) => chat(client, newMessages(client), { 'minutebook-thread': `t${client.dice.below(5)}` }),
  (client) =>
    chat(client, [{ role: 'user', content: client.dice.text(100) }], {
      'minutebook-thread': `t${client.dice.below(5)}`,
    }),
  (client) => chat(client, newMessages(client), { 'minutebook-record': 'no' }),
  async (client) => {
    const headers = { 'idempotency-key': client.dice.word() }
    const messages = [{ role: 'user', content: client.dice.text(client.dice.size(10, 1e5)) }]
    await Promise.all(Array.from({ length: client.dice.below(8) + 2 }, () => chat(client, messages, headers)))
  },
  // Responses and conversations.
  async ({ dice, memory, send, largest }) => {
    const previous = dice.pick([undefined, ...memory.responses])
    const conversation = previous === undefined ? dice.pick([undefined, ...memory.conversations]) : undefined
    const outcome = await send({
      name: 'response',
      path: '/v1/responses',
      body: {
        model: dice.pick(models),
        stream: dice.roll() < 0.5,
        store: dice.roll() < 0.8,
        input: textOf(dice, dice.size(10, largest)),
        previous_response_id: previous,
        conversation,
      },
    })
    const id = idIn(outcome, 'id')
    if (outcome.status === 200 && id?.startsWith('resp_')) remember(memory.responses, id)
  },
  async ({ dice, memory, send }) => {
    const items = (): object[] =>
      Array.from({ length: dice.size(1, 200) }, () => ({
        type: 'message',
        role: dice.pick(['user', 'system']),
        content: dice.text(dice.size(10, 1e5)),
      }))
    const created = await send({
      name: 'conversation',
      path: '/v1/conversations',
      body: { items: items().slice(0, 20), metadata: { a: dice.word() } },
    })
    const id = idIn(created, 'id')
    if (id?.startsWith('conv_')) remember(memory.conversations, id)
    const one = dice.pick(['conv_none', ...memory.conversations])
    await send({ name: 'conversation items', path: `/v1/conversations/${one}/items`, body: { items: items() } })
    await send({ name: 'conversation list', method: 'GET', path: `/v1/conversations/${one}/items?limit=100` })
    if (dice.roll() < 0.2)
      await send({ name: 'conversation delete', method: 'DELETE', path: `/v1/conversations/${one}` })
  },
  async ({ dice, memory, send }) => {
    const one = dice.pick(['resp_none', ...memory.responses])
    await send({
      name: 'response get',
      method: 'GET',
      path: `/v1/responses/${one}${dice.pick(['', '?stream=true', '/input_items'])}`,
    })
    if (dice.roll() < 0.1) await send({ name: 'response delete', method: 'DELETE', path: `/v1/responses/${one}` })
  },
  // Threads and turns.
  async ({ dice, memory, send, largest }) => {
    const thread = `n-${dice.word()}`
    await send({
      name: 'thread',
      path: `${api}/threads`,
      body: { thread, setup: { model: dice.pick(['plain', 'small']), system: dice.text(dice.size(10, 1e5)) } },
    })
    remember(memory.threads, thread)
    for (let turn = dice.below(4); turn >= 0; turn--) {
      await send({
        name: 'turn',
        path: `${api}/threads/${thread}/turns`,
        headers: dice.roll() < 0.5 ? { accept: 'text/event-stream' } : {},
        body: {
          message: textOf(dice, dice.size(10, largest)),
          ...(dice.roll() < 0.3 && { id: dice.pick(['same', dice.word()]) }),
        },
        leaveAfter: dice.size(10, 5000),
      })
    }
  },
  async ({ dice, memory, send }) => {
    const one = encodeURIComponent(dice.pick(['none', ...memory.threads]))
    await Promise.all(
      Array.from({ length: dice.below(6) + 1 }, () =>
        send({
          name: 'read thread',
          method: 'GET',
          path: `${api}/threads/${one}${dice.pick(['', '/entries', '/entries', '/state/x', '/stream?from=0.0.0&until=rest'])}`,
          leaveAfter: dice.size(100, 10_000),
        }),
      ),
    )
  },
  async ({ dice, memory, send }) => {
    const one = encodeURIComponent(dice.pick(['none', ...memory.threads]))
    const as = `f-${dice.word()}`
    if ((await send({ name: 'fork', path: `${api}/threads/${one}/fork`, body: { as } })).status === 201)
      remember(memory.threads, as)
    await send({
      name: dice.pick(['retry', 'cancel', 'relay']),
      path: `${api}/threads/${one}/${dice.pick(['retry', 'cancel'])}`,
      leaveAfter: 2000,
    })
    await send({
      name: 'relay',
      path: `${api}/threads/${one}/relay`,
      body: { message: dice.text(dice.size(10, 1e5)) },
      leaveAfter: 3000,
    })
    if (dice.roll() < 0.3) await send({ name: 'erase', path: `${api}/threads/${one}/erase`, body: {} })
  },
  // Several who follow, and leave.
  async ({ dice, memory, send }) => {
    const one = encodeURIComponent(dice.pick(['none', ...memory.threads]))
    await Promise.all(
      Array.from({ length: dice.size(1, 60) }, () =>
        send({ name: 'follow', method: 'GET', path: `${api}/threads/${one}/stream`, leaveAfter: dice.size(50, 3000) }),
      ),
    )
  },
  async ({ dice, send }) => {
    await Promise.all(
      Array.from({ length: 3 }, () =>
        send({ name: 'list', method: 'GET', path: `${api}/threads?limit=${dice.pick([1, 100, 1000])}` }),
      ),
    )
    await send({
      name: 'search',
      method: 'GET',
      path: `${api}/search?limit=1000&query=${encodeURIComponent(dice.pick(['a', 'ok', dice.text(500), '中']))}`,
    })
  },
  // Experiments and runs.
  async ({ dice, memory, send }) => {
    const size = dice.size(1, 800)
    const definition = {
      name: 'x',
      participants: Object.fromEntries(
        Array.from({ length: Math.min(size, 120) }, (_, index) => [
          `p${index}`,
          { model: 'plain', system: dice.text(dice.size(1, 5000)) },
        ]),
      ),
      environment: Object.fromEntries(
        Array.from({ length: size }, (_, index) => [`v${index}`, dice.pick([1, dice.text(200), [1, 2, 3]])]),
      ),
      rounds: [{ play: dice.pick(['parallel', 'all', 'sequential']) }],
      limits: { rounds: dice.size(1, 30) },
    }
    const value = dice.pick([
      definition,
      `name: x\n${dice.text(dice.size(10, 1e6)).replaceAll(' ', ':\n')}`,
      JSON.stringify(definition),
    ])
    await send({ name: 'check', path: `${api}/experiments/check`, body: { definition: value } })
    const run = `r-${dice.word()}`
    const { status } = await send({
      name: 'run',
      path: `${api}/runs`,
      body: {
        run,
        definition: {
          ...definition,
          participants: Object.fromEntries(Object.entries(definition.participants).slice(0, 3)),
          rounds: [{ play: 'parallel' }],
        },
      },
    })
    if (status === 201) remember(memory.runs, run)
  },
  async ({ dice, memory, send }) => {
    const one = dice.pick(['none', ...memory.runs])
    const command = dice.pick(['pause', 'resume', 'stop', 'retry'])
    await send({ name: command, path: `${api}/runs/${one}/${command}` })
    await send({
      name: 'read run',
      method: 'GET',
      path: `${api}/runs/${one}${dice.pick(['', '/export', '/manifest', '/events'])}`,
      leaveAfter: 2000,
    })
    await send({
      name: 'runs',
      method: 'GET',
      path: dice.pick([`${api}/runs`, `${api}/runs/compare?left=${one}&right=${dice.pick(['none', ...memory.runs])}`]),
    })
    await send({ name: 'fork run', path: `${api}/runs/${one}/fork`, body: { round: 1 } })
  },
  // What a key of this scope may not do, and paths that there are not.
  async ({ dice, memory, send }) => {
    const one = encodeURIComponent(dice.pick(['none', ...memory.threads]))
    const path = dice.pick([
      `${api}/threads/${one}/export`,
      `${api}/threads/${one}/verify`,
      `${api}/threads/${one}/dump`,
      `${api}/keys`,
      '/metrics',
      '/api/../etc',
      '/%2e%2e/',
      `/${'x'.repeat(9000)}`,
      '/v1/models',
      '/api/tags',
      '/console',
      '/v1/files',
    ])
    await send({ name: 'elsewhere', method: dice.pick(['GET', 'GET', 'DELETE', 'PUT']), path })
    await send({
      name: 'import',
      path: `${api}/threads/${one}/import`,
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"kind":"user","text":"x"}\n'.repeat(dice.size(1, 1e5)),
    })
    await send({
      name: 'passed',
      path: '/v1/embeddings',
      body: { model: 'plain', input: dice.text(dice.size(10, 4e6)) },
    })
  },
  // Bodies that are no JSON, or nest, or hold many values.
  async ({ dice, send }) => {
    const path = dice.pick([
      '/v1/chat/completions',
      '/api/chat',
      '/v1/responses',
      `${api}/experiments/check`,
      `${api}/threads`,
    ])
    const size = dice.size(10, 4e6)
    const body = dice.pick([
      () => '['.repeat(size),
      () => `{"definition":[${'[],'.repeat(size / 3)}[]]}`,
      () => `{"messages":[${'{"role":"user"},'.repeat(size / 16)}{}]}`,
      () => `{${Array.from({ length: Math.min(size / 12, 1e5) }, (_, index) => `"k${index}":1`).join()}}`,
      () => dice.text(size),
      () => `{"model":"plain","input":${'1'.repeat(size)}}`,
    ])()
    await send({ name: 'odd body', path, body })
  },
  // Bodies that stop, and clients that leave in the middle of one.
  async ({ dice, send }) => {
    await Promise.all(
      Array.from({ length: dice.below(20) + 1 }, () => {
        const text = dice.text(dice.size(1e5, 4e6))
        return send({
          name: 'stopped body',
          path: dice.pick(['/v1/chat/completions', `${api}/experiments/check`]),
          body: { model: 'plain', messages: [{ role: 'user', content: text }] },
          stopAt: dice.below(text.length),
          leaveAfter: dice.size(10, 4000),
        })
      }),
    )
  },
  ({ dice, idle }) => idle(dice.size(1, 60), dice.size(10, 1000)),
]

/** How many attacks there are. */
export const kinds: number = attacks.length
