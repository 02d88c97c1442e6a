import { defineTool, memoryStore, openBook, type Model, type Store, type ThreadOptions } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call, user } from '@minutebook/testing'
import { shape } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'

/** Says so many words and then nothing more. */
const hangs = (text: string): Model =>
  async function* () {
    yield { type: 'text', text }
    await new Promise(() => undefined)
  }

const deaths = [{ zombie: false }, { zombie: true }] as const

describe.each(deaths)('an instance that dies (still at work: $zombie)', ({ zombie }) => {
  test('in the middle of an answer: another gives one, and whoever listens is told to forget the first', async () => {
    const { join } = company()
    const first = join({ model: hangs('Half an answ') })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    const seen: string[] = []
    for await (const event of turn) {
      if (event.type === 'text' && seen.length === 0) {
        join({ model: script('A whole one.') })
        first.die({ zombie })
      }
      seen.push(event.type === 'text' ? event.text : event.type)
    }
    expect(seen[0]).toBe('Half an answ')
    expect(seen.slice(1).join('').replaceAll(' ', '')).toBe('resetAwholeone.receiptend')
    expect(shape(await thread.entries())).toEqual(['user', 'assistant', 'receipt'])
  })

  test('and whoever takes over has nothing to say yet: those who listen learn of it all the same', async () => {
    const { join } = company()
    const first = join({ model: hangs('Half') })
    const turn = join({}, { works: false }).book.thread('t').send('Go')
    const seen: string[] = []
    for await (const event of turn) {
      seen.push(event.type)
      if (event.type === 'reset') break
      join({ model: hangs('') })
      first.die({ zombie })
    }
    expect(seen).toEqual(['text', 'reset'])
  })

  test.each([
    [true, 2, 'seen'],
    [false, 1, 'interrupted'],
  ] as const)('while a tool runs that may repeat: %s', async (mayRepeat, times, result) => {
    const { join } = company()
    let runs = 0
    const tools = [
      defineTool({
        name: 'look',
        parameters: {},
        mayRepeat,
        run: () => (++runs === 1 ? new Promise(() => undefined) : 'seen'),
      }),
    ]
    const options: ThreadOptions = { model: script(assistant('Looking.', call('c', 'look')), 'Done.'), tools }
    const first = join(options)
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    for await (const event of turn) {
      if (event.type !== 'call') continue
      join(options)
      first.die({ zombie })
    }
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(runs).toBe(times)
    expect((await thread.entries()).find(({ kind }) => kind === 'tool')?.text).toContain(result)
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2 })
  })

  test('with messages waiting: they are answered in their order', async () => {
    const { join, store } = company()
    const first = join({ model: hangs('x') })
    const thread = join({}, { works: false }).book.thread('t')
    const turns = [thread.send('one')]
    await expect.poll(async () => (await store.read('t')).length).toBe(1)
    for (const text of ['two', 'three']) {
      turns.push(thread.send(text, { ifBusy: 'queue' }))
      await expect.poll(async () => (await store.read('t')).some((entry) => entry.text === text)).toBe(true)
    }
    join({ model: script('1', '2', '3') })
    first.die({ zombie })
    expect((await Promise.all(turns.map(({ done }) => done))).map(({ text }) => text)).toEqual(['1', '2', '3'])
  })
})

describe('a deadline', () => {
  test('counts from when the message was recorded, also where another instance takes over', async () => {
    const { join, clock } = company()
    const first = join({ model: hangs('x'), deadline: 5000 })
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    const began = Date.parse(clock.now())
    for await (const event of turn) {
      if (event.type !== 'text' || event.text !== 'x') continue
      await clock.after(3000, new AbortController().signal)
      join({ model: hangs('y'), deadline: 5000 })
      first.die()
      break
    }
    expect(await turn.done).toMatchObject({ status: 'failed', text: 'y', reason: { code: 'deadline' } })
    const took = Date.parse(clock.now()) - began
    expect([took >= 5000, took < 8000]).toEqual([true, true])
  })

  test('that has passed when someone takes over ends the turn at once; a retry has a new one', async () => {
    const { join, clock } = company()
    const model = script('Late.')
    const thread = join({}, { works: false }).book.thread('t')
    const turn = thread.send('Go')
    await clock.after(6000, new AbortController().signal)
    join({ model, deadline: 5000 })
    expect(await turn.done).toMatchObject({ status: 'failed', reason: { code: 'deadline' } })
    expect(model.requests).toEqual([])
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Late.' })
  })
})

describe('a runner that was too late', () => {
  test('for what it was woken for sees to it that someone does it', async () => {
    const store = memoryStore()
    const said = entryOf(user('Faster.'))
    let isFirst = true
    // Just before the waiting message is admitted, another one is on the chain: that one's own run is not begun here.
    const contested: Store = {
      ...store,
      append: async (thread, entries, terms) => {
        if (isFirst && entries.some(({ kind }) => kind === 'user')) {
          isFirst = false
          await store.append(thread, [said])
        }
        return store.append(thread, entries, terms)
      },
    }
    const { join, queue } = company({ store: contested })
    const worker = join({ model: script('1', '2') })
    await queue.wake('t', [entryOf(user('Waits.'), undefined, { kind: 'pending', key: 'k' })])
    const thread = join({}, { works: false }).book.thread('t')
    await expect
      .poll(async () => (await thread.visible()).map(({ text }) => text))
      .toEqual(['Faster.', '1', 'Waits.', '2'])
    expect(worker.errors).toEqual([])
  })
})

describe('a run that cannot go on', () => {
  test('is reported, does not block the others, and is tried again when the thread is woken', async () => {
    const { join, store, clock } = company()
    let broken = true
    const worker = join({ model: script('Fine.') }, { works: false })
    const errors: string[] = []
    await worker.book.work({
      options: (thread) => {
        if (broken && thread === 't') throw new TypeError('a bug')
        return {}
      },
      onError: (thread, error) => errors.push(`${thread}: ${String(error)}`),
    })
    const front = join({}, { works: false }).book
    const turn = front.thread('t').send('Go')
    expect(await front.thread('other').send('Go').done).toMatchObject({ text: 'Fine.' })
    expect(errors).toEqual(['t: TypeError: a bug'])
    broken = false
    // A message that is refused because of it wakes it, once it has been quiet for long.
    expect(await front.thread('t').send('Well?').done).toMatchObject({ status: 'busy' })
    expect((await store.read('t')).map(({ kind }) => kind)).toEqual(['user'])
    await clock.after(11_000, new AbortController().signal)
    expect(await front.thread('t').send('Well?').done).toMatchObject({ status: 'busy' })
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Fine.' })
  })

  test('for want of a model says so', async () => {
    const { store, queue, clock, join } = company()
    const errors: unknown[] = []
    await openBook({ store, queue, clock }).work({ options: () => ({}), onError: (_, error) => errors.push(error) })
    join({}, { works: false }).book.thread('t').send('Go')
    await expect.poll(() => errors).toMatchObject([{ code: 'no_model' }])
  })
})
