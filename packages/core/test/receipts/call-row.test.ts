import { memoryStore, type Store } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import type { CallRow } from 'minutebook/inspect'
import { expect, test } from 'vitest'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { recordNames } from 'minutebook/store'

/** A quarter of a second later each time. */
function ticking(): Clock {
  let quarters = 0
  return {
    now: () => new Date(Date.UTC(2026, 10, 18, 20, 0, 0, 250 * quarters++)).toISOString(),
    after: () => new Promise(() => undefined),
  }
}

async function rowsIn(store: Store, name: string = recordNames.call): Promise<readonly CallRow[]> {
  return (await store.records.find({ name, below: '~' })).map(({ value }) => value as CallRow)
}

test('each model call leaves a row, which says what its receipt says', async () => {
  const store = memoryStore()
  const model = script('One.', new Error('down'), 'Three.')
  const thread = book({ model, clock: ticking(), owner: 'website' }, store).thread('t')
  for (const question of ['one', 'two', 'three']) await thread.send(question).done
  const [third, second, first] = await rowsIn(store)
  const receipts = await thread.receipts()
  expect([first, second, third].map((row) => row?.receipt)).toEqual(receipts.map(({ id }) => id))
  expect([first, second, third].map((row) => row?.turn)).toEqual([1, 2, 3])
  expect([first, second, third].map((row) => row?.outcome)).toEqual(['stop', 'failed', 'stop'])
  for (const [index, row] of [first, second, third].entries()) {
    const { time, tokens } = receipts[index]!
    expect(row).toMatchObject({ owner: 'website', sent: tokens.predicted, total: time!.total, omitted: 0, cut: false })
    expect(row!.ended).toBe(Date.parse(time!.started) + time!.total)
  }
  expect((await rowsIn(store, recordNames.badCall)).map(({ receipt }) => receipt)).toEqual([receipts[1]!.id])
})

test('a relay that is recorded at the second attempt leaves one row', async () => {
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
  const messages = ['Hi', 'Well?'].flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'Hello.' },
  ])
  const relay = await relayBook({ clock: ticking() }, store)
    .thread('t')
    .relay([...messages, { role: 'user', content: 'And now?' }], { owner: 'ann', trusted: true })
  isLost = true
  await expect(relay.answer(said('Hello.'))).rejects.toThrow('lost')
  isLost = false
  const { receipt } = await relay.answer(said('Hello.'))
  expect(await rowsIn(behind)).toMatchObject([{ receipt: receipt.id, owner: 'ann', turn: 3, outcome: 'stop' }])
})

test('rows go with their thread, and have none of its text', async () => {
  const store = memoryStore()
  const books = book({ model: script('Aubergine.', 'Beetroot.'), clock: ticking() }, store)
  for (const name of ['a', 'b']) await books.thread(name).send('Carrots?').done
  expect(JSON.stringify(await rowsIn(store))).not.toMatch(/aubergine|beetroot|carrot/i)
  await store.remove('a')
  expect(await rowsIn(store)).toHaveLength(1)
  await books.thread('b').erase()
  expect(await rowsIn(store)).toEqual([])
})

test('without a clock that tells the time there is no row, and the call is recorded', async () => {
  const store = memoryStore()
  const clock: Clock = { now: () => 'later', after: () => new Promise(() => undefined) }
  const thread = book({ model: script('One.'), clock }, store).thread('t')
  expect((await thread.send('one').done).status).toBe('complete')
  expect(await rowsIn(store)).toEqual([])
})
