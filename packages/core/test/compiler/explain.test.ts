import {
  compile,
  defaultPolicy,
  explain,
  firstAndRecent,
  tiered,
  type CompileOptions,
  type Digester,
  type Message,
} from 'minutebook'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { times } from '../support/times.ts'

const lines = (
  messages: Message[],
  options: Partial<CompileOptions>,
  shown?: { rows?: number; width?: number },
): string[] =>
  explain(compile(messages, { window: 100, counter: words, policy: tiered(), ...options }).plan, shown).split('\n')

/** The rows of the table, heading first. */
const table = (all: readonly string[]): string[] => all.slice(all.findIndex((line) => line.startsWith('exchange ')))
const exchange = (index: number, length: number = 4): Message[] => [
  user(`question ${index}`),
  assistant(times(length, `answer`)),
]
const many = (count: number): Message[] => Array.from({ length: count }, (_, index) => exchange(index)).flat()

describe('an explanation', () => {
  test('is a table that a person can read', () => {
    const messages = [system('Be brief.'), ...many(6), user('and now?')]
    expect(
      lines(messages, { window: 40, reserve: 4, policy: firstAndRecent(), tools: [{ a: 1 }] }, { width: 80 }),
    ).toEqual([
      '36 of 40 tokens · 14 entries in 7 exchanges · 0 compactions',
      'policy firstAndRecent · counter words',
      '',
      '▕TTSSSSPPPPMMMMMMMMMMMMMVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVLLLL--------▏',
      ' T tools 1   S system 2   P pinned 2   M marker 7   V verbatim 22   L latest 2',
      ' · free 0   - reserve 4',
      '',
      'exchange  entries  verdict   tokens  why',
      '–         #0       verbatim       2  always sent · Be brief.',
      '1         #1       verbatim       2  first user message, pinned · question 0',
      '1–3       #2–#5    omitted        –  older, did not fit',
      '3         #6       verbatim       4  newest exchanges · answer answer answer an…',
      '4         #7–#8    verbatim       6  newest exchanges · question 3',
      '5         #9–#10   verbatim       6  newest exchanges · question 4',
      '6         #11–#12  verbatim       6  newest exchanges · question 5',
      '7         #13      verbatim       2  current turn · and now?',
      '                   marker         7  [Several conversation turns removed to con…',
    ])
  })

  test('has its columns under one another', () => {
    const log = [system('rules'), ...many(300), user('the last question')]
    const [heading = '', ...rows] = table(lines(log, { window: 1500, policy: firstAndRecent() }))
    const starts = ['exchange', 'entries', 'verdict', 'why'].map((name) => heading.indexOf(name))
    for (const row of rows) for (const start of starts.slice(1)) expect([' ', undefined]).toContain(row[start - 1])
    for (const row of rows)
      expect(row.slice(0, heading.indexOf('why'))).toMatch(
        /^(?:[\d,–]+|) +(?:#[\d,]+(?:–#[\d,]+)?|) +\w+ +(?:–|[\d,]+) +$/,
      )
  })

  test('puts a thousand into groups of three', () => {
    const [first] = lines([user(times(12_345))], { window: 1_234_567 })
    expect(first).toBe('12,345 of 1,234,567 tokens · 1 entry in 1 exchange · 0 compactions')
  })

  test('rounds a window or reserve that is a fraction', () => {
    const [first, second] = lines([user('hi')], { window: 4096.4, reserve: 614.6 })
    expect([first, second]).toEqual([
      '1 of 4,096 tokens · 1 entry in 1 exchange · 0 compactions',
      'policy tiered(2) · counter words',
    ])
  })

  test('shows by how much a kept floor is over the budget', () => {
    const [first] = lines([user(times(200))], {
      window: 100,
      reserve: 10,
      policy: firstAndRecent({ overflow: 'keep' }),
    })
    expect(first).toContain('200 of 100 tokens, 110 over the budget (kept as the policy says)')
  })

  test('says when the reserve was used because everything fits whole', () => {
    expect(lines([user(times(95))], { window: 100 })[1]).toContain('the reserve is used: everything fits whole')
    expect(lines([user(times(85))], { window: 100 })[1]).not.toContain('used')
  })

  test('keeps to the width, whatever it has to say', () => {
    const log = [system(times(30, 'a-rather-long-word')), ...many(20), user(times(40, 'asking'))]
    for (const width of [60, 80, 120])
      for (const line of lines(log, { window: 90, policy: firstAndRecent() }, { width }))
        expect(line.length).toBeLessThanOrEqual(width)
  })

  test('takes the compiled prompt as well as its plan', () => {
    const compiled = compile([user('hi')], { window: 10, counter: words })
    expect(explain(compiled)).toBe(explain(compiled.plan))
  })

  test('of an empty log', () => {
    expect(lines([], { window: 0 })[0]).toBe('0 of 0 tokens · 0 entries in 0 exchanges · 0 compactions')
  })
})

describe('the bar', () => {
  const bar = (all: readonly string[]): string => all[3] ?? ''

  test.each<[string, Message[], Partial<CompileOptions>]>([
    ['nearly empty', [user('hi')], { window: 100_000 }],
    ['full, with a tiny end', [system(times(999)), user('hi')], { window: 1000 }],
    [
      'full of everything',
      [system('s'), ...many(60), user('question 3?')],
      { window: 300, tools: [{}], policy: defaultPolicy({ recall: 'eager' }) },
    ],
    ['over the window', [system('s'), user(times(500))], { window: 100, policy: firstAndRecent({ overflow: 'keep' }) }],
    ['of an empty window', [], { window: 0 }],
  ])('%s: is as wide as it is asked to be, and has a letter for each tier in the legend', (_, messages, options) => {
    for (const width of [24, 64, 100]) {
      const all = lines(messages, options, { width })
      expect(bar(all)).toMatch(new RegExp(`^▕.{${width - 2}}▏$`))
      const legend =
        all
          .slice(4, all.indexOf('', 4))
          .join(' ')
          .match(/[A-Z](?= \w+ [\d,]+)/g) ?? []
      expect([...new Set(bar(all).replaceAll(/[▕▏·-]/g, ''))]).toEqual(legend)
    }
  })
})

describe('rows beyond the limit', () => {
  const log = [...many(100), user('the last question')]

  test('are gathered, the newest ten excepted, and nothing is lost of them', () => {
    const all = table(lines(log, { window: 100_000 }, { rows: 20 }))
    expect(all[1]).toMatch(/^1–91 +#0–#181 +verbatim +546 +newest exchanges$/)
    expect(all).toHaveLength(1 + 1 + 10)
    expect(all.at(-1)).toMatch(/^101 +#200 +verbatim +3 +current turn · the last question$/)
  })

  test('are left alone up to it', () => {
    expect(table(lines(log, { window: 100_000 }, { rows: 101 }))).toHaveLength(1 + 101)
  })

  test('verdicts that differ do not share a row', () => {
    const tools = Array.from({ length: 6 }, (_, index) => [
      assistant('', call('1', `f${index}`)),
      result('1', times(20)),
    ]).flat()
    const rows = table(
      lines(
        [...many(30), user('go'), ...tools],
        { window: 150, policy: defaultPolicy({ recall: 'off' }) },
        { rows: 1 },
      ),
    )
    expect(rows.slice(1).map((row) => row.slice(19, 29).trim())).toEqual([
      'verbatim',
      'omitted',
      'verbatim',
      'omitted',
      'verbatim',
      'marker',
    ])
  })
})

describe('the digesters in an explanation', () => {
  const programs = Array.from({ length: 6 }, (_, index) => [
    user(`wish ${index}`),
    assistant(`{"why":"${times(150)}"}`),
  ]).flat()
  const wordy = (line?: number): Digester => ({ id: 'wordy@1', line, digest: () => times(70) })
  const digesters = (window: number, ...digesters: readonly Digester[]): string[] => {
    const all = lines([...programs, user('last')], { window, digesters, policy: tiered({ line: 40 }) })
    return all.slice(all.findIndex((line) => line.endsWith(' lines')) + 1)
  }

  test.each<[string, number, Digester, string]>([
    ['wrote lines that are whole', 850, wordy(), 'wordy@1: 4 digests'],
    ['wants longer lines than it lets itself take', 850, wordy(50), 'wordy@1: 4 digests, 4 cut: raise line to 74'],
    ['had room for some of its lines', 600, wordy(), 'wordy@1: 4 digests, 3 cut: there is no room for more'],
    ['was never used', 850, { id: 'idle@1', digest: () => undefined }, 'idle@1 was used 0 times'],
  ])('say that one %s', (_, window, digester, expected) => {
    expect(digesters(window, digester)).toEqual(['', expected])
  })

  test('are not there without digests', () => {
    expect(lines([user('q')], { digesters: [wordy()] }).join('\n')).not.toContain('wordy@1')
    expect(digesters(850)).toEqual([])
  })
})
