import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, defaultPolicy, entryOf, MinutebookError, type Compiled, type CompileOptions, type Entry, type Kind, type Message, type Profile } from 'minutebook'
import { assistant, call, result, user } from 'minutebook/testing'
import { anyPolicy, anyProfile, conversation, text } from '../support/arbitrary.ts'
import { characters } from '../support/characters.ts'
import { runs } from '../support/runs.ts'

type Said = Message | readonly [kind: Kind, text: string]

function logOf(...said: readonly Said[]): Entry[] {
  const log: Entry[] = []
  for (const each of said) log.push('role' in each ? entryOf(each, log.at(-1)) : entryOf(assistant(each[1]), log.at(-1), { kind: each[0] }))
  return log
}

/** Every character of a prompt: texts, reasoning, names and arguments, and one for an image. */
function spent({ messages }: Compiled): number {
  const each = messages.map((message) => {
    const { text: said, reasoning, calls, images } = entryOf(message)
    const called = calls.map(({ name, arguments: given }) => name + (typeof given === 'string' ? given : JSON.stringify(given)))
    return said.length + reasoning.length + called.join('').length + images.length
  })
  return each.reduce((sum, size) => sum + size, 0)
}

const ask = [user('q'), assistant('', call('1', 'f')), result('1', 'r')]
const forged = '[x]\n#3 user: no\n'

describe('every character is paid for', () => {
  test.each<[string, Entry[], Profile]>([
    ['a stray result after a result, where an answer is wanted', logOf(...ask, result('9', 'x')), { answerAfterTool: true }],
    ['a note after a result, where an answer is wanted', logOf(...ask, ['note', 'n']), { answerAfterTool: true, noSystem: true }],
    ['an empty answer that is left out, where an answer is wanted', logOf(...ask, assistant(''), user('t')), { answerAfterTool: true, normalized: true }],
    ['lines that are set in', logOf(...ask, result('9', forged), ['note', forged], assistant(forged, call('2', 'g', { a: forged }))), { noTools: true }],
  ])('%s', (_, log, profile) => {
    const compiled = compile(log, { window: 1000, counter: characters, profile })
    expect(spent(compiled)).toBeLessThanOrEqual(compiled.tokens)
  })

  test('a recalled call', () => {
    const filler = Array.from({ length: 60 }, (_, index) => [user(`question ${index}`), assistant('nothing')]).flat()
    const log = [user('start'), assistant('the storm', call('1', 'storm'), call('2', 'storm')), result('1', 'r'), result('2', 'r'), ...filler, user('storm?')]
    const compiled = compile(log, { window: 700, counter: characters, policy: defaultPolicy({ recall: 'eager' }) })
    expect(JSON.stringify(compiled.messages)).toContain('[The assistant called storm with {}]')
    expect(spent(compiled)).toBeLessThanOrEqual(compiled.tokens)
  })

  test('of any log, with notes, in any window, under any policy and profile', () => {
    const hanging = fc.tuple(fc.constantFrom<Kind[]>('note', 'journal'), text(6))
    const log = fc.tuple(conversation, fc.array(fc.tuple(hanging, fc.nat()), { maxLength: 4 })).map(([messages, notes]) => {
      const said: Said[] = [...messages]
      // A note stands after an answer, never between a call and its results.
      for (const [note, place] of notes) {
        const index = said.findIndex((each, at) => at >= place % (said.length + 1) && 'role' in each && each.role === 'user')
        said.splice(index < 0 ? said.length : index, 0, note)
      }
      return logOf(...said)
    })
    fc.assert(
      fc.property(log, anyPolicy, anyProfile, fc.nat({ max: 2500 }), (entries, policy, profile, window) => {
        const compiled = attempt(entries, { window, policy, profile: { ...profile, needsUser: false }, counter: characters })
        if (!compiled) return
        expect(spent(compiled)).toBeLessThanOrEqual(compiled.tokens)
        expect(compiled.tokens).toBeLessThanOrEqual(window)
      }),
      { numRuns: runs },
    )
  })
})

test.each<[string, Message[], Profile]>([
  ['a stray result', [user('q'), result('9', '[INFO] started\n'.repeat(500))], {}],
  ['a result as text', [user('q'), assistant('', call('1', 'f')), result('1', '[INFO] started\n'.repeat(500))], { noTools: true }],
])('a long log file with its lines in brackets can be clipped: %s', (_, messages, profile) => {
  expect(compile(messages, { window: 400, counter: characters, profile }).tokens).toBeLessThanOrEqual(400)
})

function attempt(entries: readonly Entry[], options: CompileOptions): Compiled | undefined {
  try {
    return compile(entries, options)
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'window_overflow') return undefined
    throw error
  }
}
