import { describe, expect, test } from 'vitest'
import { createThreadLocks, type BusyPolicy } from '../../src/turns/turn-queue.ts'
import { createTurn } from '../../src/turns/turn.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** Turns that write down when they begin and when they are told to stop. */
function lane(): {
  readonly told: string[]
  readonly enter: (name: string, ifBusy: BusyPolicy, thread?: string) => Promise<(() => void) | undefined>
  readonly running: () => boolean
} {
  const locks = createThreadLocks()
  const told: string[] = []
  return {
    told,
    enter: async (name, ifBusy, thread = 't') => {
      const { turn, signal } = createTurn()
      signal.addEventListener('abort', () => told.push(`${name} stops`))
      const leave = await locks.enter(thread, turn, { ifBusy })
      told.push(leave ? `${name} begins` : `${name} is refused`)
      return leave
    },
    running: () => locks.running('t') !== undefined,
  }
}

describe('a lane', () => {
  test('is free at once, and free again', async () => {
    const { enter, running } = lane()
    const leave = await enter('a', 'reject')
    expect(running()).toBe(true)
    leave?.()
    expect(running()).toBe(false)
    expect(await enter('b', 'reject')).toBeDefined()
  })

  test('refuses, queues and interrupts', async () => {
    const { enter, told } = lane()
    const leave = await enter('a', 'reject')
    const waiting = [enter('b', 'reject'), enter('c', 'queue'), enter('d', 'interrupt'), enter('e', 'queue')]
    await tick()
    expect(told).toEqual(['a begins', 'a stops', 'b is refused'])
    leave?.()
    for (const entering of waiting.slice(1)) (await entering)?.()
    expect(told.slice(3)).toEqual(['c begins', 'd begins', 'e begins'])
  })

  test('knows who runs from the moment the one before has left', async () => {
    const { enter, told } = lane()
    const leave = await enter('a', 'reject')
    void enter('b', 'queue')
    leave?.()
    void enter('c', 'interrupt')
    await tick()
    expect(told).toEqual(['a begins', 'b stops', 'b begins'])
  })

  test('is one for each thread', async () => {
    const { enter, told } = lane()
    await enter('a', 'reject')
    await enter('b', 'reject', 'other')
    expect(told).toEqual(['a begins', 'b begins'])
  })
})
