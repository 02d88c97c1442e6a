import { memoryStore, type Store } from 'minutebook'
import { sumFigures, type Figures } from 'minutebook/store'
import { expect, test } from 'vitest'
import { words } from '@minutebook/testing'
import { countWriting, figuresOf, problemsIn } from '../../src/receipts/call-count.ts'
import type { Receipt } from '../../src/receipts/receipt.ts'
import { relayBook, said } from '../../../../tests/support/relays.ts'

const receipt: Receipt = {
  version: 1,
  head: 'a',
  upto: 'a',
  length: 1,
  settings: 's',
  hash: 'h',
  tokens: { predicted: 100, reused: 40, reported: { prompt: 90, cached: 30, completion: 7 } },
  epoch: 0,
  verdicts: { verbatim: 3, hidden: 2 },
  outcome: 'stop',
}
const usual = { calls: 1, sentTokens: 100, reusedTokens: 40, readTokens: 90, cachedTokens: 30, answerTokens: 7 }

test.each<readonly [what: string, change: Partial<Receipt>, more: Partial<Figures>, problems: readonly string[]]>([
  ['a whole answer', {}, {}, []],
  ['a cut prompt', { truncated: 'yes' }, { cutCalls: 1, cutTokens: 10 }, ['cut']],
  ['a prompt that may be cut', { truncated: 'unknown' }, {}, []],
  ['a failed call', { outcome: 'failed' }, { failed: 1 }, ['failed']],
  ['a cancelled call', { outcome: 'cancelled' }, { cancelled: 1 }, []],
  ['a refused prompt', { outcome: 'refused' }, { resent: 1 }, []],
  ['an unfit answer', { outcome: 'unfit' }, { resent: 1 }, []],
  ['an answer that was cut off', { outcome: 'length' }, {}, ['partial']],
  ['outlined entries', { verdicts: { verbatim: 3, outlined: 4 } }, { outlined: 4, omittedCalls: 1 }, []],
  ['a brief of old entries', { verdicts: { verbatim: 3, digested: 4 } }, { digested: 4 }, []],
  [
    'a clipped question',
    { verdicts: { verbatim: 3, clipped: 1 }, turn: { question: 'clipped', verdicts: { clipped: 1 } } },
    { clipped: 1, clippedCalls: 1, clippedQuestions: 1 },
    ['question'],
  ],
  [
    'a clipped result of its turn',
    { verdicts: { verbatim: 3, clipped: 1 }, turn: { question: 'verbatim', verdicts: { verbatim: 1, clipped: 1 } } },
    { clipped: 1, clippedCalls: 1 },
    ['turn'],
  ],
])('%s is counted, and says what is wrong', (_, change, more, problems) => {
  const counted = { ...receipt, ...change }
  expect(sumFigures([figuresOf(counted)])).toEqual(sumFigures([{ verbatim: 3, ...usual }, more]))
  expect(problemsIn(counted)).toEqual(problems)
})

test('an answer that is recorded at the second attempt counts once, and its problem is in the list', async () => {
  const behind = memoryStore()
  let isLost = false
  const store: Store = {
    ...behind,
    append: async (...given) => {
      const appended = await behind.append(...given)
      if (isLost) throw new Error('the answer of the store is lost')
      return appended
    },
  }
  const relay = await relayBook({ owner: 'app' }, store)
    .thread('t')
    .relay([{ role: 'user', content: 'Hi' }], { owner: 'ann' })
  isLost = true
  await expect(relay.answer(said('Hello.', { finish: 'length' }))).rejects.toThrow('lost')
  isLost = false
  const { receipt: kept } = await relay.answer(said('Hello.', { finish: 'length' }))
  const [row, ...others] = await behind.figures()
  expect([row?.figures.calls, row?.key, row?.model, others.length]).toEqual([1, 'ann', 'm', 0])
  const found = await behind.records.find({ name: 'problem' })
  expect(found.map(({ thread, key, value }) => [thread, key, (value as { entry: string }).entry])).toEqual([
    ['t', 'partial', kept.id],
  ])
})

test('a question that fits no window counts as unsent', async () => {
  const store = memoryStore()
  const thread = relayBook({ window: 50, reserve: 10, counter: words, system: 'many words '.repeat(40) }, store).thread(
    't',
  )
  await expect(thread.relay([{ role: 'user', content: 'Hi' }])).rejects.toMatchObject({ code: 'context_overflow' })
  expect((await store.figures()).map(({ figures: { calls, unsent } }) => [calls, unsent])).toEqual([[0, 1]])
  expect((await store.records.find({ name: 'problem' })).map(({ key }) => key)).toEqual(['overflow'])
})

test('an entry without a time adds nothing', () => {
  const { count, records } = countWriting({ settings: { model: 'm' }, owner: '' })
  expect([count([]), records([])]).toEqual([undefined, []])
})
