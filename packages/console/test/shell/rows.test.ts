import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/api/entries.ts'
import type { ThreadSummary } from '../../src/api/threads.ts'
import { extended } from '../../src/api/live.ts'
import { rowsOf } from '../../src/threads/rows.ts'
import { threadTitle } from '../../src/api/thread.ts'
import { openCallsOf } from '../../src/transcript/composer.tsx'

/** Lower case: a thread; upper case: a one-off one. */
const threads = (letters: string): ThreadSummary[] =>
  Array.from(letters, (letter) => ({
    thread: letter,
    title: null,
    model: null,
    entries: 1,
    metadata: {},
    created: null,
    written: null,
    marks: [],
    oneOff: letter !== letter.toLowerCase(),
    relayed: true,
  }))

function drawn(letters: string, open: readonly string[] = [], chosen?: string): string {
  return rowsOf(threads(letters), { open: new Set(open), chosen })
    .map((row) =>
      row.kind === 'thread'
        ? row.isInFold
          ? `.${row.thread.thread}`
          : row.thread.thread
        : `[${row.count}${row.isOpen ? '-' : '+'}]`,
    )
    .join(' ')
}

describe('one-off threads', () => {
  const table: readonly (readonly [
    name: string,
    letters: string,
    expected: string,
    open?: readonly string[],
    chosen?: string,
  ])[] = [
    ['are not folded where there are few', 'aBCd', 'a B C d'],
    ['are folded where there are many beside each other', 'aBCDe', 'a [3+] e'],
    ['are folded stretch by stretch', 'BCDaEFGH', '[3+] a [4+]'],
    ['are shown where their fold is open, which its oldest names', 'aBCDe', 'a [3-] .B .C .D e', ['D']],
    ['stay open when new ones come', 'aXBCDe', 'a [4-] .X .B .C .D e', ['D']],
    ['show the one that is chosen', 'aBCDe', 'a [3+] .C e', [], 'C'],
    ['may be none', '', ''],
  ]
  for (const [name, letters, expected, open, chosen] of table)
    test(name, () => expect(drawn(letters, open, chosen)).toBe(expected))
})

const entry = (kind: Entry['kind'], more: Partial<Entry> = {}): Entry => ({
  id: `${kind}-${more.seq ?? 0}`,
  parent: null,
  seq: 0,
  kind,
  origin: 'model',
  status: 'complete',
  text: '',
  calls: [],
  images: 0,
  ...more,
})
const call = (id: string | undefined, name: string): Entry['calls'][number] => ({
  name,
  arguments: {},
  ...(id !== undefined && { id }),
})

describe('a branch grows', () => {
  const branches = [
    { head: 'user-1', from: null, text: 'Hi' },
    { head: 'other', from: null, text: 'Hello' },
  ]
  const shown = {
    thread: 't',
    head: 'user-1',
    branches,
    hidden: 0,
    entries: [entry('user', { seq: 1, turn: 1 })],
  }
  const next = (more: Partial<Entry>): Entry => entry('assistant', { seq: 2, parent: 'user-1', ...more })

  test('by what goes on from its head', () => {
    const grown = extended(shown, next({}))!
    expect(grown).toMatchObject({
      head: 'assistant-2',
      branches: [{ head: 'assistant-2', text: 'Hi' }, { head: 'other' }],
    })
    expect(extended(grown, entry('user', { seq: 3, parent: 'assistant-2' }))!.entries.at(-1)).toMatchObject({
      id: 'user-3',
      turn: 2,
    })
  })

  test('once by each, and by what hangs off its head without another head', () => {
    expect(extended(shown, entry('user', { seq: 1 }))).toBe(shown)
    expect(extended(shown, { ...next({}), id: 'stop-2', kind: 'stop' })).toMatchObject({
      head: 'user-1',
      branches,
    })
  })

  test('not by what went another way', () => {
    expect(extended(shown, next({ parent: 'elsewhere' }))).toBeUndefined()
    expect(extended({ ...shown, head: '', entries: [] }, entry('user', { parent: null }))!.head).toBe('user-0')
  })
})

describe('calls wait for results', () => {
  const asking = [entry('user'), entry('assistant', { calls: [call('1', 'weather'), call('2', 'time')] })]
  const table: readonly (readonly [string, readonly Entry[], readonly string[]])[] = [
    ['all of them at first', asking, ['weather', 'time']],
    ['those without a result, by its id', [...asking, entry('tool', { answers: { id: '1' } })], ['time']],
    ['whatever the order', [...asking, entry('tool', { answers: { id: '2' } })], ['weather']],
    ['in their order where results have no id', [...asking, entry('tool')], ['time']],
    [
      'none where all have one',
      [...asking, entry('tool', { answers: { id: '1' } }), entry('tool', { answers: { id: '2' } })],
      [],
    ],
    ['none where the turn was stopped', [...asking, entry('stop')], []],
    ['none where something was said since', [...asking, entry('user')], []],
    [
      'records between do not count',
      [...asking, entry('receipt'), entry('tool', { answers: { id: '1' } }), entry('receipt')],
      ['time'],
    ],
    ['none where nothing was said', [], []],
  ]
  test.each(table)('%s', (_, entries, names) =>
    expect(openCallsOf(entries).calls.map(({ name }) => name)).toEqual(names),
  )

  test('behind the newest of what was said', () => {
    expect(openCallsOf([...asking, entry('tool', { seq: 7, answers: { id: '1' } })]).after).toBe('tool-7')
  })
})

test('a thread of a participant is called by its run, any other by what was asked first', () => {
  expect(threadTitle('run/stand-1/ann', 'Round 1 …')).toBe('ann in stand-1')
  expect(threadTitle('run/stand-1', 'Hello')).toBe('Hello')
  expect(threadTitle('app/run/stand-1/ann', null)).toBe('app/run/stand-1/ann')
})
