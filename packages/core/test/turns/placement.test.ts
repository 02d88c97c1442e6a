import { memoryStore, type Message } from 'minutebook'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EntryDraft } from '../../src/log/entry.ts'
import { liveLog, type LiveLog } from '../../src/past/live-log.ts'
import { assistant, call, result, system, user } from '@minutebook/testing'
import {
  checkSent,
  placeMessages,
  type Placement,
  type PlacementOptions,
  type SendInput,
} from '../../src/turns/place-messages.ts'

const facts = { key: 'k', speaker: 'Ada' }
let log: LiveLog

/** A thread that heard one question, and how that goes on. */
async function given(...drafts: readonly (Message | EntryDraft)[]): Promise<string[]> {
  log = liveLog(memoryStore(), 't')
  const appended = await log.append(drafts.map((draft) => ('message' in draft ? draft : { message: draft })))
  return appended.ok ? appended.entries.map(({ id }) => id) : []
}

const placed = (sent: SendInput, options: Partial<PlacementOptions> = {}): Placement =>
  placeMessages(sent, log, { facts, trusted: false, system: undefined, ...options })
const lines = ({ drafts }: Placement): string[] =>
  drafts.map(({ message, facts: known }) =>
    [message.role, message.content, known?.origin ?? '', known?.key ?? ''].join(' ').trim(),
  )

beforeEach(() => void given())

describe('one message', () => {
  test('goes after the head, with all that is known of it', async () => {
    const [, answer] = await given(user('one'), assistant('two'))
    expect(placed('three')).toEqual({ after: answer, drafts: [{ message: user('three'), facts }] })
  })

  test('goes where it is told to', async () => {
    const [one] = await given(user('one'), assistant('two'))
    expect(placed('three', { after: one }).after).toBe(one)
    expect(placed('three', { after: null }).after).toBe(null)
    expect(() => placed('three', { after: 'nowhere' })).toThrow('no entry nowhere')
  })

  test('does not go between calls and their results', async () => {
    const [, calls, first, second] = await given(
      user('one'),
      assistant(null, call('a', 'x'), call('b', 'x')),
      result('a', '1'),
      result('b', '2'),
    )
    expect(() => placed('three', { after: calls })).toThrow('calls without results')
    expect(() => placed('three', { after: first })).toThrow('calls without results')
    expect(placed('three', { after: second }).after).toBe(second)
  })

  test('that is a result is not what a tool gave', () => {
    expect(lines(placed(result('a', '1')))).toEqual(['tool 1 import k'])
  })
})

describe('the system text', () => {
  test.each<[string, readonly (Message | EntryDraft)[], readonly string[]]>([
    ['comes first on an empty log', [], ['system S  system', 'user three  k']],
    ['comes once', [system('S'), user('one'), assistant('two')], ['user three  k']],
    [
      'comes again where it has changed',
      [system('R'), user('one'), assistant('two')],
      ['system S  system', 'user three  k'],
    ],
    ['comes again where it was another in between', [system('S'), system('R')], ['system S  system', 'user three  k']],
    [
      'is not what somebody else called one',
      [{ message: system('S'), facts: { origin: 'import' } }],
      ['system S  system', 'user three  k'],
    ],
  ])('%s', async (_, said, expected) => {
    await given(...said)
    expect(lines(placed('three', { system: 'S' }))).toEqual(expected)
  })

  test.each<[string, readonly Message[], readonly string[]]>([
    [
      'takes back what was said before',
      [system('S'), user('one'), assistant('two')],
      ['system   system', 'user three  k'],
    ],
    ['is not said twice', [system('S'), user('one'), system('')], ['user three  k']],
    ['is none where nothing was said', [user('one'), assistant('two')], ['user three  k']],
  ])('that is empty %s', async (_, said, expected) => {
    await given(...said)
    expect(lines(placed('three', { system: '' }))).toEqual(expected)
  })

  test('is that of the branch', async () => {
    await given(system('S'), user('one'))
    expect(lines(placed('three', { system: 'S', after: null }))).toEqual(['system S  system', 'user three  k'])
  })
})

describe('a history', () => {
  test('adds what is new, as imported but for its last message', async () => {
    const ids = await given(user('one'), assistant('two'))
    const { after, drafts } = placed([user('one'), assistant('two'), user('three'), assistant('four'), user('five')])
    expect(after).toBe(ids[1])
    expect(lines({ after, drafts })).toEqual(['user three import', 'assistant four import', 'user five  k'])
  })

  test('adds nothing where nothing is new', async () => {
    const [one] = await given(user('one'), assistant('two'))
    expect(placed([user('one')])).toEqual({ after: one, drafts: [] })
    expect(placed([user('one')], { system: 'S' }).drafts).toEqual([])
  })

  test('has its system messages where they are trusted, each once', async () => {
    const ids = await given(system('Monday'), user('one'), assistant('two'))
    const { after, drafts } = placed([system('Tuesday'), user('one'), assistant('two'), user('three')], {
      trusted: true,
    })
    expect(after).toBe(ids[2])
    expect(lines({ after, drafts })).toEqual(['system Tuesday', 'user three  k'])
    expect(lines(placed([system('Monday'), user('one'), assistant('two'), user('three')], { trusted: true }))).toEqual([
      'user three  k',
    ])
  })

  test('has them as a user’s words else', () => {
    expect(lines(placed([system('Obey'), user('one')]))).toEqual(['user Obey import', 'user one  k'])
  })

  test('keeps its key for the message that is answered', async () => {
    await given(system('Monday'), user('one'))
    expect(lines(placed([system('Tuesday'), user('one')], { trusted: true }))).toEqual(['system Tuesday'])
  })
})

describe('nothing to answer', () => {
  test.each<[string, SendInput]>([
    ['no messages', []],
    ['an answer', assistant('x')],
    ['a system message', system('x')],
    ['a history that ends with an answer', [user('x'), assistant('y')]],
  ])('%s', (_, sent) => {
    expect(() => checkSent(sent)).toThrow('nothing to answer')
  })

  test.each<[string, SendInput]>([
    ['a text', ''],
    ['a message', user('x')],
    ['a result', result('a', '1')],
    ['a history', [user('x')]],
  ])('%s is something', (_, sent) => {
    expect(() => checkSent(sent)).not.toThrow()
  })
})
