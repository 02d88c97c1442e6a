import { describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  tiered,
  type Entry,
  type Message,
  type Policy,
} from 'minutebook'
import { advance, createFold, type Fold } from 'minutebook/fold'
import { verdicts, type Verdict } from 'minutebook/compile'
import { assistant, call, findIllegal, result, system, user, words } from '@minutebook/testing'
import { unlessOverflow } from '../../../../tests/support/attempt.ts'
import { entriesOf, journal, note, pinned, type Log } from '../../../../tests/support/entries.ts'

/** 60 exchanges with tools, long and short texts; about 9,000 words. */
const messages: Message[] = [
  system('You keep the harbour log.'),
  ...Array.from({ length: 60 }, (_, turn) => [
    user(`Question ${turn}: what of pier ${turn % 9}? ${'wind '.repeat((turn * 7) % 40)}`),
    ...(turn % 4 === 0
      ? [
          assistant('', call(`call_${turn}`, 'look_up', { pier: turn })),
          result(`call_${turn}`, `pier ${turn} ${'tide '.repeat((turn * 13) % 300)}`),
        ]
      : []),
    assistant(`Pier ${turn % 9} is clear. ${'calm '.repeat((turn * 31) % 170)}`),
  ]).flat(),
  user(`And pier 3, which was damaged? ${'storm '.repeat(60)}`),
  assistant('', call('last_1', 'look_up', { pier: 3 }), call('last_2', 'look_up', { pier: 4 })),
  result('last_1', `pier 3 ${'broken '.repeat(200)}`),
  result('last_2', `pier 4 ${'whole '.repeat(100)}`),
]

/** The same with notes of up to 200 words after answers and among the last calls. */
const noted = entriesOf(
  ...messages.flatMap((message, index): (Message | Entry)[] => {
    const writes = message.role === 'assistant' && (index % 5 === 0 || index === messages.length - 3)
    return writes
      ? [message, (index % 2 ? note : journal)(`note ${index} ${'keep '.repeat((index * 17) % 200)}`)]
      : [message]
  }),
)

/** The same with a few pinned entries of all kinds, some of them long. */
const pinnedLog = noted.map((entry, index) => ([9, 30, 77, 140, 231].includes(index) ? pinned(entry) : entry))

const policies: readonly Policy[] = [
  lastMessages(20),
  tiered(),
  firstAndRecent(),
  defaultPolicy({ recall: 'off', epochs: false }),
  defaultPolicy(),
  defaultPolicy({ recall: 'eager' }),
]
const height: Readonly<Record<Verdict, number>> = {
  hidden: 5,
  verbatim: 5,
  clipped: 4,
  recalled: 3,
  digested: 2,
  outlined: 1,
  omitted: 0,
}

const cases = policies.flatMap((policy): { log: Log; what: string; policy: Policy }[] => [
  { log: messages, what: 'messages', policy },
  { log: noted, what: 'entries with notes', policy },
  { log: pinnedLog, what: 'entries with pins', policy },
])

/** Every one where it is tight, every ninth beyond that; where it is to be proved, every one. */
const windows = Array.from({ length: 8193 }, (_, window) => window).filter(
  (window) => process.env['PROVE_RUNS'] !== undefined || window < 512 || window % 9 === 2,
)

describe.each(cases)('for windows from 0 to 8,192, $what under $policy.name', ({ log, policy }) => {
  const fold = log.reduce<Fold>(advance, createFold({ window: 8192, policy, counter: words }))
  const prompts = windows.map((window) => unlessOverflow(() => compile(fold, { window })))

  test('a prompt fits and is legal, or there is a typed error, and never again an error after a prompt', () => {
    const first = prompts.findIndex((prompt) => prompt !== undefined)
    expect(first).toBeGreaterThan(0)
    for (const [index, prompt] of prompts.entries()) {
      const window = windows[index]!
      expect(prompt === undefined).toBe(index < first)
      if (!prompt) continue
      expect(prompt.tokens).toBeLessThanOrEqual(window)
      if (index % 16 === 0) expect(findIllegal(prompt.messages)).toBeUndefined()
    }
  })

  if (policy.epochs !== null) return
  test('no verdict falls as the window grows', () => {
    let before: number[] = []
    for (const prompt of prompts) {
      if (!prompt) continue
      const now = [...verdicts(prompt.plan, log)].map(({ verdict }) => height[verdict])
      for (const [index, level] of before.entries())
        if (now[index]! < level) throw new Error(`entry ${index} falls at ${prompt.plan.window}`)
      before = now
    }
    expect(before).toHaveLength(log.length)
  })
})

// What `npm run prove` has found, by hand.
describe('the first message as the window grows', () => {
  const long = (count: number): string => Array.from({ length: count }, () => 'storm').join(' ')
  const [question, answer, next] = [15, 60, 40].map(long) as [string, string, string]
  const log = [
    user(question),
    assistant('', call('first', 'look_up', { pier: 0 })),
    result('first', long(11)),
    assistant(answer),
    user(next),
    assistant(next),
    user(long(4)),
  ]
  const verdictsAt = (window: number): readonly Verdict[] =>
    [
      ...verdicts(
        compile(log, { window, policy: defaultPolicy({ recall: 'off', epochs: false }), counter: words }).plan,
        log,
      ),
    ].map(({ verdict }) => verdict)

  test('stays whole when there is room for a part of its answer', () => {
    const all = Array.from({ length: 100 }, (_, more) => verdictsAt(157 + more))
    expect(all.map(([first]) => first)).toEqual(all.map(() => 'verbatim'))
    expect(all.map((each) => each[3])).toContain('clipped')
  })
})
