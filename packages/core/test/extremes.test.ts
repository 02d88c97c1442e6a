import { describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  dump,
  estimator,
  explain,
  firstAndRecent,
  lastMessages,
  tiered,
  type CompileResult,
  type CompileOptions,
  type Message,
  type Policy,
} from 'minutebook'
import { advance, createFold, type Fold } from 'minutebook/fold'
import { verdicts } from 'minutebook/compile'
import { entryOf } from 'minutebook/store'
import { assistant, call, findIllegal, result, system, user, words } from '@minutebook/testing'
import { refusal } from '../../../tests/support/refusal.ts'
import { proves } from '../../../tests/support/runs.ts'
import { canBeDoneIn } from '../../../tests/support/stopwatch.ts'

const policies: Policy[] = [
  defaultPolicy(),
  defaultPolicy({ recall: 'eager' }),
  tiered(),
  firstAndRecent(),
  lastMessages(20),
]

/** Compiles under every policy, and checks what must hold for any prompt. */
function send(messages: Message[], options: CompileOptions): CompileResult[] {
  return policies.map((policy) => {
    const compiled = compile(messages, { counter: words, ...options, policy })
    expect(findIllegal(compiled.messages, options.profile)).toBeUndefined()
    expect(compiled.tokens).toBeLessThanOrEqual(options.window)
    expect([...verdicts(compiled.plan, messages)]).toHaveLength(messages.length)
    expect(explain(compiled.plan)).toContain(`of ${options.window.toLocaleString('en')} tokens`)
    expect(dump(compiled)).not.toContain('\u202e')
    return compiled
  })
}

describe('10 MB in a window of 4,096', () => {
  const huge: [string, string][] = [
    ['one word', 'x'.repeat(10_000_000)],
    ['words', 'lorem ipsum '.repeat(830_000)],
    ['blanks', ' '.repeat(10_000_000)],
    ['JSON', JSON.stringify(Array.from({ length: 250_000 }, (_, id) => ({ id, name: `name ${id}` })))],
    ['Chinese', '港口的灯'.repeat(850_000)],
    ['emoji', '😀'.repeat(2_500_000)],
    ['lines in brackets', '[x]\n'.repeat(2_500_000)],
    ['special tokens', '<|endoftext|>'.repeat(770_000)],
  ]

  test.each(huge)('a result of %s gives a valid prompt, quickly', (_, text) => {
    const log = [system('Be brief.'), user('Read it.'), assistant('', call('1', 'read')), result('1', text)]
    const read = (): void => {
      const { messages, tokens } = compile(log, { window: 4096 })
      expect(findIllegal(messages)).toBeUndefined()
      expect(tokens).toBeLessThanOrEqual(4096 - 512)
      expect(messages.reduce((sum, message) => sum + estimator.count(entryOf(message).text), 0)).toBeLessThanOrEqual(
        tokens,
      )
      expect(messages.at(-1)?.content).toMatch(/tokens left out of entry #3/)
    }
    expect(canBeDoneIn(10_000, read)).toBe(true)
  })

  test.each<[string, (text: string) => Message[]]>([
    ['a question', (text) => [user(text)]],
    [
      'an older result',
      (text) => [
        user('Read it.'),
        assistant('', call('1', 'read')),
        result('1', text),
        assistant('Long.'),
        user('And lorem?'),
      ],
    ],
    [
      'older arguments',
      (text) => [
        user('Write it.'),
        assistant('', call('1', 'write', { text })),
        result('1', 'ok'),
        assistant('Done.'),
        user('And lorem?'),
      ],
    ],
    ['an older answer', (text) => [user('Tell me.'), assistant(text), user('And lorem?')]],
  ])('as %s', (_, log) => {
    const [, text] = huge[1]!
    expect(
      canBeDoneIn(10_000, () => expect(compile(log(text), { window: 4096 }).tokens).toBeLessThanOrEqual(3584)),
    ).toBe(true)
  })
})

describe('a long log', () => {
  const entries = proves ? 1_000_000 : 30_000

  test(`of ${entries} entries compiles, and the next prompt costs no more than for a short one`, () => {
    const cheap = { name: 'cheap', count: (text: string) => Math.ceil(text.length / 4), overhead: 4 }
    let fold: Fold = createFold({ window: 4096, counter: cheap })
    for (let index = 0; index < entries / 2; index++) {
      fold = advance(fold, user(`question ${index} about room r${index % 5000}`))
      fold = advance(fold, assistant(`the key of room r${index % 5000} is k${index}`))
    }
    fold = advance(fold, user('where is the key of room r17?'))
    compile(fold)
    expect(canBeDoneIn(1000, () => compile(fold))).toBe(true)
    const { messages, tokens, plan } = compile(fold)
    expect(tokens).toBeLessThanOrEqual(4096)
    expect(messages.length).toBeLessThan(600)
    expect(plan.spans.length).toBeLessThan(1000)
    expect(plan.entries).toBe(entries + 1)
    expect(messages[0]?.content).toBe('question 0 about room r0')
    expect(JSON.stringify(messages)).toMatch(/#\d+ assistant> the key of room r17 is k/)
    expect(explain(plan).split('\n').length).toBeLessThan(300)
  })
})

describe('odd text', () => {
  const odd = [
    '\ud800',
    '\udc00x\ud83d',
    '__proto__',
    'constructor',
    '<|endoftext|><|im_start|>system',
    '\u0000\u001b[31m',
    '\u202e',
    '',
    '{messages}',
    '$& $1',
    '--- SYSTEM ---',
  ]

  test.each(odd.map((text) => [JSON.stringify(text), text]))('%s wherever it can stand', (_, text) => {
    const odd = JSON.parse(`{${JSON.stringify(text)}: {${JSON.stringify(text)}: ${JSON.stringify(text)}}}`) as unknown
    const log: Message[] = [
      system(text),
      user(text),
      assistant(text, call(text, text, odd), call('2', text)),
      { ...result(text, text), name: text } as Message,
      {
        role: 'assistant',
        content: text,
        tool_calls: [{ function: { name: text, arguments: odd } }],
        thinking: text,
      } as Message,
      { role: 'tool', content: text, tool_name: text },
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: text, [text]: odd },
        ],
        [text]: odd,
      } as Message,
      { role: 'tool', content: text, tool_call_id: 'nobody', name: text } as Message,
      assistant(text),
      user(text),
    ]
    for (const window of [30, 60, 1000]) {
      for (const [index, { messages }] of send(log, { window }).entries()) {
        if (window === 1000 && policies[index]?.system !== 'once')
          expect(messages.filter((message) => log.includes(message)).length).toBeGreaterThan(7)
        expect(JSON.parse(JSON.stringify(messages))).toEqual(messages)
      }
    }
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)[text]).not.toEqual(odd)
  })
})

describe('odd conversations', () => {
  const calls = Array.from({ length: 500 }, (_, index) => call(`c${index}`, 'look', { index }))
  const parallel = [
    user('Look everywhere.'),
    assistant('', ...calls),
    ...calls.map(({ id }) => result(id, 'nothing here at all '.repeat(5))).toReversed(),
  ]
  const deepText = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`

  test.each<[string, Message[], number[]]>([
    ['no entries', [], [0, 1, 100]],
    ['only system entries', [system('a'), system('b'), system('a')], [3, 100]],
    ['only an empty question', [user('')], [0, 100]],
    ['only an assistant', [assistant('hello')], [1, 100]],
    ['only a call', [assistant('', call('1', 'f'))], [20, 100]],
    ['only a result', [result('1', 'r')], [20, 100]],
    ['only results', [result('1', 'r'), result('2', 's'), result('1', 't')], [60, 100]],
    ['a thousand users in a row', Array.from({ length: 1000 }, (_, index) => user(`question ${index}`)), [50, 500]],
    [
      'a thousand assistants in a row',
      Array.from({ length: 1000 }, (_, index) => assistant(`answer ${index}`)),
      [50, 500],
    ],
    [
      'a thousand late system entries',
      Array.from({ length: 1000 }, (_, index) => (index % 2 ? system('rule') : user('q'))),
      [1100, 2000],
    ],
    ['a thousand calls without results', Array.from({ length: 1000 }, () => assistant('', call('1', 'f'))), [60, 500]],
    ['500 parallel calls', parallel, [8000, 20_000]],
    [
      'arguments nested 100,000 levels deep, as text',
      [
        user('q'),
        assistant('', { ...call('1', 'f'), function: { name: 'f', arguments: deepText } }),
        result('1', 'r'),
        user('next'),
      ],
      [40, 500],
    ],
    [
      'a name of 10,000 characters',
      [user('q'), assistant('', call('1', 'f'.repeat(10_000))), result('1', 'r'), user('next')],
      [40, 500],
    ],
  ])('%s', (_, messages, windows) => {
    for (const window of windows) send(messages, { window })
  })

  test.each([
    { noTools: true },
    { oneCallAtATime: true },
    { normalized: true, nineCharacterIds: true },
    { mustAlternate: true, noSystem: true },
  ])('500 parallel calls under %j', (profile) => {
    expect(canBeDoneIn(10_000, () => send(parallel, { window: 40_000, profile }))).toBe(true)
  })

  test.each([[0], [1], [2]])('a window of %i refuses what it cannot hold, and names it', (window) => {
    for (const policy of policies) {
      const error = refusal(() =>
        compile([system('Be brief.'), user('Hello there.')], { window, counter: words, policy }),
      )
      expect(error.code).toBe('window_overflow')
      expect(error.message).toContain('user #1: 2')
    }
  })

  test.each<[string, Partial<CompileOptions>, string]>([
    ['a window that is no number', { window: NaN }, 'invalid_window'],
    ['no window', { window: undefined as unknown as number }, 'invalid_window'],
    ['a negative window', { window: -1 }, 'invalid_window'],
    ['an endless window', { window: Infinity }, 'invalid_window'],
    ['a negative reserve', { reserve: -1 }, 'invalid_reserve'],
    ['a reserve above the window', { window: 10, reserve: 20 }, 'window_overflow'],
    ['a counter that counts less than nothing', { counter: { ...words, count: () => -1 } }, 'counter_broken'],
  ])('%s is refused', (_, options, code) => {
    expect(refusal(() => compile([user('hi')], { window: 100, counter: words, ...options })).code).toBe(code)
  })
})

describe('a policy of nothing', () => {
  const none: Policy = {
    ...defaultPolicy(),
    name: 'nothing',
    firstUser: { share: 0 },
    verbatim: { exchanges: 0, messages: 0 },
    outline: { share: 0, line: 0 },
    recall: { reserve: 0, largest: 0, statement: 0, ofBest: 0, ofWeight: 0, leastWeight: 0, reads: 4096 },
    epochs: null,
  }
  const log = [
    system('Be brief.'),
    ...Array.from({ length: 20 }, (_, index) => [user(`question ${index}`), assistant('word '.repeat(10))]).flat(),
    user('And now?'),
  ]

  test('still sends the floor', () => {
    const { messages, tokens } = compile(log, { window: 60, counter: words, policy: none })
    expect(messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'question 0',
      '[39 messages left out here to fit the window.]',
      'And now?',
    ])
    expect(tokens).toBeLessThanOrEqual(60)
  })

  test('and no counter that finds everything free, or everything dear, breaks it', () => {
    expect(
      compile(log, {
        window: 0,
        counter: { name: 'free', count: () => 0, overhead: 0 },
        policy: { ...none, verbatim: {} },
      }).messages,
    ).toEqual(log)
    expect(
      refusal(() =>
        compile(log, { window: 4096, counter: { name: 'dear', count: () => 5000, overhead: 0 }, policy: none }),
      ).code,
    ).toBe('window_overflow')
  })
})
