import { policyOf } from '@minutebook/experiment/run'
import { defaultPolicy, firstAndRecent, lastMessages, tiered, type Policy, type TokenCounter } from 'minutebook'
import { withShares } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { callArchive } from '../../../server/src/archive/calls.ts'
import { gathered, recorded } from '../../../../tests/support/server/recorded.ts'
import { configOf, optionsOf, policyConfigOf, type Changes } from '../../src/lab/changes.ts'
import { seriesOf, tally, verdictChanges } from '../../src/lab/differences.ts'
import { findRestoration } from '../../src/lab/lab-worker.ts'
import { labCall, openLab, recompiled, type Lab, type LabCall } from '../../src/lab/lab.ts'

const topics = ['ferns', 'moss', 'ivy', 'hostas', 'roses', 'tulips', 'beans', 'peas', 'figs', 'vines', 'sage', 'thyme']
const questions = topics.map(
  (topic, index) =>
    `Question ${index + 1}: what do ${topic} need in the shade of an old wall, and how often are they watered in summer?`,
)
const words: TokenCounter = { name: 'my words', count: (text) => text.split(' ').length, overhead: 2 }

async function opened(counter?: TokenCounter, window = 420): Promise<Lab> {
  const { store, book } = await recorded({ garden: questions }, [], { window, ...(counter && { counter }) })
  const lines = await gathered(book.thread('garden').export())
  return openLab(lines, await callArchive(store, { counters: counter ? [counter] : [] }).counts('garden'))
}

async function drawn(lab: Lab, changes: Changes): Promise<LabCall> {
  const call = await labCall(lab, lab.receipts.at(-1)!, changes)
  if ('problem' in call) throw new Error(call.problem.message)
  return call
}

describe('untouched, a lab', () => {
  test.each([
    ['the estimator', undefined, 420],
    ['a counter that only the server has', words, 110],
  ] as const)('gives every recorded prompt exactly, under %s', async (_, counter, window) => {
    const lab = await opened(counter, window)
    const calls = await gathered(recompiled(lab, {}))
    expect(tally(calls)).toEqual({ same: questions.length, other: 0, impossible: 0 })
    expect(await drawn(lab, {})).toMatchObject({ same: true, hash: lab.receipts.at(-1)!.hash })
    expect((await drawn(lab, {})).estimated).toEqual({ texts: 0, tokens: 0 })
    const { tokens, reuse } = seriesOf(lab.receipts, calls, { input: 1, reused: 1, output: 1 })
    expect(tokens.changed).toEqual(tokens.recorded)
    expect(reuse.changed).toEqual(reuse.recorded)
  })

  test('leaves no reason, verdict or pane out', async () => {
    const call = await drawn(await opened(), {})
    expect(call.shares.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(call.window)
    expect(new Set(call.entries.map(({ verdict }) => verdict)).size).toBeGreaterThan(1)
  })
})

describe('with a slider touched, a lab', () => {
  test('sends more in a larger window, and says what changed', async () => {
    const lab = await opened()
    const [before, after] = [await drawn(lab, {}), await drawn(lab, { window: 8000 })]
    expect(after.same).toBe(false)
    expect(new Set(after.entries.map(({ verdict }) => verdict))).toEqual(new Set(['verbatim']))
    const changes = verdictChanges(before.entries, after.entries)
    expect(changes.length).toBeGreaterThan(0)
    expect(changes.every((change) => change.after === 'verbatim')).toBe(true)
  })

  test('says of a window that is too small for the floor that it is, and goes on', async () => {
    const lab = await opened()
    const calls = await gathered(recompiled(lab, { window: 24 }))
    expect(calls).toHaveLength(questions.length)
    expect(tally(calls).impossible).toBeGreaterThan(0)
    expect(await labCall(lab, lab.receipts.at(-1)!, { window: 24 })).toMatchObject({
      problem: { code: 'window_overflow' },
    })
  })

  test('counts only new text, as an estimate with its margin', async () => {
    const lab = await opened(words, 110)
    const call = await drawn(lab, { preset: 'tiered', verbatim: 1, outline: 0 })
    expect(call.counter).toBe('my words')
    expect(call.estimated.texts).toBeGreaterThan(0)
    expect(call.estimated.texts).toBeLessThan(60)
    expect(lab.counts.margin).toBeLessThan(0.5)
    const told = call.messages.reduce((sum, { tokens }) => sum + tokens, 0)
    const really = call.messages.reduce(
      (sum, { pieces }) => sum + 2 + words.count(pieces.map(({ text }) => text).join(' ')),
      0,
    )
    expect(Math.abs(told - really) / really).toBeLessThan(0.2)
  })

  test('costs by what is new, what is reused and what is answered', () => {
    const calls = [
      { id: 'a', tokens: { predicted: 1000, reused: 0, reported: { completion: 100 } } },
      { id: 'b', tokens: { predicted: 1500, reused: 1000, reported: {} } },
    ]
    const { cost, reuse } = seriesOf(
      calls,
      [
        { receipt: 'a', tokens: 500, reused: 0, messages: 1, same: false, overflow: 0, epoch: 0 },
        { receipt: 'b', problem: { code: 'x', message: '' } },
      ],
      { input: 2, reused: 1, output: 10 },
    )
    expect(cost.recorded).toEqual([0.003, 0.005])
    expect(cost.changed).toEqual([0.002, 0.002])
    expect(reuse.changed).toEqual([0, null])
  })
})

describe('an entry that the model did not see', () => {
  test('is brought back by the first change that does so', async () => {
    const lab = await opened()
    const lost = (await drawn(lab, {})).entries.find(
      ({ verdict }) => verdict === 'digested' || verdict === 'outlined' || verdict === 'omitted',
    )!
    const found = (await findRestoration(lab, lab.receipts.at(-1)!, lost.id, 16_000))!
    expect(found.call.entries.find(({ id }) => id === lost.id)?.verdict).toMatch(/verbatim|recalled|clipped/)
    expect(await findRestoration(lab, lab.receipts.at(-1)!, 'nobody', 16_000)).toBeUndefined()
  })
})

describe('a policy', () => {
  test.each<[string, Policy]>([
    ['default', defaultPolicy()],
    ['default, eager', defaultPolicy({ recall: 'eager', overflow: 'keep' })],
    ['default without recall and epochs', defaultPolicy({ recall: 'off', epochs: false })],
    ['tiered', tiered({ verbatim: 5 })],
    ['tiered with longer lines', tiered({ line: 96 })],
    ['lastMessages', lastMessages(7)],
    ['firstAndRecent', firstAndRecent()],
    ['with notes under the user role', withShares(defaultPolicy(), { notesRole: 'user' })],
    ['with other shares', withShares(defaultPolicy(), { outline: 0.3, recall: 0.1, notes: 0.05 })],
    ['without an outline', withShares(tiered(), { outline: 0, recall: 0.2 })],
  ])('%s is what its configuration says', (_, policy) => {
    expect(policyOf(configOf(policy))).toEqual(policy)
  })

  test('is left alone where no slider of it was touched', () => {
    expect(optionsOf({ window: 100 }, tiered())).toEqual({ window: 100 })
    expect(optionsOf({ outline: 0.2 }, defaultPolicy())).toEqual({
      policy: withShares(defaultPolicy(), { outline: 0.2 }),
    })
    expect(policyConfigOf({ preset: 'lastMessages', verbatim: 9 }, defaultPolicy())).toEqual({
      preset: 'lastMessages',
      messages: 9,
      overflow: 'error',
    })
  })
})
