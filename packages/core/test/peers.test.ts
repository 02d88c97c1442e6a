import { describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  MinutebookError,
  tiered,
  type CompileResult,
  type Message,
  type Policy,
} from 'minutebook'
import { advance, createFold } from 'minutebook/fold'
import { verdicts } from 'minutebook/compile'
import { assistant, call, findIllegal, result, system, user, words } from '@minutebook/testing'
import { refusal } from '../../../tests/support/refusal.ts'
import { times } from './support/times.ts'

/** What others do, measured or read in their sources (reference/peers.md, pains.md), and what we do in its place. */

const rules = system('Always answer in French.')
const chat = (exchanges: number): Message[] =>
  Array.from({ length: exchanges }, (_, index) => [user(`question ${index}`), assistant(times(20, 'answer'))]).flat()
const text = ({ messages }: CompileResult): string => messages.map(({ content }) => String(content)).join('\n')

const policies: [string, Policy][] = [
  ['the default', defaultPolicy()],
  ['eager recall', defaultPolicy({ recall: 'eager' })],
  ['lastMessages', lastMessages(4)],
  ['tiered', tiered({ verbatim: 1 })],
  ['firstAndRecent', firstAndRecent()],
]

describe.each(policies)('%s', (_, policy) => {
  const send = (messages: Message[], window: number): CompileResult =>
    compile(messages, { window, counter: words, policy })

  test('Mastra drops a latest question that is too long: we clip it, and say so', () => {
    const { messages } = send([rules, ...chat(5), user(`Please translate ${times(900)} thank you`)], 150)
    expect(messages.at(-1)?.role).toBe('user')
    expect(messages.at(-1)?.content).toMatch(
      /^Please translate [^]*\[… \d+ tokens left out of entry #11 [0-9a-f]{8} …\][^]* thank you$/,
    )
  })

  test('LangChain returns [undefined] for it: we have no undefined anywhere', () => {
    for (const window of [60, 100, 150, 400]) {
      const { messages } = send([rules, ...chat(5), user(times(900))], window)
      expect(messages.length).toBeGreaterThan(1)
      for (const message of messages)
        for (const value of [message, ...Object.values(message)]) expect(value).toBeDefined()
      expect(JSON.parse(JSON.stringify(messages))).toEqual(messages)
    }
  })

  test('LangChain and the OpenAI agents leave a tool message without its call: we never do', () => {
    const loop = Array.from({ length: 8 }, (__, index) => [
      user(`look ${index}`),
      assistant('', call('1', 'look'), call('2', 'look')),
      result('2', times(9)),
      result('1', times(9)),
      assistant('done'),
    ])
    for (let end = 1; end < 40; end++) {
      for (const window of [50, 90, 150, 300])
        expect(findIllegal(send(loop.flat().slice(0, end), window).messages)).toBeUndefined()
    }
  })

  test('Ollama cuts the system prompt away: ours is in every prompt, first and whole', () => {
    for (const window of [60, 100, 200, 1000])
      expect(send([rules, ...chat(30), user('Et maintenant ?')], window).messages[0]).toBe(rules)
  })

  test('others lose the question in a long tool loop: ours stays, and so does the newest result', () => {
    const loop = Array.from({ length: 30 }, (__, index) => [
      assistant('', call('1', 'look')),
      result('1', `result ${index} ${times(15)}`),
    ]).flat()
    for (const window of [60, 100, 200]) {
      const compiled = send([rules, ...chat(3), user('Where is the leak?'), ...loop], window)
      expect(compiled.messages).toContainEqual(user('Where is the leak?'))
      expect(compiled.messages.at(-1)?.content).toContain('result 29')
    }
  })

  test("Mastra loses the current run's tool result: ours is there, clipped at most", () => {
    const log = [
      rules,
      ...chat(5),
      user('Read the file.'),
      assistant('', call('1', 'read')),
      result('1', `first ${times(5000)} last`),
    ]
    const { messages, plan, tokens } = send(log, 120)
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: '1' })
    expect(messages.at(-1)?.content).toMatch(/^first [^]* last$/)
    expect([...verdicts(plan, log)].at(-1)?.verdict).toBe('clipped')
    expect(tokens).toBeLessThanOrEqual(120)
  })

  test('opencode and kilocode compact in a loop: one pass, and one error where the floor is above the budget', () => {
    let refused = 0
    let fitted = 0
    for (const floor of [
      [1, 1],
      [1, 60],
      [30, 30],
      [60, 1],
      [200, 200],
    ] as const) {
      const log = [system(times(floor[0])), ...chat(3), user(times(floor[1]))]
      let fits = false
      for (let window = 0; window < 300; window += 7) {
        let counted = 0
        const counter = { ...words, count: (each: string) => words.count((counted++, each)) }
        try {
          expect(compile(log, { window, counter, policy }).tokens).toBeLessThanOrEqual(window)
          fits = true
          fitted++
        } catch (error) {
          if (!MinutebookError.isInstance(error)) throw error
          expect(error.code).toBe('window_overflow')
          expect(error.message).toContain('system #0')
          expect(error.message).toMatch(/user #7: \d+/)
          expect(fits, 'a larger window than one that was enough').toBe(false)
          refused++
        }
        expect(counted).toBeLessThan(300)
      }
    }
    expect(refused).toBeGreaterThan(20)
    expect(fitted).toBeGreaterThan(20)
  })

  test('compaction is a one-way door: another policy, or a larger window, brings everything back', () => {
    const log = [rules, ...chat(20), user('And now?')]
    const fold = log.reduce<ReturnType<typeof createFold>>(advance, createFold({ window: 100, counter: words, policy }))
    expect(compile(fold).messages.length).toBeLessThan(log.length)
    expect(compile(fold, { window: 10_000, policy: firstAndRecent() }).messages).toEqual(log)
    expect(compile(fold).messages).toEqual(compile(log, { window: 100, counter: words, policy }).messages)
  })
})

test('Zed, Anthropic, opencode and pi need 20k tokens or more: every preset works in 4,096', () => {
  const log = [rules, ...chat(300), user('question 3?')]
  for (const [, policy] of policies) {
    const compiled = compile(log, { window: 4096, reserve: 512, policy })
    expect(compiled.tokens).toBeLessThanOrEqual(4096 - 512)
    expect(text(compiled)).toContain('question 299')
  }
})

test('LangChain summarises after it has dropped: the default pins the first message and outlines or recalls the decisions', () => {
  const decisions = ['the port is 8443', 'the database is Postgres', 'the colour is teal'].flatMap((what) => [
    user(`We decide: ${what}.`),
    assistant('Noted.'),
    ...chat(6),
  ])
  const log = [
    user('Build the harbour website.'),
    assistant('Gladly.'),
    ...decisions,
    user('Which port, which database and which colour did we decide on?'),
  ]
  const said = text(compile(log, { window: 400, counter: words, policy: defaultPolicy() }))
  for (const fact of ['Build the harbour website.', '8443', 'Postgres', 'teal']) expect(said).toContain(fact)
})

test('Open WebUI and crush fail on one oversized message for good: the next turn goes on as if nothing had been', () => {
  const log = [
    rules,
    user('Read it.'),
    assistant('', call('1', 'read')),
    result('1', times(500_000)),
    assistant('It is long.'),
    user('What else?'),
  ]
  const { messages } = compile(log, { window: 200, counter: words })
  expect(messages.at(-1)).toBe(log.at(-1))
  expect(findIllegal(messages)).toBeUndefined()
})

test('a chars/4 count sees no tool schemas: ours pays for them, and refuses where they alone are too large', () => {
  const tools = [{ type: 'function', function: { name: 'look', description: times(90) } }]
  expect(compile([user('hi')], { window: 120, counter: words, tools }).tokens).toBeGreaterThan(90)
  expect(refusal(() => compile([user('hi')], { window: 80, counter: words, tools })).message).toMatch(/9\d for tools/)
})
