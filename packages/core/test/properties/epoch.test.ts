import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, defaultPolicy, type CompileResult, type Message } from 'minutebook'
import { advance, createFold, type Fold } from 'minutebook/fold'
import { assistant, call, result, user, words } from '@minutebook/testing'
import { anyProfile, logs } from '../../../../tests/support/arbitrary.ts'
import { unlessOverflow } from '../../../../tests/support/attempt.ts'
import { entriesOf, note } from '../../../../tests/support/entries.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

const recalls = fc.constantFrom('off' as const, 'gated' as const, 'eager' as const)

describe('within an epoch', () => {
  test.each(logs)(
    "a prompt of %s begins with the one before it, up to that one's recall block or last message",
    (_, anyLog) => {
      let compared = 0
      const drawn = [
        anyLog,
        anyLog,
        recalls,
        fc.integer({ min: 60, max: 500 }),
        fc.option(anyProfile, { nil: {}, freq: 1 }),
      ] as const
      fc.assert(
        fc.property(...drawn, (one, two, recall, window, profile) => {
          const options = {
            window,
            policy: defaultPolicy({ recall }),
            counter: words,
            profile: { ...profile, needsUser: false },
          }
          let fold: Fold = createFold(options)
          let before: CompileResult | undefined
          for (const entry of entriesOf(...one, ...two)) {
            fold = advance(fold, entry)
            const after = unlessOverflow(() => compile(fold))
            if (before && after && before.plan.epoch.since === after.plan.epoch.since) {
              expect(after.plan.epoch.number).toBe(before.plan.epoch.number)
              const stable = stablePart(before)
              expect(after.messages.slice(0, stable.length)).toEqual(stable)
              compared++
            }
            before = after
          }
        }),
        withSure(10, cases('long'), drawn),
      )
      expect(compared).toBeGreaterThan(0)
    },
  )

  test('a result that is shorter than the words that stood in for it changes the beginning: recall may find room that was not there', () => {
    const exchange = (index: number): Message[] => [
      user(`storm ${index} w w w w`),
      assistant(`lamp ${index} ${'x '.repeat(14)}`),
    ]
    const log = [
      ...Array.from({ length: 6 }, (_, index) => exchange(index)).flat(),
      user('storm 1 lamp?'),
      assistant('', call('1', 'f')),
      result('1', ''),
    ]
    const folds = log.map((_, index) =>
      log.slice(0, index + 1).reduce<Fold>(advance, createFold({ window: 103, counter: words })),
    )
    const [before, after] = folds.slice(-2).map((fold) => compile(fold))
    expect(before!.messages.slice(0, -1)).not.toEqual(after!.messages.slice(0, before!.messages.length - 1))
    expect(after!.plan.epoch).toEqual({ number: before!.plan.epoch.number, since: log.length })
    expect(before!.plan.epoch.since).toBeLessThan(log.length)
  })

  test('a result that comes after a note which waited for it changes the beginning, and a note that waits does not', () => {
    const log = entriesOf(
      user('q'),
      assistant('', call('1', 'f')),
      note('n'),
      note('m'),
      result('1', 'r r r r r r r r'),
      note('o'),
    )
    const epochs = log.map(
      (_, index) => log.slice(0, index + 1).reduce<Fold>(advance, createFold({ window: 1000, counter: words })).epoch,
    )
    expect(epochs.map(({ since }) => since)).toEqual([0, 0, 0, 0, 5, 5])
    expect(epochs.map(({ number }) => number)).toEqual([0, 0, 0, 0, 0, 0])
    const replayed = compile(log.reduce<Fold>(advance, createFold({ window: 2000, counter: words })), { window: 1000 })
    expect(replayed.plan.epoch).toEqual({ number: 0, since: 5 })
  })

  test('a system entry after a note that opens the log changes the beginning, for it goes before it', () => {
    const log = entriesOf(note('n'), note('m'), { role: 'system', content: 's' })
    expect(log.reduce<Fold>(advance, createFold({ window: 1000, counter: words })).epoch).toMatchObject({
      number: 0,
      since: 3,
    })
  })

  test('tools do not begin another, however short their results are and however many run at once', () => {
    const steps = Array.from({ length: 10 }, (_, index) => [
      assistant('', call(`${index}a`, 'f'), call(`${index}b`, 'f')),
      result(`${index}a`, 'r'),
      result(`${index}b`, 'r'),
    ])
    const before = [user('q'), ...steps.flat()].reduce<Fold>(advance, createFold({ window: 1000, counter: words }))
    expect(compile(before).plan.epoch.number).toBe(0)
    const after = [assistant('w '.repeat(500)), user('q'), assistant('w '.repeat(500))].reduce<Fold>(advance, before)
    expect(compile(after).plan.epoch.number).toBeGreaterThan(0)
  })

  test('compaction is rare: most prompts of a long conversation begin with the one before', () => {
    let fold: Fold = createFold({
      window: 1000,
      reserve: 100,
      policy: defaultPolicy({ recall: 'off' }),
      counter: words,
    })
    let same = 0
    let epoch = 0
    for (let turn = 0; turn < 200; turn++) {
      fold = advance(advance(fold, { role: 'user', content: `question ${turn} about the storm` }), {
        role: 'assistant',
        content: `answer ${turn} `.repeat(10),
      })
      if (fold.epoch.number === epoch) same++
      epoch = fold.epoch.number
    }
    expect(same).toBeGreaterThan(170)
    expect(epoch).toBeGreaterThan(3)
  })
})

/** Everything before the recall block, or before the last message; a merged message counts with what it holds last. */
function stablePart({ messages, pieces }: CompileResult): unknown[] {
  const recall = pieces.findIndex((each) => each.some(({ label }) => label === 'RECALL'))
  return messages.slice(0, recall < 0 ? -1 : recall)
}
