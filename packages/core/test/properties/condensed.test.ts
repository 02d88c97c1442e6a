import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  MinutebookError,
  tiered,
  type CompileOptions,
  type Entry,
  type Message,
  type Policy,
} from 'minutebook'
import {
  advance,
  condensed,
  createFold,
  loadFold,
  saveFold,
  type Fold,
  entriesOf as entriesOfFold,
} from 'minutebook/fold'
import { assistant, call, result, user, words } from '@minutebook/testing'
import { nextPlace } from '../../src/compiler/columns.ts'
import { anyDigesters, anyProfile, logs, still, windowSize } from '../../../../tests/support/arbitrary.ts'
import { entriesOf, note, type Log } from '../../../../tests/support/entries.ts'
import { cases, proves, withSure } from '../../../../tests/support/runs.ts'
import { times } from '../support/times.ts'

/** Whatever can be combined, recall apart. */
const combined: fc.Arbitrary<Policy> = fc.record({
  name: fc.constant('combined'),
  system: fc.constantFrom('in place' as const, 'first' as const, 'once' as const),
  firstUser: fc.constantFrom(null, { share: 0.02 }, { share: 0.3 }),
  verbatim: fc.record({ clipped: fc.boolean() }),
  outline: fc.constantFrom(null, { share: 0.1, line: 12 }, { share: 0.5, line: 30 }),
  recall: fc.constant(null),
  epochs: fc.constantFrom(null, { low: 0 }, { low: 0.3 }, { low: 1 }),
  marker: fc.constantFrom(null, '[{messages} left out.]', '[Several conversation turns removed to conserve context.]'),
  overflow: fc.constantFrom('error' as const, 'keep' as const),
})

const anyPolicy = fc.oneof(still, combined, fc.constant(defaultPolicy({ recall: 'off' })))

describe.each(logs)('a condensed fold of %s', (_, anyLog) => {
  test('goes on like one that knows everything, however often it is condensed, and forgets nothing that it needs', () => {
    let smaller = 0
    const drawn = [
      fc.array(anyLog, { maxLength: 4 }),
      anyPolicy,
      windowSize,
      fc.option(anyProfile, { nil: {} }),
      fc.integer({ min: 1, max: 20 }),
      anyDigesters,
    ] as const
    fc.assert(
      fc.property(...drawn, (parts, policy, window, profile, every, digesters) => {
        const options = { window, policy, counter: words, profile, digesters }
        let whole: Fold = createFold(options)
        let fold: Fold = createFold(options)
        for (const [index, entry] of entriesOf(...parts.flat()).entries()) {
          whole = advance(whole, entry)
          fold = advance(fold, entry)
          if (index % every === 0) fold = reloaded(condensed(fold), options)
          expect(outcome(fold)).toBe(outcome(whole))
        }
        expect(bytes(condensed(fold))).toBe(bytes(condensed(whole)))
        if (bytes(condensed(whole)).length < bytes(whole).length) smaller++
      }),
      withSure(10, cases('long'), drawn),
    )
    expect(smaller).toBeGreaterThan(0)
  })
})

describe('a condensed fold', () => {
  /** From one window to the next that is tried. */
  const step = proves ? 18 : 75
  const policies = [
    defaultPolicy({ recall: 'off' }),
    defaultPolicy({ recall: 'off', epochs: false }),
    lastMessages(30),
    tiered(),
    firstAndRecent(),
  ]

  test.each(policies)(
    'of a long log is as small as one of a short log, and compiles to the same prompts: $name',
    (policy) => {
      const options = { window: 900, policy, counter: words }
      let whole: Fold = createFold(options)
      let fold: Fold = createFold(options)
      const sizes: number[] = []
      for (const [index, entry] of talk(3000).entries()) {
        whole = advance(whole, entry)
        fold = advance(fold, entry)
        if (index % 64 === 0) fold = condensed(fold)
        if (index % 97 === 0) expect(outcome(fold)).toBe(outcome(whole))
        if (index % 200 === 0 && index > 0) sizes.push(bytes(condensed(fold)).length)
      }
      expect(bytes(condensed(fold))).toBe(bytes(condensed(whole)))
      expect(Math.max(...sizes)).toBeLessThan(3 * sizes[0]!)
    },
  )

  test('of a turn with thousands of steps is small too, and tells the turn as the whole fold does', () => {
    const options = { window: 600, policy: defaultPolicy({ recall: 'off' }), counter: words }
    const steps = Array.from({ length: 1500 }, (_, step) => [
      assistant('', call(`${step}`, 'look', { page: step })),
      result(`${step}`, times(step % 9, 'found')),
      ...(step % 5 ? [] : [note(`at ${step}`)]),
    ])
    let whole: Fold = createFold(options)
    let fold: Fold = createFold(options)
    for (const [index, entry] of entriesOf(
      user('Look it up.'),
      ...steps.flat(),
      user('And now?'),
      assistant('Done.'),
      user('Well?'),
    ).entries()) {
      whole = advance(whole, entry)
      fold = advance(fold, entry)
      if (index % 20 === 0) fold = condensed(fold)
      if (index % 51 === 0 || index > 3290) expect(outcome(fold)).toBe(outcome(whole))
      expect(nextPlace(condensed(fold).columns.entries) - condensed(fold).columns.entries.from).toBeLessThan(300)
    }
  })

  const thought = (said: number, unsaid: number): Message & { readonly thinking: string } => ({
    role: 'assistant',
    content: times(said),
    thinking: times(unsaid),
  })
  const looks = (count: number, found: number): Message[] =>
    Array.from({ length: count }, (_, step) => [
      assistant('', call(`${step}`, 'look'), call(`${step} again`, 'look')),
      result(`${step}`, times(found)),
      ...(step % 3 ? [result(`${step} again`, 'found')] : []),
    ]).flat()
  const asks = (count: number, words: number, answer: Message): Message[] =>
    Array.from({ length: count }, () => [user(times(words)), answer]).flat()

  test.each<[string, Log]>([
    [
      'notes before anything is said',
      [
        note(times(80)),
        note(times(30)),
        ...Array.from({ length: 40 }, () => note('n')),
        ...asks(6, 5, assistant(times(12))),
      ],
    ],
    [
      'a note before anything is said, and more notes later than are sent',
      [
        { role: 'system', content: 'Be brief.' },
        note('n'),
        ...Array.from({ length: 24 }, (_, turn) => [user(times(9)), note(`${turn}`), assistant(times(12))]).flat(),
      ],
    ],
    ['an answer before any question', [assistant(times(20)), note('n'), ...asks(8, 9, assistant(times(7)))]],
    ['more reasoning than answers', [...asks(9, 6, thought(4, 60)), user('last')]],
    [
      'a long turn with reasoning',
      [user(times(30)), thought(3, 90), user('q'), ...Array.from({ length: 9 }, () => thought(2, 25)), user('last')],
    ],
    ['a long first question', [user(times(70)), assistant('a'), ...asks(8, 6, thought(8, 40))]],
    [
      'long results in one turn',
      [user('q'), assistant('a'), user(times(12)), ...looks(9, 40), user('last'), assistant('b')],
    ],
    ['short results for open calls', [user('q'), ...looks(6, 0), user('r'), ...looks(6, 1), user('last')]],
    [
      'late system entries and a marker',
      [
        user('look'),
        { role: 'system', content: '[Several conversation turns removed to conserve context.]' },
        ...asks(4, 8, assistant(times(8))),
        { role: 'system', content: times(6) },
        ...asks(5, 4, thought(6, 9)),
        { role: 'system', content: times(6) },
        user('last'),
      ],
    ],
    [
      'less room for an outline than when it was made',
      Array.from({ length: 6 }, (_, part) => [
        ...asks(5, 2, assistant('a')),
        { role: 'system', content: times(part) },
        user('q'),
        note(times(9)),
      ]).flat(),
    ],
    [
      'notes in every turn',
      Array.from({ length: 18 }, (_, turn) => [
        user(times(turn % 7)),
        note(`${turn} ${times(turn % 5)}`),
        assistant(times(6)),
      ]).flat(),
    ],
  ])('that is condensed with every entry goes on like the whole, in every window: %s', (_, said) => {
    const entries = entriesOf(...said)
    const more: Policy[] = [
      ...policies,
      tiered({ verbatim: 5 }),
      firstAndRecent({ overflow: 'keep' }),
      { ...defaultPolicy({ recall: 'off' }), epochs: { low: 1 } },
      { ...defaultPolicy({ recall: 'off' }), epochs: { low: 0.8 }, firstUser: { share: 0.6 } },
      { ...defaultPolicy({ recall: 'off' }), outline: null },
      { ...defaultPolicy({ recall: 'off' }), outline: { share: 0.5, line: 12 } },
    ]
    let compared = 0
    for (const policy of more)
      for (let window = 40; window < 400; window += step)
        compared += follow(entries, { window, policy, counter: words })
    expect(compared).toBeGreaterThan(entries.length)
  })

  test('still has the outline that its epoch began with, where there would be less room for it now', () => {
    const options = {
      window: 1000,
      policy: { ...defaultPolicy({ recall: 'off' }), outline: { share: 0.5, line: 12 } },
      counter: words,
    }
    const before = entriesOf(...asks(435, 2, assistant('a'))).reduce<Fold>(advance, createFold(options))
    const after = entriesOf(...asks(435, 2, assistant('a')), { role: 'system', content: times(220) })
      .slice(-1)
      .reduce<Fold>(advance, before)
    expect(after.epoch).toBe(before.epoch)
    expect(outcome(condensed(after))).toBe(outcome(after))
  })

  test.each<[string, (fold: Fold) => unknown]>([
    ['another window', (fold) => compile(fold, { window: 310 })],
    ['another policy', (fold) => compile(fold, { policy: tiered() })],
    ['another counter', (fold) => compile(fold, { counter: { ...words, name: 'other' } })],
    ['its entries', (fold) => entriesOfFold(fold)],
    ['another window when it is loaded', (fold) => loadFold(saveFold(fold), { ...small, window: 310 })],
  ])('that is asked for %s says that it has forgotten what it would need', (_, ask) => {
    const fold = condensed(talk(400).reduce<Fold>(advance, createFold(small)))
    expect(() => ask(fold)).toThrow(expect.objectContaining({ code: 'not_loaded' }))
  })

  test('knows all that it can send whole, and all that it may recall', () => {
    const whole = talk(40).reduce<Fold>(advance, createFold({ ...small, window: 10_000 }))
    expect(condensed(whole)).toBe(whole)
    const recalling = talk(400).reduce<Fold>(advance, createFold({ window: 300, counter: words }))
    expect(condensed(recalling)).toBe(recalling)
  })
})

const small: CompileOptions = { window: 300, policy: defaultPolicy({ recall: 'off' }), counter: words }

/** Turns of all sorts, some with calls, notes, or a system entry. */
function talk(length: number): Entry[] {
  const said: Log[number][] = [{ role: 'system', content: 'Be brief.' }]
  for (let turn = 0; said.length < length; turn++) {
    said.push(user(`question ${turn} ${times((turn * 7) % 23)}`))
    if (turn % 4 === 0)
      said.push(
        assistant('', call(`${turn}`, 'look', { page: turn })),
        ...(turn % 8 ? [result(`${turn}`, times((turn * 5) % 31))] : []),
      )
    if (turn % 9 === 0) said.push(note(`note ${turn} ${times(turn % 6)}`))
    if (turn === 50) said.push({ role: 'system', content: 'Be briefer.' })
    said.push(assistant(`answer ${turn} ${times((turn * 11) % 41)}`))
  }
  return entriesOf(...said)
}

/**
 * Returns how often a condensed fold was compared with the whole. As long as nothing is forgotten both are one object,
 * and there is nothing to compare.
 */
function follow(entries: readonly Entry[], options: CompileOptions): number {
  let whole: Fold = createFold(options)
  let fold: Fold = whole
  let compared = 0
  for (const entry of entries) {
    const isSame = fold === whole
    whole = advance(whole, entry)
    fold = condensed(isSame ? whole : advance(fold, entry))
    if (fold === whole) continue
    expect(outcome(fold)).toBe(outcome(whole))
    compared++
  }
  return compared
}

function reloaded(fold: Fold, options: CompileOptions): Fold {
  return loadFold(JSON.parse(bytes(fold)), options)
}

function bytes(fold: Fold): string {
  return JSON.stringify(saveFold(fold))
}

function outcome(fold: Fold): string {
  try {
    return JSON.stringify(compile(fold))
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code !== 'not_loaded') return error.message
    throw error
  }
}
