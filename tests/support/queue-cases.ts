import type { TurnQueue, Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect } from 'vitest'

/** What every queue must do, by name. `open` gives a queue and its store; `settle` waits for what is under way. */
export interface QueueContext {
  readonly queue: TurnQueue
  readonly store: Store
}

const hello = entryOf({ role: 'user', content: 'Hello' })

/** A run that can be held open and let go. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  return { opened: new Promise((resolve) => (open = resolve)), open: () => open() }
}

export const queueCases: Readonly<Record<string, (context: QueueContext) => Promise<void>>> = {
  'appends and wakes': async ({ queue, store }) => {
    const runs: string[] = []
    const stop = await queue.onWake(async (thread) => void runs.push(thread))
    const appended = await queue.wake('a', [hello])
    expect(appended).toMatchObject({ ok: true, entries: [{ id: hello.id, seq: 0 }], standing: { length: 1 } })
    expect(await store.read('a')).toHaveLength(1)
    await expect.poll(() => runs).toEqual(['a'])
    await stop()
  },
  'does neither where the terms do not hold': async ({ queue, store }) => {
    const runs: string[] = []
    const stop = await queue.onWake(async (thread) => void runs.push(thread))
    expect(await queue.wake('b', [hello], { head: 'another' })).toMatchObject({ ok: false, reason: 'conflict' })
    await queue.wake('c', [])
    await expect.poll(() => runs).toEqual(['c'])
    expect(await store.read('b')).toEqual([])
    await stop()
  },
  'wakes who works later': async ({ queue }) => {
    await queue.wake('d', [hello])
    const runs: string[] = []
    const stop = await queue.onWake(async (thread) => void runs.push(thread))
    await expect.poll(() => runs).toEqual(['d'])
    await stop()
  },
  'runs a thread once at a time, and again where it was woken meanwhile': async ({ queue }) => {
    const held = gate()
    let [running, most, runs] = [0, 0, 0]
    const run = async (): Promise<void> => {
      most = Math.max(most, ++running)
      if (++runs === 1) await held.opened
      running--
    }
    const stops = [await queue.onWake(run), await queue.onWake(run)]
    await queue.wake('e', [])
    await expect.poll(() => runs).toBe(1)
    await Promise.all([queue.wake('e', []), queue.wake('e', [])])
    expect(runs).toBe(1)
    held.open()
    await expect.poll(() => runs).toBeGreaterThan(1)
    expect(most).toBe(1)
    for (const stop of stops) await stop()
  },
  'runs threads side by side': async ({ queue }) => {
    const held = gate()
    const begun: string[] = []
    const stop = await queue.onWake(async (thread) => {
      begun.push(thread)
      await held.opened
    })
    await Promise.all([queue.wake('f', []), queue.wake('g', [])])
    await expect.poll(() => begun.toSorted()).toEqual(['f', 'g'])
    held.open()
    await stop()
  },
  'tries again elsewhere where a run rejects': async ({ queue }) => {
    const tried: string[] = []
    const runner = (name: string) => async (): Promise<void> => {
      tried.push(name)
      if (tried.length === 1) throw new Error('cannot')
    }
    const stops = [await queue.onWake(runner('one')), await queue.onWake(runner('two'))]
    await queue.wake('h', [])
    await expect.poll(() => tried.length).toBe(2)
    for (const stop of stops) await stop()
  },
  'waits for runs under way when it is stopped, and begins no more': async ({ queue }) => {
    const held = gate()
    let [runs, stopped] = [0, false]
    const stop = await queue.onWake(async () => {
      runs++
      await held.opened
    })
    await queue.wake('i', [])
    await expect.poll(() => runs).toBe(1)
    const stopping = stop().then(() => (stopped = true))
    await queue.wake('j', [])
    expect(stopped).toBe(false)
    held.open()
    await stopping
    expect(runs).toBe(1)
  },
  'aborts the run of a thread, and says of which turn': async ({ queue }) => {
    const reasons: unknown[] = []
    const stop = await queue.onWake(
      (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            resolve()
          }),
        ),
    )
    await queue.wake('k', [])
    await expect
      .poll(async () => {
        await queue.cancel('k', 'turn')
        await queue.cancel('other', 'turn')
        return reasons
      })
      .toEqual(['turn'])
    await stop()
  },
  'wakes at a time, also who works later, and not if that is taken back': async ({ queue }) => {
    const at = (milliseconds: number): number => Date.now() + milliseconds
    const takeBack = await queue.wakeAt('l', at(20))
    await queue.wakeAt('m', at(60))
    await takeBack()
    const runs: string[] = []
    const stop = await queue.onWake(async (thread) => void runs.push(thread))
    await expect.poll(() => runs).toEqual(['m'])
    const long = `long ${'name '.repeat(100)}\u0000`
    await queue.wakeAt(long, at(20))
    await expect.poll(() => runs).toEqual(['m', long])
    await stop()
  },
}
