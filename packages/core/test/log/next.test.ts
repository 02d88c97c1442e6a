import type { Entry } from 'minutebook'
import type { EntryFacts } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { headOf } from '../../src/log/log.ts'
import { isUnfinished, next } from '../../src/log/next.ts'
import { openCalls } from '../../src/log/open-call.ts'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { branchOf, type Line } from '../support/lines.ts'

const kept = (kind: 'stop' | 'receipt' | 'note' | 'journal'): Line => [system(kind), { kind }]
const waits = (text: string, key: string): Line => [user(text), { kind: 'pending', key }]
const gone: EntryFacts = { status: 'erased' }
const [one, two] = [call('a', 'x'), call('b', 'x')]

describe('what comes next', () => {
  test.each<[string, readonly Line[], string]>([
    ['on an empty log', [], 'rest'],
    ['after system entries alone', [system('s')], 'rest'],
    ['after a question', [user('?')], 'call'],
    ['after a question with a system entry behind it', [user('?'), system('s')], 'call'],
    ['after an answer', [user('?'), assistant('!')], 'rest'],
    ['after an answer with a system entry behind it', [user('?'), assistant('!'), system('s')], 'rest'],
    ['after calls', [user('?'), assistant(null, one, two)], 'run a b'],
    ['after one result of two', [user('?'), assistant(null, one, two), result('b', '2')], 'run a'],
    ['after all results', [user('?'), assistant(null, one, two), result('b', '2'), result('a', '1')], 'call'],
    [
      'after calls that somebody wrote into a history',
      [user('?'), [assistant(null, one), { origin: 'import' }]],
      'rest',
    ],
    [
      'after such calls with some results',
      [user('?'), [assistant(null, one, two), { origin: 'import' }], [result('a', '1'), { origin: 'import' }]],
      'call',
    ],
    ['after a stop', [user('?'), kept('stop')], 'rest'],
    ['after a stop with a system entry behind it', [user('?'), kept('stop'), system('s')], 'rest'],
    [
      'after a stop and a note, which a retry left',
      [user('?'), kept('receipt'), kept('stop'), kept('note'), kept('receipt')],
      'call',
    ],
    ['after a call that failed without a stop', [user('?'), kept('receipt')], 'call'],
    [
      'after results and a stop',
      [user('?'), assistant(null, one), result('a', '1'), kept('journal'), kept('stop')],
      'rest',
    ],
    ['after a stop and another question', [user('?'), kept('stop'), user('??')], 'call'],
    ['after a question that was erased', [[user(''), gone]], 'rest'],
    ['after results whose question was erased', [[user(''), gone], assistant(null, one), result('a', '1')], 'rest'],
    ['after calls whose question was erased', [[user(''), gone], assistant(null, one)], 'run a'],
    [
      'after a result that was erased',
      [user('?'), assistant(null, one), [{ role: 'tool', content: '' }, gone]],
      'call',
    ],
    [
      'after one erased result of two',
      [user('?'), assistant(null, one, two), [{ role: 'tool', content: '' }, gone]],
      'run b',
    ],
    [
      'after one erased result of two that says whose it was',
      [user('?'), assistant(null, one, two), [{ role: 'tool', content: '', tool_call_id: 'b' }, gone]],
      'run a',
    ],
    [
      'after an erased and a later result',
      [user('?'), assistant(null, one, two), [{ role: 'tool', content: '' }, gone], result('a', '1')],
      'call',
    ],
    [
      'after an erased result and that of the first call',
      [user('?'), assistant(null, one, two, call('c', 'x')), [{ role: 'tool', content: '' }, gone], result('a', '1')],
      'run c',
    ],
    ['after calls that were erased', [user('?'), [assistant(''), gone]], 'rest'],
    ['after an answer, with a message waiting', [user('?'), waits('w', 'k'), assistant('!')], 'admit w'],
    ['after an answer, with two waiting', [user('?'), waits('w', 'k'), waits('v', 'l'), assistant('!')], 'admit w'],
    ['after a question, with a message waiting', [user('?'), waits('w', 'k')], 'call'],
    [
      'when what waited was said',
      [user('?'), waits('w', 'k'), assistant('!'), [user('w'), { key: 'k' }], assistant('!!')],
      'rest',
    ],
    [
      'when what waited was erased',
      [user('?'), [user(''), { kind: 'pending', key: 'k', ...gone }], assistant('!')],
      'rest',
    ],
  ])('%s', (_, lines, expected) => {
    const entries = branchOf(lines)
    const coming = next(entries)
    const detail =
      coming.do === 'run'
        ? coming.calls.map(({ call: { id } }) => id)
        : coming.do === 'admit'
          ? [coming.pending.text]
          : []
    expect([coming.do, ...detail].join(' ')).toBe(expected)
    expect(isUnfinished(entries)).toBe(expected.startsWith('call') || expected.startsWith('run'))
  })

  test('what was taken back waits no longer', () => {
    const entries = branchOf([user('?'), waits('w', 'k'), assistant('!')])
    expect(next([...entries, ...branchOf([[system(entries[1]!.id), { kind: 'revocation' }]])]).do).toBe('rest')
  })

  test('a message may wait on another branch', () => {
    const entries = branchOf([user('?'), assistant('!')])
    expect(next(entries, [...entries, ...branchOf([waits('w', 'k')])])).toMatchObject({
      do: 'admit',
      pending: { text: 'w' },
    })
  })
})

describe('open calls', () => {
  test('are those of the newest turn only', () => {
    expect(openCalls(branchOf([assistant(null, one), user('?')]))).toEqual([])
  })

  test('of one name and id are answered one by one', () => {
    expect(openCalls(branchOf([user('?'), assistant(null, one, one), result('a', '1')]))).toHaveLength(1)
  })
})

describe('where a log stands', () => {
  const chain = branchOf([user('?'), assistant('A'), kept('receipt')])
  test.each<[string, readonly Entry[], string | null]>([
    ['nowhere at first', [], null],
    ['at the newest chained entry', chain, chain[1]!.id],
    ['not at what waits', [...chain, ...branchOf([waits('w', 'k')])], chain[1]!.id],
    ['not at a note', [...chain, { ...branchOf([kept('note')])[0]!, parent: chain[0]!.id }], chain[1]!.id],
    [
      'where the newest receipt hangs',
      [...chain, { ...branchOf([kept('receipt')])[0]!, parent: chain[0]!.id }],
      chain[0]!.id,
    ],
    [
      'where the newest stop hangs',
      [...chain, { ...branchOf([kept('stop')])[0]!, parent: chain[0]!.id }],
      chain[0]!.id,
    ],
  ])('%s', (_, entries, head) => {
    expect(headOf(entries)).toBe(head)
  })
})
