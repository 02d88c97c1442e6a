import type { Heard } from '@minutebook/experiment/run'
import { expect, test } from 'vitest'
import { arrowsOf } from '../src/runs/arrows.ts'
import { changesOf, settingsIn } from '../src/runs/run-settings.ts'

const places = {
  lanes: ['ann', 'bob', 'cy'],
  top: 30,
  lane: 20,
  column: 40,
  left: (round: number): number | undefined => (round <= 5 ? round * 40 : undefined),
}

test('an arrow is straight within a round, and a curve to a later one', () => {
  const told: readonly Heard[] = [
    { from: 'ann', to: 'cy', said: 1, heard: 1 },
    { from: 'ann', to: 'cy', said: 1, heard: 1 },
    { from: 'cy', to: 'ann', said: 2, heard: 2 },
    { from: 'bob', to: 'ann', said: 2, heard: 4 },
    { from: 'bob', to: 'ann', said: 5 },
    { from: 'bob', to: 'ann', said: 5, heard: 6 },
    { from: 'bob', to: 'whoever', said: 1, heard: 1 },
  ]
  expect(arrowsOf(told, places).map(({ from, to, said, path }) => [from, to, said, path])).toEqual([
    ['ann', 'cy', 1, 'M76 45V73.33'],
    ['cy', 'ann', 2, 'M116 75V46.67'],
    ['bob', 'ann', 2, 'M116 60C138.5 60 138.5 40 161 40'],
  ])
})

test.each([
  [{ name: 'm', window: 4096, temperature: 0.7 }, 'window 4,096 · temp. 0.7'],
  [{ name: 'm', options: { temperature: 0 } }, 'temp. 0'],
  ['m', ''],
  [{ name: 'm', window: '<b>' }, ''],
])('of the model %j is said: %s', (model, words) => {
  expect(settingsIn({ participants: { ann: { model } } }, 'ann')).toBe(words)
  expect(settingsIn(undefined, 'ann')).toBe('')
  expect(settingsIn({ participants: { ann: { model } } }, 'constructor')).toBe('')
})

test('what a fork changed is said, unless a definition may not be seen', () => {
  expect(changesOf({ limits: { rounds: 3 } }, { limits: { rounds: 5 }, seed: 2 })).toEqual([
    { path: 'limits.rounds', before: '3', after: '5' },
    { path: 'seed', before: 'not set', after: '2' },
  ])
  expect(changesOf(undefined, {})).toBeUndefined()
  expect(changesOf({}, {})).toEqual([])
  expect(changesOf({ a: `${'x'.repeat(500)}1` }, { a: `${'x'.repeat(500)}\u202e` })![0]!.after).toMatch(
    /^….*⟨U\+202E⟩$/,
  )
})
