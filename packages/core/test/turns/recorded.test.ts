import { localQueue, memoryStore, openBook, type Model, type Store, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { shape } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { tickClock } from '../support/tick-clock.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** The two ways to run a turn: here, and by the instance that a queue wakes. */
const ways = [
  [
    'where it is asked for',
    async (store: Store, model: Model): Promise<Thread> =>
      openBook({ store, model, window: 4096, clock: tickClock() }).thread('t'),
  ],
  [
    'by an engine',
    async (store: Store, model: Model): Promise<Thread> => {
      const book = openBook({ store, model, window: 4096, clock: tickClock(), queue: localQueue(store) })
      await book.work()
      return book.thread('t')
    },
  ],
] as const

describe.each(ways)('a turn that is run %s', (_, open) => {
  test('gives its message as soon as that is on record', async () => {
    const store = memoryStore()
    const { model, release } = slow('Yes.')
    const turn = (await open(store, model)).send('Go')
    const recorded = await turn.recorded
    expect(recorded).toMatchObject({ kind: 'user', text: 'Go', seq: 0 })
    expect((await store.read('t')).map(({ id }) => id)).toContain(recorded!.id)
    release()
    expect(await turn.done).toMatchObject({ turn: recorded!.id })
  })

  test('gives one that waits as it waits', async () => {
    const store = memoryStore()
    const { model, release } = slow('One.', 'Two.')
    const thread = await open(store, model)
    const first = thread.send('1')
    await first.recorded
    const second = thread.send('2', { ifBusy: 'queue' })
    expect(await second.recorded).toMatchObject({ kind: 'pending', text: '2' })
    release()
    expect(await second.done).toMatchObject({ status: 'complete', text: 'Two.' })
  })

  test('gives none where the thread is busy', async () => {
    const { model, release } = slow('One.')
    const thread = await open(memoryStore(), model)
    const first = thread.send('1')
    await first.recorded
    expect(await thread.send('2').recorded).toBeUndefined()
    release()
    await first.done
  })

  test('gives the same one for what is sent again, and for another answer to it', async () => {
    const thread = await open(memoryStore(), script('One.', 'Two.'))
    const first = thread.send('1', { id: 'mine' })
    await first.done
    const again = thread.send('1', { id: 'mine' })
    expect((await again.recorded)?.id).toBe((await first.recorded)?.id)
    await again.done
    const retry = thread.retry()
    expect((await retry.recorded)?.id).toBe((await first.recorded)?.id)
    expect(await retry.done).toMatchObject({ text: 'Two.' })
  })

  test('gives the newest message of a history, also where all of it is known', async () => {
    const thread = await open(memoryStore(), script('Hello.', 'Hello again.'))
    const history = [{ role: 'user', content: 'Hi' }]
    const first = thread.send(history)
    const { turn } = await first.done
    const again = thread.send(history)
    expect([(await first.recorded)?.id, (await again.recorded)?.id]).toEqual([turn, turn])
    await again.done
  })

  test('gives none where there is nothing to resume, and where what was said is refused', async () => {
    const thread = await open(memoryStore(), script('One.'))
    expect(await thread.resume().recorded).toBeUndefined()
    await thread.send('1', { id: 'mine' }).done
    expect(await thread.send('2', { id: 'mine' }).recorded).toBeUndefined()
  })

  test('is cancelled by whoever has the thread, which then rests', async () => {
    const store = memoryStore()
    const { model } = slow('Never.')
    const thread = await open(store, model)
    expect(await thread.cancel()).toBe(false)
    const turn = thread.send('Go')
    await turn.recorded
    for (let round = 0; round < 5; round++) await tick()
    expect(await thread.cancel()).toBe(true)
    expect(shape(await store.read('t'))).toEqual(['user', 'receipt', 'stop cancelled'])
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
    expect(await thread.cancel()).toBe(false)
  })

  test('that is cancelled leaves what waits behind it', async () => {
    const store = memoryStore()
    let calls = 0
    const { model } = slow('Never.')
    const thread = await open(store, (request) => (++calls === 1 ? model(request) : script('Two.')(request)))
    const first = thread.send('1')
    await first.recorded
    const second = thread.send('2', { ifBusy: 'queue' })
    await second.recorded
    for (let round = 0; round < 5; round++) await tick()
    expect(await thread.cancel()).toBe(true)
    expect(await first.done).toMatchObject({ status: 'cancelled' })
    expect(await second.done).toMatchObject({ status: 'complete', text: 'Two.' })
  })
})

describe('cancelling a turn from another instance', () => {
  const deaf: Model = async function* () {
    yield { type: 'text', text: 'Half ' }
    await new Promise(() => undefined)
  }

  test('that runs there', async () => {
    const { join } = company()
    join({ model: slow('Never.').model })
    const [thread, other] = [join({}, { works: false }).book.thread('t'), join({}, { works: false }).book.thread('t')]
    const turn = thread.send('Go')
    await turn.recorded
    expect(await other.cancel()).toBe(true)
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
  })

  test('whose runner does not heed it, or is not there yet', async () => {
    for (const works of [true, false]) {
      const { join } = company()
      const runner = join({ model: deaf }, { works })
      const thread = join({}, { works: false }).book.thread('t')
      const turn = thread.send('Go')
      await turn.recorded
      for (let round = 0; round < 5; round++) await tick()
      if (works) runner.die()
      expect(await thread.cancel()).toBe(true)
      expect(await turn.done).toMatchObject({ status: 'cancelled' })
    }
  })
})

describe('what a thread is worked with', () => {
  test('may be asked for, thread by thread', async () => {
    const store = memoryStore()
    const book = openBook({ store, queue: localQueue(store), clock: tickClock() })
    const stop = await book.work({
      options: async (thread) => {
        await tick()
        return { model: script(`I am ${thread}.`), window: 1000 }
      },
    })
    const results = await Promise.all(['one', 'two'].map((name) => book.thread(name).send('Who?').done))
    expect(results.map(({ text }) => text)).toEqual(['I am one.', 'I am two.'])
    await stop()
  })

  test('and where that fails the one who works is told, and others go on', async () => {
    const store = memoryStore()
    const errors: unknown[] = []
    const book = openBook({ store, queue: localQueue(store), clock: tickClock() })
    let isUp = false
    const stop = await book.work({
      options: (thread) =>
        thread === 'bad' && !isUp ? Promise.reject(new Error('down')) : { model: script('Yes.'), window: 1000 },
      onError: (thread, error) => errors.push([thread, String(error)]),
    })
    const bad = book.thread('bad').send('Who?')
    expect(await book.thread('good').send('Who?').done).toMatchObject({ text: 'Yes.' })
    await expect.poll(() => errors).toEqual([['bad', 'Error: down']])
    isUp = true
    expect(await book.thread('bad').resume().done).toMatchObject({ text: 'Yes.' })
    expect(await bad.done).toMatchObject({ text: 'Yes.' })
    await stop()
  })
})
