import { describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  tiered,
  type Message,
  type TokenCounter,
} from 'minutebook'
import { checkConformance, conformanceReport, invariants, type ContextFunction } from '@minutebook/conformance'

/** The default counter of the suite. */
const words: TokenCounter = {
  name: 'words',
  count: (text) => text.split(/\s+/).filter((word) => word !== '').length,
  overhead: 1,
}

const fitWith =
  (policy = defaultPolicy()): ContextFunction =>
  (messages, window) =>
    compile(messages, { window, reserve: 0, policy, counter: words }).messages

describe('our policies', () => {
  test.each([
    [defaultPolicy(), []],
    // They fill the window in every turn: see docs/comparison.md.
    [tiered(), ['reused']],
    [firstAndRecent(), ['reused']],
    [lastMessages(8), ['whole', 'grows', 'reused', 'said']],
  ] as const)('$name keeps all that it promises', async (policy, except) => {
    const results = await checkConformance(fitWith(policy), { except, runs: 15 })
    expect(results.filter(({ held }) => !held).map((result) => conformanceReport([result]))).toEqual([])
    expect(results.length).toBe(invariants.length - except.length)
  })
})

/** Drops the oldest messages until the rest fits. */
const slide: ContextFunction = (messages, window, count) => {
  let rest = messages
  while (rest.length > 1 && count(rest) > window) rest = rest.slice(1)
  return Promise.resolve(rest)
}

/** One message more than a prompt of ours has, or another one in its place. */
type Change = (prompt: Message[], messages: readonly Message[], window: number) => readonly Message[]

const spoilt =
  (change: Change, policy = defaultPolicy()): ContextFunction =>
  (messages, window, count) =>
    change([...(fitWith(policy)(messages, window, count) as Message[])], messages, window)

const textOf = (message: Message): string => (typeof message.content === 'string' ? message.content : '')
const withoutLast = (prompt: readonly Message[], role: string): Message[] => {
  const at = prompt.findLastIndex((message) => message.role === role)
  return at < 0 ? [...prompt] : prompt.toSpliced(at, 1)
}
let calls = 0

/** For each invariant a function that breaks it, and at least how small the failing input must become. */
const breakers: Readonly<Record<string, readonly [fit: ContextFunction, messages: number]>> = {
  'newest-user': [spoilt((prompt) => withoutLast(prompt, 'user')), 1],
  'system-kept': [
    spoilt((prompt) => prompt.map((each) => (each.role === 'system' ? { ...each, content: '…' } : each))),
    2,
  ],
  'system-first': [
    spoilt((prompt) => [...prompt.filter(isNoSystem), ...prompt.filter((each) => !isNoSystem(each))]),
    2,
  ],
  'task-kept': [spoilt((prompt) => (prompt.at(-1)?.role === 'tool' ? withoutLast(prompt, 'user') : prompt)), 3],
  'newest-result': [spoilt((prompt) => prompt.with(-1, { ...prompt.at(-1)!, content: '' })), 3],
  'tool-pairs': [spoilt((prompt) => withoutLast(prompt, 'tool')), 3],
  'open-calls': [(messages) => messages, 3],
  order: [spoilt((prompt) => (prompt.length > 2 ? [prompt.at(-1)!, ...prompt.slice(0, -1)] : prompt)), 3],
  once: [spoilt((prompt) => [...prompt, ...prompt.filter(({ role }) => role === 'user').slice(-1)]), 1],
  roles: [spoilt((prompt) => [{ role: 'system', content: `They ask: ${prompt.map(textOf).join(' ')}` }, ...prompt]), 1],
  arguments: [
    spoilt((prompt) => JSON.parse(JSON.stringify(prompt).replaceAll(/c(\d)-1\\"/g, String.raw`c$1-1…\"`)) as Message[]),
    3,
  ],
  fits: [(messages) => messages, 3],
  whole: [spoilt((prompt) => prompt.filter(({ role }, index) => role !== 'assistant' || index !== 1)), 3],
  unusual: [
    (messages, window, count) => {
      if (messages.length === 0) throw new Error('There are no messages.')
      return fitWith()(messages, window, count)
    },
    0,
  ],
  oversized: [
    (messages, window, count) => {
      if (messages.some((message) => count([message]) > window)) throw new Error('A message is too long.')
      return fitWith()(messages, window, count)
    },
    3,
  ],
  refused: [(messages, window, count) => (count(messages) > window ? [] : messages), 1],
  said: [spoilt((prompt) => prompt, lastMessages(1000)), 5],
  characters: [
    spoilt((prompt) => prompt.map((each) => ({ ...each, content: each.content && textOf(each).slice(0, 3) }))),
    1,
  ],
  repeatable: [spoilt((prompt) => [...prompt, { role: 'user', content: `Call ${++calls}` }]), 1],
  grows: [spoilt((prompt) => [{ role: 'user', content: `${prompt.length} messages` }, ...prompt]), 3],
  reused: [slide, 30],
  'input-kept': [
    (messages) => {
      messages.pop()
      return messages
    },
    1,
  ],
  ends: [
    (messages, window, count) => {
      while (count(messages) > window);
      return messages
    },
    3,
  ],
}

function isNoSystem({ role, content }: Message): boolean {
  return role !== 'system' || String(content).startsWith('[')
}

describe('each invariant', () => {
  test('has a function here that breaks it', () => {
    expect(Object.keys(breakers)).toEqual(invariants.map(({ id }) => id))
  })

  test.each(invariants)('$id is seen to be broken, with a small input', async ({ id }) => {
    const [fit, most] = breakers[id]!
    const [result] = await checkConformance(fit, { only: [id] })
    expect(result?.failure?.problem).toBeDefined()
    expect(result?.failure?.messages.length).toBeLessThanOrEqual(most)
  })

  test.each(invariants)('$id has a public issue as its reason', ({ reason }) => {
    expect(reason).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/)
  })
})

describe('a failing input', () => {
  test('is as small as it can be, and the same every time', async () => {
    const [one] = await checkConformance(slide, { only: ['tool-pairs'] })
    expect(one?.failure).toEqual({
      messages: [
        { role: 'user', content: 'q1' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1-1', type: 'function', function: { name: 'look_up', arguments: '{"about":"c1-1"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1-1', content: 'r1-1' },
      ],
      window: 1,
      tokens: 8,
      problem: 'The result of call_1-1 does not follow its call.',
      prompt: [{ role: 'tool', tool_call_id: 'call_1-1', content: 'r1-1' }],
    })
    expect(await checkConformance(slide, { only: ['tool-pairs'] })).toEqual([one])
    expect(conformanceReport([one!])).toContain('✗ tool-pairs')
  })

  test('is counted with the counter that is passed', async () => {
    const counter = (messages: readonly Message[]): number => messages.length * 10
    const [result] = await checkConformance(slide, { only: ['refused'], counter })
    expect(result?.failure).toMatchObject({ tokens: 10, window: 1, messages: [{ role: 'user', content: 'q1' }] })
  })

  test('says what was thrown, and what is no prompt', async () => {
    const [thrown] = await checkConformance(() => fail('out of order'), { only: ['whole'] })
    expect(thrown?.failure).toMatchObject({
      problem: 'It threw: out of order',
      messages: [{ role: 'user', content: 'q1' }],
    })
    const [none] = await checkConformance((() => 'hello') as unknown as ContextFunction, { only: ['fits'] })
    expect(none?.failure?.problem).toBe('It returned no list of messages, but string.')
    const [odd] = await checkConformance(() => [{ role: 'robot' }], { only: ['fits'] })
    expect(odd?.failure?.problem).toContain('It returned something that is not a message')
  })
})

function fail(problem: string): never {
  throw new Error(problem)
}
