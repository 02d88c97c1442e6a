import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  tiered,
  type CompileOptions,
  type Message,
} from 'minutebook'
import { verdicts } from 'minutebook/compile'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../../tests/support/refusal.ts'
import { times } from '../support/times.ts'

const f = call('1', 'f')
const g = call('2', 'g')

const options = (window: number): CompileOptions => ({ window, reserve: 0, counter: words, policy: lastMessages(50) })

/** What became of each entry: its verdict's first letter, and its tokens. */
function fates(messages: Message[], window: number): string {
  return [...verdicts(compile(messages, options(window)).plan, messages)]
    .map(({ verdict, tokens }) => `${verdict.charAt(0)}${tokens}`)
    .join(' ')
}

describe('where the floor does not fit', () => {
  test.each<[string, Message[], number, RegExp]>([
    [
      'a tool result is clipped before the text',
      [user(times(40)), assistant('', f), result('1', times(400))],
      100,
      /^v40 v2 c[45]\d$/,
    ],
    [
      'of two results only the larger',
      [user('q'), assistant('', f, g), result('1', times(20)), result('2', times(400))],
      100,
      /^v1 v4 v20 c[67]\d$/,
    ],
    [
      'two large results to one level',
      [user('q'), assistant('', f, g), result('1', times(300)), result('2', times(400))],
      105,
      /^v1 v4 c[34]\d c[34]\d$/,
    ],
    [
      'the text only when every result is at its smallest',
      [user(times(400)), assistant('', f), result('1', times(400))],
      100,
      /^c[78]\d v2 c11$/,
    ],
    ['the larger text first', [user(times(30)), assistant(times(400))], 100, /^v30 c[56]\d$/],
    ['the text of a lone question', [user(times(400))], 100, /^c[89]\d$/],
  ])('%s', (_, messages, window, expected) => {
    expect(fates(messages, window)).toMatch(expected)
  })

  test('system entries are never clipped', () => {
    const rules = system(times(80, 'rule'))
    const { messages, tokens } = compile([rules, user(times(400))], options(100))
    expect(messages[0]).toBe(rules)
    expect(tokens).toBeLessThanOrEqual(100)
    expect(messages[1]?.content).toContain('tokens left out of entry #1')
  })

  test('reasoning counts too: it cannot be clipped', () => {
    const thought = { ...assistant(times(300)), thinking: times(50) }
    const log = [user('q'), thought]
    const { tokens, plan } = compile(log, options(100))
    expect(tokens).toBeLessThanOrEqual(100)
    expect([...verdicts(plan, log)].map(({ verdict }) => verdict)).toEqual(['verbatim', 'clipped'])
  })

  test('nothing is clipped that fits', () => {
    const log = (length: number): Message[] => [user(times(40)), assistant('', f), result('1', times(length))]
    expect(compile(log(58), options(100)).messages).toEqual(log(58))
    expect(fates(log(59), 100)).toMatch(/^v40 v2 c\d\d$/)
  })
})

describe('where even the smallest clips do not fit', () => {
  const messages = [system(times(50)), user(times(30)), assistant('', f), result('1', times(400))]

  test('one error names every item, largest first, with its size and its least, and says what to do', () => {
    const error = refusal(() => compile(messages, { ...options(60), reserve: 3, tools: [{ a: 'tool' }] }))
    expect(error.code).toBe('window_overflow')
    expect(error.message).toContain(
      'it needs 74 tokens (system #0: 50; user #1: 30 (at least 11); tool #3: 400 (at least 11); assistant #2: 2)',
    )
    expect(error.message).toContain(
      'the window of 60 leaves 56 (less 3 for the answer, 1 for tools, 0 around the prompt)',
    )
    expect(error.message).toContain('A window of 78 would do')
    expect(error.message).toContain("overflow: 'keep'")
  })

  test('and says so in words if reserve and tools are larger than the window', () => {
    const error = refusal(() => compile(messages, { ...options(60), reserve: 61 }))
    expect(error.message).toContain('the window of 60 leaves no room for it (less 61 for the answer, 0 for tools')
  })

  test('its details are for programs', () => {
    const { details } = refusal(() => compile(messages, options(60)))
    expect(details).toMatchObject({ window: 60, reserve: 0, tools: 0, budget: 60, minimum: 74, enough: 74 })
    expect(details['items']).toEqual([
      { index: 0, kind: 'system', tokens: 50, minimum: 50, rest: 0 },
      { index: 1, kind: 'user', tokens: 30, minimum: 11, rest: 0 },
      { index: 2, kind: 'assistant', tokens: 2, minimum: 2, rest: 2 },
      { index: 3, kind: 'tool', tokens: 400, minimum: 11, rest: 0 },
    ])
  })

  test.each([lastMessages(50), firstAndRecent(), tiered(), defaultPolicy()])(
    'the window that it says would do does, and none below it: $name',
    (policy) => {
      const log = [user(times(20)), assistant('ok'), ...messages.slice(1), system('late rule')]
      const { details } = refusal(() => compile(log, { ...options(20), policy }))
      const enough = Number(details['enough'])
      expect(compile(log, { ...options(enough), policy }).tokens).toBeLessThanOrEqual(enough)
      expect(refusal(() => compile(log, { ...options(enough - 1), policy })).details['enough']).toBe(enough)
    },
  )

  test('a long list is cut short in the text, and says so', () => {
    const calls = Array.from({ length: 40 }, (_, index) => call(`c${index}`, 'f'))
    const error = refusal(() =>
      compile([user('q'), assistant('', ...calls), ...calls.map(({ id }) => result(id, times(20)))], options(100)),
    )
    expect(error.message).toContain('; and 30 smaller ones')
    expect(error.details['items']).toHaveLength(42)
  })

  test('a policy that keeps sends the floor whole, and the plan says by how much it is over', () => {
    const {
      messages: sent,
      plan,
      tokens,
    } = compile(messages, { ...options(60), policy: lastMessages(50, { overflow: 'keep' }) })
    expect(sent).toEqual(messages)
    expect(plan.overflow).toBe(tokens - 60)
    expect(tokens).toBe(482)
  })
})
