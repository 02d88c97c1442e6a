import { memoryStore, MinutebookError } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadiness, createRoom } from '../../src/stores/readiness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const gone = new MinutebookError('store_unreachable', 'It is away.', 'Wait.')

function pending() {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined]
  const promise = new Promise<void>((fulfil, fail) => ([resolve, reject] = [fulfil, fail]))
  return { promise, resolve, reject }
}

/** A store whose answers come when the test says so. */
function scene(lookedFor: () => number | undefined = () => 0) {
  let answer = pending()
  let checks = 0
  const ready = createReadiness({ check: () => (checks++, answer.promise), lookedFor, longestQuiet: 30_000 })
  return {
    checks: () => checks,
    ask: async (waiting = 0) => {
      const asked = ready()
      await vi.advanceTimersByTimeAsync(waiting)
      return asked
    },
    answer: async () => {
      answer.resolve()
      await vi.advanceTimersByTimeAsync(0)
      answer = pending()
    },
    fail: async (error: unknown) => {
      answer.reject(error)
      await vi.advanceTimersByTimeAsync(0)
      answer = pending()
    },
  }
}

test('a store that answers late is slow, and one that fails is away until it answers again', async () => {
  const store = scene()
  const first = store.ask()
  await store.answer()
  expect(await first).toEqual({ ready: true })

  expect(await store.ask(2000)).toEqual({ ready: true, store: 'slow (2000 ms)' })
  expect(await store.ask(2000)).toEqual({ ready: true, store: 'slow (4000 ms)' })
  // All of them waited for one answer.
  expect(store.checks()).toBe(2)
  await store.fail(gone)
  expect(await store.ask(2000)).toEqual({ ready: false, why: 'the store cannot be reached', code: 'store_unreachable' })
  // That it is asked again, and has not failed yet, is no news.
  expect(await store.ask(2000)).toMatchObject({ ready: false })
  await store.answer()
  const last = store.ask()
  await store.answer()
  expect(await last).toEqual({ ready: true })
})

test('a store whose connections are all in use is slow', async () => {
  const store = scene()
  const asked = store.ask(5000)
  await store.fail(new MinutebookError('store_pool_busy', 'None is free.', 'Wait.'))
  expect(await asked).toMatchObject({ ready: true })
  const late = await store.ask(2000)
  expect(late).toEqual({ ready: true, store: 'slow (2000 ms)' })
})

test('a server that looks for no turns any more is not ready, and one that never does is', async () => {
  let quiet: number | undefined = 29_000
  const store = scene(() => quiet)
  const states: unknown[] = []
  for (quiet of [29_000, 31_000, undefined, 10]) {
    const asked = store.ask()
    await store.answer()
    states.push(await asked)
  }
  expect(states).toEqual([
    { ready: true },
    { ready: false, why: 'turns are not taken up' },
    { ready: true },
    { ready: true },
  ])
})

test.each(['append', 'put', 'wake'] as const)(
  'a disk that is full when something is written (%s) is full until something can be written again',
  async (how) => {
    const full = new MinutebookError('store_full', 'The disk is full.', 'Free some space.')
    let hasRoom = true
    const inner = memoryStore()
    const tried = async <T>(write: () => Promise<T>): Promise<T> => {
      if (!hasRoom) throw full
      return write()
    }
    const room = createRoom(() => store.records)
    const { store, queue } = room.watched({
      store: {
        ...inner,
        append: (...given: Parameters<typeof inner.append>) => tried(() => inner.append(...given)),
        records: { ...inner.records, put: (...given) => tried(() => inner.records.put(...given)) },
      },
      queue: { wake: (...given: Parameters<typeof inner.append>) => tried(() => inner.append(...given)) },
    })
    const write = {
      append: () => store.append('t', [entryOf({ role: 'user', content: 'x' })]),
      put: () => store.records.put('t', [{ name: 'lamp', key: 'a', value: 1 }]),
      wake: () => queue.wake('t', [entryOf({ role: 'user', content: 'x' })]),
    }[how]
    await room.check()
    hasRoom = false
    // Nothing is written to find out, as long as nothing failed.
    await room.check()
    await expect(write()).rejects.toBe(full)
    await expect(room.check()).rejects.toBe(full)
    await expect(room.check()).rejects.toBe(full)
    hasRoom = true
    await room.check()
    expect(await inner.records.find({ name: 'room', thread: null })).toEqual([])
    hasRoom = false
    await room.check()
  },
)
