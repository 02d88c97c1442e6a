import { localQueue, memoryStore, openBook, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { shape } from '../support/book.ts'
import { slow } from '../support/slow-model.ts'
import { tickClock } from '../support/tick-clock.ts'
import { tick } from '../../../../tests/support/tick.ts'

async function opened(how: string): Promise<{ readonly thread: Thread; readonly release: () => void }> {
  const store = memoryStore()
  const { model, release } = slow('One.', 'Two.')
  const queue = how === 'with' ? localQueue(store) : undefined
  const open = openBook({ store, model, window: 4096, clock: tickClock(), ...(queue && { queue }) })
  if (queue) await open.work()
  return { thread: open.thread('t'), release }
}

describe.each(['without', 'with'])('%s a queue, a message that is sent again while its turn runs', (how) => {
  test('and then cancelled cancels the turn', async () => {
    const { thread } = await opened(how)
    const first = thread.send('Go', { id: 'k' })
    await first.recorded
    const again = thread.send('Go', { id: 'k' })
    await again.recorded
    await tick()
    again.cancel()
    expect(await again.done).toMatchObject({ status: 'cancelled', reason: { code: 'cancelled' } })
    expect(await first.done).toEqual(await again.done)
    expect(shape(await thread.entries()).at(-1)).toBe('stop cancelled')
  })

  test('and cancelled at once cancels the turn', async () => {
    const { thread } = await opened(how)
    const first = thread.send('Go', { id: 'k' })
    await first.recorded
    const controller = new AbortController()
    const again = thread.send('Go', { id: 'k', signal: controller.signal })
    controller.abort()
    expect((await again.done).status).toBe('cancelled')
    expect((await first.done).status).toBe('cancelled')
  })

  test('but was cancelled before leaves the turn alone', async () => {
    const { thread, release } = await opened(how)
    const first = thread.send('Go', { id: 'k' })
    await first.recorded
    expect(await thread.send('Go', { id: 'k', signal: AbortSignal.abort() }).done).toMatchObject({
      status: 'cancelled',
      turn: null,
    })
    release()
    expect(await first.done).toMatchObject({ status: 'complete', text: 'One.' })
  })

  test('with other words, and then cancelled, leaves the turn alone', async () => {
    const { thread, release } = await opened(how)
    const first = thread.send('Go', { id: 'k' })
    await first.recorded
    const other = thread.send('Stop', { id: 'k' })
    await tick()
    other.cancel()
    release()
    expect(await first.done).toMatchObject({ status: 'complete', text: 'One.' })
    expect(await other.done).toMatchObject({ status: 'failed', reason: { code: 'id_taken' } })
  })

  test('and then cancelled while the message still waits takes it back', async () => {
    const { thread, release } = await opened(how)
    const first = thread.send('first')
    await first.recorded
    const waiting = thread.send('Go', { id: 'k', ifBusy: 'queue' })
    await waiting.recorded
    const again = thread.send('Go', { id: 'k' })
    await again.recorded
    await tick()
    again.cancel()
    // With a queue, the message is taken back at once; without one, when the first turn is over.
    if (how === 'with') await again.done
    release()
    expect(await first.done).toMatchObject({ status: 'complete', text: 'One.' })
    expect(await again.done).toMatchObject({ status: 'cancelled', turn: null })
    expect(await waiting.done).toMatchObject({ status: 'cancelled', turn: null })
  })
})
