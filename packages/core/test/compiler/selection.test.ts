import { describe, expect, test } from 'vitest'
import { atOnce } from '../../src/log/time.ts'
import type { Ranking } from '../../src/compiler/rank-entries.ts'
import type { RecallSetting } from '../../src/compiler/policy.ts'
import { asks, selectUnits, type Unit } from '../../src/compiler/recall.ts'

/** Candidates as `[entry, tokens, value]`, best first, under a query of weight 10. */
function rankingOf(...found: [entry: number, tokens: number, value: number][]): Ranking {
  return {
    weight: 10,
    read: 0,
    candidates: found.map(([entry, tokens, value]) => ({ entry, tokens, value, score: value * 10 })),
  }
}

function select(
  ranking: Ranking,
  setting: RecallSetting,
  room: number,
  unitOf: (entry: number) => Unit | undefined,
): Unit[] {
  return atOnce(
    selectUnits(ranking, setting, room, function* (entry) {
      yield 0
      return unitOf(entry)
    }),
  )
}

const eager: RecallSetting = {
  reserve: 1,
  largest: 1,
  statement: 1,
  ofBest: 0,
  ofWeight: 0,
  leastWeight: 0,
  reads: 4096,
}
const alone = (entry: number): Unit => ({ from: entry, entries: [entry], costs: [10], tokens: 10 })
const three = rankingOf([7, 10, 1], [3, 10, 0.5], [5, 10, 0.1])

const starts = (
  ranking: Ranking,
  setting: Partial<RecallSetting>,
  room: number,
  unitOf: (entry: number) => Unit | undefined = alone,
): number[] => select(ranking, { ...eager, ...setting }, room, unitOf).map(({ from }) => from)

describe('what is recalled', () => {
  test.each<[string, Partial<RecallSetting>, number, number[]]>([
    ['all that fits, in the order of the log', {}, 30, [3, 5, 7]],
    ['the best first where there is little room', {}, 20, [3, 7]],
    ['nothing without room', {}, 9, []],
    ['nothing far below the best', { ofBest: 0.3 }, 30, [3, 7]],
    ['nothing that matches too little of the query', { ofWeight: 0.2 }, 30, [3, 7]],
    ['nothing for a query that says little', { leastWeight: 11 }, 30, []],
    ['something for one that says just enough', { leastWeight: 10 }, 30, [3, 5, 7]],
  ])('%s', (_, setting, room, expected) => {
    expect(starts(three, setting, room)).toEqual(expected)
  })

  test('nothing where nothing was found', () => {
    expect(starts(rankingOf(), {}, 100)).toEqual([])
  })

  test('what does not fit is skipped, and smaller ones after it are not', () => {
    const sized = (entry: number): Unit => ({ ...alone(entry), tokens: entry === 7 ? 50 : 10 })
    expect(starts(three, {}, 20, sized)).toEqual([3, 5])
    expect(starts(rankingOf([7, 50, 1], [3, 10, 0.5]), {}, 20)).toEqual([3])
  })

  test('what may not be recalled is left out and takes no room', () => {
    expect(starts(three, {}, 20, (entry) => (entry === 7 ? undefined : alone(entry)))).toEqual([3, 5])
  })

  test('a call and its results once, whichever of them was found', () => {
    const step: Unit = { from: 3, entries: [3, 4, 5], costs: [5, 10, 10], tokens: 25 }
    const found = rankingOf([7, 10, 1], [3, 10, 0.5], [5, 10, 0.4], [9, 10, 0.3])
    expect(select(found, eager, 60, (entry) => (entry < 6 ? step : alone(entry)))).toEqual([step, alone(7), alone(9)])
  })
})

test.each([
  ['where is it?', true],
  ['どこですか？', true],
  ['أين هو؟', true],
  ['πού είναι\u037e', true],
  ['it is there.', false],
  ['', false],
])('%s asks: %s', (text, expected) => {
  expect(asks(text)).toBe(expected)
})
