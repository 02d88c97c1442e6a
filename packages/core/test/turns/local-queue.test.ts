import { localQueue, memoryStore } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { queueCases } from '../../../../tests/support/queue-cases.ts'
import { entriesOf } from '../../../../tests/support/entries.ts'
import { tick } from '../../../../tests/support/tick.ts'

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
})
