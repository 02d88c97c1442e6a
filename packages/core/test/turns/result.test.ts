import type { Entry, Message } from 'minutebook'
import { entryOf, type EntryFacts, type StoredEntry } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { forked } from '../../src/log/new-thread.ts'
import { newestTurn, turnOf } from '../../src/log/next.ts'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { resultOf } from '../../src/turns/turn-result.ts'

type Line = readonly [message: Message, facts?: EntryFacts, after?: number]

/** Entries that know their place, each after the one before or after the one that is named. */
function log(...lines: readonly Line[]): StoredEntry[] {
  const entries: StoredEntry[] = []
  for (const [message, facts = {}, after = entries.length - 1] of lines)
    entries.push({ ...entryOf(message, entries[after], facts), seq: entries.length, checksum: '' })
  return entries
}
const stop: Line = [system('{"code":"c","reason":"r"}'), { kind: 'stop', status: 'failed' }]
const receipt = (outcome: string): Line => [system(JSON.stringify({ outcome })), { kind: 'receipt' }]
const told = (turn: readonly Entry[]): string =>
  [resultOf(turn).status, resultOf(turn).text, resultOf(turn).reason?.code].filter(Boolean).join(' ')

describe('how a turn ended', () => {
  test.each<[string, readonly Line[], string]>([
    ['with an answer', [[user('?')], [assistant('A')], receipt('stop')], 'complete A'],
    [
      'with an answer that was cut off',
      [[user('?')], [assistant('A'), { status: 'partial' }], receipt('length')],
      'partial A',
    ],
    ['without one', [[user('?')], receipt('failed'), stop], 'failed c'],
    ['with half of one', [[user('?')], [assistant('A'), { status: 'failed' }], receipt('failed'), stop], 'failed A c'],
    [
      'with half of one, and a crash',
      [[user('?')], [assistant('A'), { status: 'cancelled' }], receipt('cancelled')],
      'cancelled A',
    ],
    ['with an answer after a stop', [[user('?')], stop, [assistant('A')], receipt('stop')], 'complete A'],
    [
      'with an answer that was cut off once and whole the second time',
      [[user('?')], [assistant('A'), { status: 'cancelled' }], receipt('cancelled'), stop, receipt('stop')],
      'complete A',
    ],
    ['with a stop after an answer', [[user('?')], [assistant('A')], receipt('stop'), stop], 'failed A c'],
    ['with an answer from elsewhere', [[user('?')], stop, [assistant('A'), { origin: 'import' }]], 'complete A'],
    [
      'in the middle of calls',
      [[user('?')], [assistant('text', call('a', 'x'))], receipt('calls'), [result('a', '1')], stop],
      'failed c',
    ],
    [
      'with a receipt that was erased',
      [[user('?')], [assistant('A'), { status: 'partial' }], [system(''), { kind: 'receipt', status: 'erased' }]],
      'partial A',
    ],
    ['with a stop that was erased', [[user('?')], [system(''), { kind: 'stop', status: 'erased' }]], 'complete erased'],
    ['where nobody asked', [[system('s')]], 'complete'],
  ])('%s', (_, lines, expected) => {
    expect(told(newestTurn(log(...lines)))).toBe(expected)
  })
})

describe('the turn of a question', () => {
  const entries = log(
    [user('one')],
    [assistant('A')],
    receipt('stop'),
    [user('two')],
    [assistant('B')],
    [assistant('C'), {}, 0],
    [user('other'), {}, 5],
  )
  test('goes to the next question, on the newest branch', () => {
    expect(turnOf(entries, entries[0]!).map(({ text }) => text)).toEqual(['one', 'C'])
    expect(turnOf(entries, entries[3]!).map(({ text }) => text)).toEqual(['two', 'B'])
    expect(resultOf(turnOf(entries, entries[6]!))).toMatchObject({ turn: entries[6]!.id, text: '' })
  })

  const answered: readonly Line[] = [
    [user('one')],
    [assistant('A')],
    receipt('stop'),
    [assistant('B'), {}, 0],
    receipt('stop'),
  ]
  const retry: Line = [system('{}'), { kind: 'retry' }, 0]
  test.each<[string, readonly Line[], readonly string[]]>([
    ['is open again where another answer was asked for', [...answered, retry], ['one']],
    [
      'has the answer that was given again',
      [...answered, retry, [receipt('stop')[0], { kind: 'receipt' }, 1]],
      ['one', 'A'],
    ],
    [
      'has no answer where the last one was given up',
      [...answered, retry, [stop[0], { kind: 'stop', status: 'failed' }, 0]],
      ['one'],
    ],
  ])('%s', (_, lines, expected) => {
    const all = log(...lines)
    expect(
      turnOf(all, all[0]!)
        .filter(({ kind }) => kind === 'user' || kind === 'assistant')
        .map(({ text }) => text),
    ).toEqual(expected)
  })
})

describe('what a fork begins with', () => {
  test('is its branch in order, without what waits and without the ends of other turns', () => {
    const entries = log(
      [user('one')],
      [assistant('A')],
      receipt('stop'),
      [system('late'), { kind: 'receipt' }, 0],
      [system('note'), { kind: 'note' }, 1],
      [user('w'), { kind: 'pending', key: 'k' }, 1],
      stop,
    )
    const branch = [entries[0]!, entries[3]!, entries[1]!, entries[2]!, entries[4]!, entries[5]!, entries[6]!]
    expect(forked(branch).map(({ seq }) => seq)).toEqual([0, 1, 2, 4, 6])
  })
})
