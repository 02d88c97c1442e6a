import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrated, memoryStore, type Message, type Thread } from 'minutebook'
import { cacheUsage, createCacheMeter, type CacheCause, type CacheMeter, type CacheUsage } from '@minutebook/inspect'
import type { KeptReceipt } from 'minutebook/inspect'
import { tokensRead } from 'minutebook/wire'
import { words } from '@minutebook/testing'
import { namedModel, relayBook, said } from '../../../tests/support/relays.ts'
import { cases } from '../../../tests/support/runs.ts'

// Random sessions of a client with a server that has one slot. One call of a session is disturbed in one of the twelve
// ways in which caches miss. The server tells what it reused in half of the sessions. The gateway calibrates its counter
// in between, as it does while it learns from a server. Whoever reads the record later has only the plain counter.

interface Asked {
  readonly model: string
  readonly tools: readonly Tool[]
  readonly messages: readonly Message[]
  readonly promptOptions: Readonly<Record<string, string>>
  readonly between?: 'title' | 'thread'
}

type Tool = ReturnType<typeof tool>

function tool(
  name: string,
  description: string,
): {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object }
} {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties: {} } } }
}

const word = fc.constantFrom(
  ...'harbour lamp river stone garden winter letter engine quiet signal copper field'.split(' '),
)
const sentence = fc.array(word, { minLength: 4, maxLength: 20 }).map((list) => list.join(' '))
const exchange = fc.record({ question: sentence, answer: sentence, result: fc.option(sentence), image: fc.boolean() })

const session = fc.record({
  system: fc.array(sentence, { minLength: 2, maxLength: 6 }),
  tools: fc
    .uniqueArray(word, { minLength: 2, maxLength: 5 })
    .map((names) => names.map((name) => tool(name, `the ${name}`))),
  exchanges: fc.array(exchange, { minLength: 4, maxLength: 9 }),
  /** Where in the session it happens, and where in the prompt: shares of what there is. */
  when: fc.double({ min: 0, max: 0.999, noNaN: true }),
  where: fc.double({ min: 0, max: 0.999, noNaN: true }),
  says: fc.boolean(),
  /** What the gateway takes a word for, call by call. */
  factors: fc.array(fc.constantFrom(0.6, 0.9, 1, 1.4), { minLength: 1, maxLength: 2 }),
})
type Session = typeof session extends fc.Arbitrary<infer T> ? T : never

/** A session that is sure to need compaction. */
const tooLong: Session = {
  system: ['quiet harbour'],
  tools: [],
  exchanges: Array.from({ length: 9 }, () => {
    const text = 'the lamp in the winter garden '.repeat(4)
    return { question: text, answer: text, result: null, image: false }
  }),
  when: 0,
  where: 0,
  says: false,
  factors: [1],
}

/** The requests of a client that re-sends its whole history, and runs the tools that the model calls. */
function requestsOf({ system, tools, exchanges }: Session): Asked[] {
  const messages: Message[] = [{ role: 'system', content: system.join('\n') }]
  const asked = (): Asked => ({ model: 'm', tools, messages: [...messages], promptOptions: { num_ctx: '8192' } })
  return exchanges.flatMap(({ question, answer, result, image }, index) => {
    const requests: Asked[] = []
    const url = `data:image/png;base64,first${index}`
    const text = `${question} ${index}`
    messages.push({
      role: 'user',
      content:
        image || index === 0
          ? [
              { type: 'text', text },
              { type: 'image_url', image_url: { url } },
            ]
          : text,
    })
    requests.push(asked())
    if (result !== null) {
      const id = `call-${index}`
      const called = { name: tools[0]!.function.name, arguments: '{}' }
      messages.push({ role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: called }] })
      messages.push({ role: 'tool', tool_call_id: id, content: result })
      requests.push(asked())
    }
    messages.push({ role: 'assistant', content: `${answer} ${index}` })
    return requests
  })
}

/** Each way to disturb a request, and all that come after it. `place`: a message that is neither first nor last. */
const disturbances: Readonly<Record<string, readonly [CacheCause, (asked: Asked, place: number) => Asked]>> = {
  'a volatile system text': ['system', (asked) => withMessage(asked, 0, (text) => `${text}\nToday is Tuesday.`)],
  'a volatile line in the middle of it': [
    'system',
    (asked) => withMessage(asked, 0, (text) => text.replace('\n', '\nIt is 12:31.\n')),
  ],
  'another order of tools': ['tool_order', (asked) => ({ ...asked, tools: asked.tools.toReversed() })],
  'another text of a tool': [
    'tool_text',
    (asked, place) => {
      const { name } = asked.tools[place % asked.tools.length]!.function
      return { ...asked, tools: asked.tools.with(place % asked.tools.length, tool(name, `the ${name}, 3 left`)) }
    },
  ],
  'a tool more': ['tool_set', (asked) => ({ ...asked, tools: [...asked.tools, tool('added', 'a new one')] })],
  'a tool less': ['tool_set', (asked) => ({ ...asked, tools: asked.tools.slice(1) })],
  'a summary by the client': [
    'client_compaction',
    (asked) => ({
      ...asked,
      messages: [asked.messages[0]!, { role: 'user', content: 'Summary: all went well.' }, ...asked.messages.slice(4)],
    }),
  ],
  'older messages that the client drops': [
    'client_compaction',
    (asked) => ({ ...asked, messages: [asked.messages[0]!, ...asked.messages.slice(3)] }),
  ],
  'another model': ['model', (asked) => ({ ...asked, model: 'other' })],
  'another option': ['option', (asked) => ({ ...asked, promptOptions: { num_ctx: '4096' } })],
  'an option that is new': [
    'option',
    (asked) => ({ ...asked, promptOptions: { ...asked.promptOptions, reasoning_effort: '"high"' } }),
  ],
  'an image that is encoded again': [
    'image',
    (asked) => ({ ...asked, messages: asked.messages.with(1, encodedAgain(asked.messages[1]!)) }),
  ],
  'an earlier message that was edited': [
    'edit',
    (asked, place) => withMessage(asked, place, (text) => `${text} or not`),
  ],
  'a title request in between': ['title', (asked) => ({ ...asked, between: 'title' })],
  'another thread in between': ['thread', (asked) => ({ ...asked, between: 'thread' })],
}

function withMessage(asked: Asked, at: number, change: (text: string) => string): Asked {
  const message = asked.messages[at]!
  const content =
    typeof message.content === 'string'
      ? change(message.content)
      : (message.content as { text?: string }[]).map((part) =>
          part.text === undefined ? part : { ...part, text: change(part.text) },
        )
  return { ...asked, messages: asked.messages.with(at, { ...message, content }) }
}

function encodedAgain(message: Message): Message {
  return JSON.parse(JSON.stringify(message).replace('base64,first', 'base64,again')) as Message
}

/** A server with one slot: it reuses the words with which its last prompt and this one begin. */
function createServer(): (asked: Asked) => { readonly prompt: number; readonly cached: number } {
  let slot: readonly string[] = []
  return ({ model, tools, messages, promptOptions, between }) => {
    if (between) slot = ['another', 'prompt']
    const text = [
      JSON.stringify([model, promptOptions]),
      ...[...tools, ...messages].map((item) => JSON.stringify(item)),
    ].join(' ')
    const read = text.split(' ')
    const other = read.findIndex((part, index) => part !== slot[index])
    slot = read
    return { prompt: read.length, cached: other < 0 ? read.length : other }
  }
}

/** Relays all requests, and returns the cache use of each: as it is known at once, and from the receipts. */
async function played(
  requests: readonly Asked[],
  { says, factors }: Pick<Session, 'says' | 'factors'>,
): Promise<readonly CacheUsage[]> {
  const store = memoryStore()
  const threads = new Map<string, { readonly thread: Thread; readonly cacheOf: CacheMeter }>()
  const threadFor = (model: string, factor: number): { readonly thread: Thread; readonly cacheOf: CacheMeter } => {
    const counter = calibrated(words, [{ predicted: 1000, reported: 1000 * factor }])
    const open = (): Thread =>
      relayBook({ model: namedModel('openai', model), window: 1e6, counter }, store).thread('t')
    const known = threads.get(`${model} ${factor}`) ?? { thread: open(), cacheOf: createCacheMeter({ counter }) }
    threads.set(`${model} ${factor}`, known)
    return known
  }
  const ask = createServer()
  const atOnce: CacheUsage[] = []
  const receipts: KeptReceipt[] = []
  for (const [index, asked] of requests.entries()) {
    const { tools, promptOptions, between } = asked
    const { thread, cacheOf } = threadFor(asked.model, factors[index % factors.length]!)
    const relay = await thread.relay(asked.messages, {
      tools,
      promptOptions,
      answeredMeanwhile: between,
      trusted: true,
    })
    const found = await cacheOf(relay)
    expect(found?.().total).toBe(relay.prediction.predicted)
    const { prompt, cached } = ask(asked)
    const { receipt } = await relay.answer(said('yes', { usage: { prompt, ...(says && { cached, seconds: 1 }) } }))
    atOnce.push(found!(receipt.tokens.reported))
    receipts.push(receipt)
  }
  const uses = await cacheUsage(await store.read('t'), { counter: words })
  expect(uses).toMatchObject(atOnce)
  expect(uses.map(({ cause }) => cause)).toEqual(atOnce.map(({ cause }) => cause))
  checkFigures(uses, receipts)
  return uses
}

/** All figures of a call are in the tokens of its receipt, and parts are never larger than the whole. */
function checkFigures(uses: readonly CacheUsage[], receipts: readonly KeptReceipt[]): void {
  expect(uses.length).toBe(receipts.length)
  for (const [index, { total, previous, kept, lost }] of uses.entries()) {
    const { predicted, reported } = receipts[index]!.tokens
    expect(total).toBe(tokensRead(reported) ?? predicted)
    if (reported.cached !== undefined) expect(kept).toBe(Math.min(reported.cached, previous))
    expect(Math.min(kept, lost)).toBeGreaterThanOrEqual(0)
    expect(kept + lost).toBeLessThanOrEqual(Math.min(total, previous))
    expect(previous).toBeLessThanOrEqual(uses[index - 1]?.total ?? 0)
  }
}

/** At least a hundred sessions of each kind at the desk, and new ones in each run of CI: there fewer are enough. */
const sessions = { numRuns: cases('long') }

describe('the cause of a cache miss', () => {
  test.each(Object.entries(disturbances))('%s', async (_, [cause, disturb]) => {
    await fc.assert(
      fc.asyncProperty(session, async (drawn) => {
        const requests = requestsOf(drawn)
        const long = requests.findIndex(({ messages }) => messages.length > 6)
        const at = long + Math.floor(drawn.when * (requests.length - long))
        const place = 1 + Math.floor(drawn.where * (requests[at - 1]!.messages.length - 2))
        const once = cause === 'title' || cause === 'thread'
        const disturbed = requests.map((asked, index) =>
          index === at || (index > at && !once) ? disturb(asked, place) : asked,
        )
        const needsServer = once && !drawn.says
        const uses = await played(disturbed, drawn)
        expect(uses.map((use) => use.cause)).toEqual(
          requests.map((_, index) => (index === at && !needsServer ? cause : undefined)),
        )
        const { lost, why, seconds } = uses[at]!
        if (!needsServer) expect([lost > 0, why !== undefined, seconds !== undefined]).toEqual([true, true, drawn.says])
      }),
      sessions,
    )
  })

  test.each([2, 3, 4])('a client that keeps only its %i newest messages', async (kept) => {
    const worded = (about: string): string => `${about}: ${'the same words '.repeat(40)}`
    const all = Array.from({ length: 12 }, (_, index): Message => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: worded(`message ${index}`),
    }))
    const requests = [1, 3, 5, 7].map((length): Asked => ({
      model: 'm',
      tools: [],
      messages: [{ role: 'system', content: 'Be brief.' }, ...all.slice(0, length).slice(-kept)],
      promptOptions: {},
    }))
    const uses = await played(requests, { says: false, factors: [1] })
    const dropped = 'client_compaction'
    expect(uses.map(({ cause }) => cause)).toEqual([undefined, undefined, dropped, dropped])
  })

  test('our own compaction', async () => {
    let named = 0
    await fc.assert(
      fc.asyncProperty(session, async (drawn) => {
        const requests = requestsOf(drawn)
        const store = memoryStore()
        const thread = relayBook({ window: 260, reserve: 20 }, store).thread('t')
        const receipts: KeptReceipt[] = []
        for (const { messages } of requests) {
          const relay = await thread.relay(messages, { trusted: true })
          const { receipt } = await relay.answer(said('yes'))
          receipts.push(receipt)
        }
        const uses = await cacheUsage(await store.read('t'), { counter: words })
        checkFigures(uses, receipts)
        for (const [index, { cause, lost, difference }] of uses.entries()) {
          expect([undefined, 'own_compaction']).toContain(cause)
          expect(cause === undefined).toBe(lost === 0)
          if (cause) named++
          const [now, before] = [receipts[index]!, receipts[index - 1]]
          if (difference && before && (now.mode !== before.mode || now.epoch !== before.epoch))
            expect(cause ?? lost).toBe(lost === 0 ? 0 : 'own_compaction')
        }
      }),
      { ...sessions, examples: [[tooLong]] },
    )
    expect(named).toBeGreaterThan(0)
  })

  test('none, if nothing is disturbed', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (drawn) => {
        const uses = await played(requestsOf(drawn), drawn)
        for (const { cause, lost, difference } of uses)
          expect([cause, lost, difference]).toEqual([undefined, 0, undefined])
      }),
      sessions,
    )
  })
})
