import { defineTool, localQueue, memoryStore, openBook, type Book, type Model, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { tickClock } from '../support/tick-clock.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** The two ways to run a turn. */
const ways = [
  [
    'without a queue',
    async (store: Store, model: Model): Promise<Book> => openBook({ store, model, window: 4096, clock: tickClock() }),
  ],
  [
    'with a queue',
    async (store: Store, model: Model): Promise<Book> => {
      const open = openBook({ store, model, window: 4096, clock: tickClock(), queue: localQueue(store) })
      await open.work()
      return open
    },
  ],
] as const

/** What can happen to a message that waits in the thread `t`, and how many threads are left. */
const ends: readonly (readonly [string, number, (open: Book, id: string) => Promise<unknown>])[] = [
  ['is erased', 1, (open, id) => open.thread('t').erase([id])],
  ['is erased with its whole thread', 1, (open) => open.thread('t').erase()],
  ['is removed with its thread', 0, (open) => open.remove('t')],
]

describe.each(ways)('a message that waits %s', (_, opened) => {
  test.each(ends)('and %s is taken back: it is not recorded again', async (_end, threads, end) => {
    const store = memoryStore()
    const { model, release } = slow('One.', 'Two.')
    const open = await opened(store, model)
    const first = open.thread('t').send('first')
    await first.recorded
    const second = open.thread('t').send('My code is 4711', { id: 'k', ifBusy: 'queue' })
    const waiting = await second.recorded
    expect(waiting).toMatchObject({ kind: 'pending' })
    const joined = open.thread('t').send('My code is 4711', { id: 'k' })
    await joined.recorded
    await end(open, waiting!.id)
    release()
    await first.done
    expect(await joined.done).toMatchObject({ status: 'cancelled' })
    expect(await second.done).toMatchObject({ status: 'cancelled', turn: null, reason: { code: 'cancelled' } })
    expect(JSON.stringify(await store.read('t'))).not.toContain('4711')
    expect((await open.threads()).threads).toHaveLength(threads)
  })
})

describe('without a queue, a message that is erased', () => {
  test('while it waits for a decision is taken back at once', async () => {
    const order = defineTool({ name: 'order', parameters: {}, approve: true, run: () => 'ordered' })
    const model = script(assistant(null, call('c', 'order')), 'Done.')
    const thread = book({ model, tools: [order], clock: tickClock() }).thread('t')
    expect(await thread.send('Buy').done).toMatchObject({ status: 'waiting' })
    const waiting = thread.send('My code is 4711', { ifBusy: 'queue' })
    await thread.erase([(await waiting.recorded)!.id])
    expect(await waiting.done).toMatchObject({ status: 'cancelled', turn: null })
    const [open] = await thread.waiting()
    expect(await thread.decide(open!.id, { do: 'run' }).done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(JSON.stringify(model.requests)).not.toContain('4711')
  })

  test('and was sent again while its turn ran is not recorded again', async () => {
    const store = memoryStore()
    const { model, release } = slow('One.', 'Two.')
    const thread = book({ model }, store).thread('t')
    const first = thread.send('My code is 4711', { id: 'k' })
    const asked = await first.recorded
    const again = thread.send('My code is 4711', { id: 'k', ifBusy: 'queue' })
    // Until it has found the first one.
    await tick()
    await thread.erase([asked!.id])
    release()
    await first.done
    expect(await again.done).toMatchObject({ status: 'cancelled', turn: null })
    expect(JSON.stringify(await store.read('t'))).not.toContain('4711')
  })

  test.each(ends)('while a resumed turn runs: what waits and %s is not answered', async (_end, threads, end) => {
    const store = memoryStore()
    const asked = entryOf({ role: 'user', content: 'first' })
    const waiting = entryOf({ role: 'user', content: 'My code is 4711' }, asked, { kind: 'pending', key: 'k' })
    await store.append('t', [asked, waiting])
    const { model, release } = slow('One.', 'Two.')
    const open = book({ model }, store)
    const turn = open.thread('t').resume()
    await turn.recorded
    await end(open, waiting.id)
    release()
    await turn.done
    expect(JSON.stringify(await store.read('t'))).not.toContain('4711')
    expect((await open.threads()).threads).toHaveLength(threads)
  })
})
