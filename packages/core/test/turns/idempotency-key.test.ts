import { memoryStore, openBook, type Book, type Model, type Store, type Tool } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { script } from '../support/scripted.ts'

/** A call that ran, as its tool saw it. */
interface Ran {
  readonly call: string | undefined
  readonly key: string
  readonly term: number
}

/** A book whose one tool notes how it was called, and then hangs if `hangs` is set. */
function noting(store: Store, model: Model, { hangs = false } = {}): { readonly book: Book; readonly ran: Ran[] } {
  const ran: Ran[] = []
  const pay: Tool = {
    name: 'pay',
    parameters: { type: 'object' },
    mayRepeat: true,
    run: async (_, { call: { id }, idempotencyKey, term }) => {
      ran.push({ call: id, key: idempotencyKey, term })
      if (hangs) await new Promise(() => undefined)
      return 'paid'
    },
  }
  return { book: openBook({ store, model, tools: [pay], window: 4096, clock: systemClock }), ran }
}

const twice = assistant(null, call('one', 'pay', { euros: 5 }), call('two', 'pay', { euros: 5 }))

test('stays the same where another process runs the calls again, under a higher term', async () => {
  const store = memoryStore()
  const first = noting(store, script(twice), { hangs: true })
  void first.book.thread('t').send('Pay twice')
  await expect.poll(() => first.ran.length).toBe(2)
  const second = noting(store, script('Paid.'))
  expect(await second.book.thread('t').resume().done).toMatchObject({ status: 'complete' })
  expect(second.ran.map(({ call: id, key }) => [id, key])).toEqual(first.ran.map(({ call: id, key }) => [id, key]))
  expect(second.ran[0]!.term).toBeGreaterThan(first.ran[0]!.term)
})

test('is another one for each call: of one answer, of two answers, of two threads, and of a retry', async () => {
  const store = memoryStore()
  const { book, ran } = noting(store, script(twice, twice, 'Paid.', twice, 'Paid.', twice, 'Paid.'))
  await book.thread('t').send('Pay').done
  await book.thread('u').send('Pay').done
  const entries = await book.thread('u').entries()
  await book.thread('u').retry({ of: entries.find(({ kind }) => kind === 'user')!.id }).done
  expect(ran).toHaveLength(8)
  expect(new Set(ran.map(({ key }) => key)).size).toBe(8)
  // The words of the retried answer are the same, so the same entry issued the calls.
  const issuers = (await store.read('u')).filter(({ kind, calls }) => kind === 'assistant' && calls.length > 0)
  expect(issuers).toHaveLength(1)
})

test('is a hash, in which nothing can be read that was said', async () => {
  const { book, ran } = noting(memoryStore(), script(twice, 'Paid.'))
  await book.thread('secret').send('Pay').done
  expect(ran.map(({ key }) => key)).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ])
})
