import { localQueue, memoryStore, openBook } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { tickClock } from '../support/tick-clock.ts'

/** A log has room for one long message, but not for two. */
const limits = { window: 80_000, sizeLimit: 20_000 }
const long = (letter: string): string => letter.repeat(12_000)

describe('a message that there was room for when it began to wait', () => {
  test.each(['without', 'with'])('is answered, %s a queue', async (how) => {
    const store = memoryStore()
    const { model, release } = slow('One.', 'Two.')
    const queue = how === 'with' ? localQueue(store) : undefined
    const errors: unknown[] = []
    const open = openBook({ store, model, ...limits, clock: tickClock(), ...(queue && { queue }) })
    if (queue) await open.work({ onError: (_, error) => errors.push(error) })
    const thread = open.thread('t')
    const first = thread.send('first')
    await first.recorded
    const second = thread.send(long('a'), { ifBusy: 'queue' })
    expect(await second.recorded).toMatchObject({ kind: 'pending' })
    const third = thread.send(long('b'), { ifBusy: 'queue' })
    release()
    expect(await first.done).toMatchObject({ status: 'complete', text: 'One.' })
    expect(await second.done).toMatchObject({ status: 'complete', text: 'Two.' })
    expect(await third.done).toMatchObject({ status: 'failed', reason: { code: 'thread_too_large' } })
    expect(await thread.send('And now?').done).toMatchObject({ reason: { code: 'thread_too_large' } })
    expect(errors).toEqual([])
  })

  test('is answered after a restart', async () => {
    const store = memoryStore()
    const asked = entryOf({ role: 'user', content: 'first' })
    await store.append('t', [
      asked,
      entryOf({ role: 'user', content: long('a') }, asked, { kind: 'pending', key: 'k' }),
    ])
    const thread = book({ model: script('One.', 'Two.'), ...limits }, store).thread('t')
    expect(await thread.resume().done).toMatchObject({ status: 'complete', text: 'Two.' })
  })
})
