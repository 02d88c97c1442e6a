import { memoryStore, type Message, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { createRelaying, said, threadsOf } from './support/relaying.ts'
import { stores } from './support/stores.ts'

const ask = (content: string): Message => ({ role: 'user', content })
const answer = (content: string, more: object = {}): Message => ({ role: 'assistant', content, ...more })

/** How a client sends a conversation again: what it adds, leaves out or changes. */
const clients: readonly (readonly [
  name: string,
  sent: (messages: readonly Message[], turn: number) => readonly Message[],
])[] = [
  ['that sends everything again', (messages) => messages],
  ['that sends the last 20 messages', (messages) => messages.slice(-20)],
  ['that sends the last 3 messages', (messages) => messages.slice(-3)],
  [
    'that drops the oldest 10 when there are more than 20',
    (messages) => messages.slice(Math.max(0, Math.ceil((messages.length - 20) / 10)) * 10),
  ],
  [
    'with the time in its system message',
    (messages, turn) => [{ role: 'system', content: `It is ${turn} o'clock.` }, ...messages],
  ],
  [
    'that strips thinking',
    (messages) =>
      messages.map(({ role, content }) => ({ role, content: String(content).replace('<think>hm</think>', '') })),
  ],
  [
    'that sends its text as parts',
    (messages) =>
      messages.map(({ content, ...message }) => ({ ...message, content: [{ type: 'text', text: content }] })),
  ],
]

async function converse(
  store: Store,
  turns: number,
  sent: (messages: readonly Message[], turn: number) => readonly Message[],
): Promise<Set<string>> {
  const relay = createRelaying(store)
  const history: Message[] = []
  const threads = new Set<string>()
  for (let turn = 0; turn < turns; turn++) {
    history.push(ask(`question ${turn % 7}`))
    const next = answer(`<think>hm</think>answer ${turn}`, { thinking: 'hm' })
    threads.add((await relay({ messages: sent(history, turn), answer: next, now: turn * 3_600_000 })).thread)
    history.push(next)
  }
  return threads
}

describe.each(stores)('%s', (_, open) => {
  test.each(clients)('a client %s has one thread, with each question once', async (_name, sent) => {
    const store = open()
    const [thread = '', ...more] = await converse(store, 40, sent)
    expect(more).toEqual([])
    expect(await said(store, thread, 'user')).toHaveLength(40)
  })

  test('100 turns of a client that sends everything again are 100 questions and 100 answers', async () => {
    const store = open()
    const [thread = ''] = await converse(store, 100, (messages) => messages)
    expect(await said(store, thread, 'user')).toHaveLength(100)
    expect(await said(store, thread, 'assistant')).toHaveLength(100)
    expect(await threadsOf(store)).toEqual([thread])
  })

  test('two keys that say the same never meet', async () => {
    const relay = createRelaying(open())
    const history: Message[] = []
    const threads = new Map<string, Set<string>>([
      ['ada', new Set()],
      ['bob', new Set()],
      ['', new Set()],
    ])
    for (let turn = 0; turn < 30; turn++) {
      history.push(ask('go on'))
      for (const [owner, own] of threads)
        own.add(
          (
            await relay({
              owner,
              messages: history.slice(-9),
              answer: answer('ok'),
              retry: turn % 5 === 0,
              id: String(turn),
            })
          ).thread,
        )
      history.push(answer('ok'))
    }
    expect([...threads.values()].map((own) => own.size)).toEqual([1, 1, 1])
    expect(new Set([...threads.values()].flatMap((own) => [...own])).size).toBe(3)
  })
})

describe('in the log', () => {
  const first = [ask('hi'), answer('Hello!')]

  test('an edited question stands beside the one it was', async () => {
    const store = memoryStore()
    const relay = createRelaying(store)
    await relay({ messages: first.slice(0, 1), answer: first[1]! })
    await relay({ messages: [...first, ask('a')], answer: answer('b') })
    const { thread } = await relay({ messages: [...first, ask('c')], answer: answer('d') })
    const [, a, c] = await said(store, thread, 'user')
    expect([a?.text, c?.text, c?.parent]).toEqual(['a', 'c', a?.parent])
  })

  test.each([
    ['asked again', false],
    ['tried again', true],
  ])('what is %s is on record once, with both answers', async (_, retry) => {
    const store = memoryStore()
    const relay = createRelaying(store)
    await relay({ messages: first.slice(0, 1), answer: first[1]! })
    await relay({ messages: [...first, ask('a')], answer: answer('b') })
    const { thread } = await relay({ messages: [...first, ask('a')], answer: answer('c'), retry })
    const [, a, ...more] = await said(store, thread, 'user')
    expect(more).toEqual([])
    expect(
      (await said(store, thread, 'assistant')).filter(({ parent }) => parent === a?.id).map(({ text }) => text),
    ).toEqual(['b', 'c'])
  })

  test('a first question that is tried again is on record once', async () => {
    const store = memoryStore()
    const relay = createRelaying(store)
    const messages = first.slice(0, 1)
    await relay({ messages })
    const { thread } = await relay({ messages, answer: first[1]!, retry: true })
    expect(await said(store, thread, 'user')).toHaveLength(1)
    expect(await threadsOf(store)).toEqual([thread])
  })
})
