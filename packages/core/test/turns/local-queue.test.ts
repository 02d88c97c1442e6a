import { localQueue, memoryStore } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { queueCases } from '../../../../tests/support/queue-cases.ts'
import { entriesOf } from '../../../../tests/support/entries.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { tickClock } from '../support/tick-clock.ts'

describe('the queue of one process', () => {
  for (const [name, run] of Object.entries(queueCases)) {
    test(name, async () => {
      const store = memoryStore()
      await run({ store, queue: localQueue(store) })
    })
  }

  test('finds what a process before it left', async () => {
    const store = memoryStore()
    await store.append('unfinished', entriesOf(user('?')))
    await store.append('over', entriesOf(user('?'), { role: 'assistant', content: '!' }))
    const runs: string[] = []
    await localQueue(store).onWake(async (thread) => void runs.push(thread))
    await expect.poll(() => runs).toEqual(['unfinished'])
  })

  test('looks for it one thread at a time, as it is let, and no more once it is stopped', async () => {
    const store = memoryStore()
    for (const thread of ['a', 'b', 'c']) await store.append(thread, entriesOf(user('?')))
    const [runs, gates]: [string[], (() => void)[]] = [[], []]
    const stop = await localQueue(store, { pause: () => new Promise<void>((resolve) => gates.push(resolve)) }).onWake(
      async (thread) => void runs.push(thread),
    )
    for (const seen of [[], ['c'], ['c', 'b']]) {
      await expect.poll(() => gates.length).toBe(seen.length + 1)
      expect(runs).toEqual(seen)
      if (seen.length === 2) await stop()
      gates.at(-1)?.()
    }
    for (let round = 0; round < 10; round++) await tick()
    expect(runs).toEqual(['c', 'b'])
  })

  test('runs a thread once more, however often it was woken meanwhile', async () => {
    const queue = localQueue(memoryStore())
    let [runs, open] = [0, (): void => undefined]
    const gate = new Promise<void>((resolve) => (open = resolve))
    await queue.onWake(async () => {
      if (++runs === 1) await gate
    })
    for (let wakes = 0; wakes < 5; wakes++) await queue.wake('t', [])
    await expect.poll(() => runs).toBe(1)
    for (let wakes = 0; wakes < 5; wakes++) await queue.wake('t', [])
    open()
    for (let round = 0; round < 10; round++) await tick()
    expect(runs).toBe(2)
  })

  test('does not try for ever what nobody can run', async () => {
    let runs = 0
    const queue = localQueue(memoryStore())
    await queue.onWake(async () => {
      runs++
      throw new Error('cannot')
    })
    await queue.wake('t', [])
    for (let round = 0; round < 10; round++) await tick()
    expect(runs).toBe(1)
    await queue.wake('t', [])
    await expect.poll(() => runs).toBe(2)
  })

  test('keeps alarms for the next process, and wakes in the order of their times, however many there are', async () => {
    const [store, clock] = [memoryStore(), tickClock()]
    const start = Date.parse(clock.now())
    const at = (milliseconds: number): number => start + milliseconds
    // Not in order, and more than stay in memory.
    const numbers = Array.from({ length: 2500 }, (_, index) => (index * 1009) % 2500)
    const former = localQueue(store, { clock })
    for (const number of numbers) await former.wakeAt(String(number), at(1000 + Math.floor(number / 100) * 100))
    const runs: number[] = []
    const stop = await localQueue(store, { clock }).onWake(async (thread) => void runs.push(Number(thread)))
    await expect.poll(() => runs.length).toBe(2500)
    await stop()
    const hundreds = runs.map((number) => Math.floor(number / 100))
    expect(hundreds).toEqual(hundreds.toSorted((one, other) => one - other))
    await expect.poll(() => store.records.find({ name: 'alarm' })).toEqual([])
  })

  test('wakes nobody after it was stopped', async () => {
    const [store, clock] = [memoryStore(), tickClock()]
    const queue = localQueue(store, { clock })
    const runs: string[] = []
    const stop = await queue.onWake(async (thread) => void runs.push(thread))
    await queue.wakeAt('t', Date.parse(clock.now()) + 1000)
    await stop()
    await clock.after(5000, new AbortController().signal)
    expect(runs).toEqual([])
    await queue.onWake(async (thread) => void runs.push(thread))
    await expect.poll(() => runs).toEqual(['t'])
  })
  test('keeps an alarm that went off while the last runner left, and wakes with it later', async () => {
    const [store, clock] = [memoryStore(), tickClock()]
    const queue = localQueue(store, { clock })
    let [runs, open] = [0, (): void => undefined]
    const gate = new Promise<void>((resolve) => (open = resolve))
    const stop = await queue.onWake(async () => {
      runs++
      await gate
    })
    await queue.wake('t', [])
    await expect.poll(() => runs).toBe(1)
    // It goes off, and waits until the thread is not busy any more.
    await queue.wakeAt('t', Date.parse(clock.now()))
    for (let round = 0; round < 10; round++) await tick()
    const stopped = stop()
    open()
    await stopped
    for (let round = 0; round < 10; round++) await tick()
    expect(runs).toBe(1)
    expect(await store.records.find({ name: 'alarm' })).toHaveLength(1)
    const later: string[] = []
    await localQueue(store, { clock }).onWake(async (thread) => void later.push(thread))
    await expect.poll(() => later).toEqual(['t'])
    await expect.poll(() => store.records.find({ name: 'alarm' })).toEqual([])
  })
})
