import { memoryStore, MinutebookError, type Model } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { describe, expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { book } from '../support/book.ts'

const began = '2026-11-18T12:00:00.000Z'

/** A clock that stands still until it is told to go on. */
function scriptedClock(): Clock & { readonly pass: (milliseconds: number) => void } {
  let now = Date.parse(began)
  return {
    now: () => new Date(now).toISOString(),
    after: () => new Promise(() => undefined),
    pass: (milliseconds) => void (now += milliseconds),
  }
}

const end = { type: 'end', message: assistant('So far so good.'), finish: 'stop' } as const

describe('the time of a turn’s model call', () => {
  const clock = scriptedClock()
  const ways: readonly (readonly [string, Model, object])[] = [
    [
      'that streams: until its first text, and until its end',
      async function* () {
        clock.pass(2900)
        yield { type: 'text', text: '' }
        clock.pass(100)
        yield { type: 'text', text: 'So far' }
        clock.pass(1200)
        yield end
      },
      { firstToken: 3000, total: 4200 },
    ],
    [
      'that reasons first: until its first thought',
      async function* () {
        clock.pass(700)
        yield { type: 'reasoning', text: 'hm' }
        clock.pass(50)
        yield { type: 'text', text: 'So far' }
        yield end
      },
      { firstToken: 700, total: 750 },
    ],
    [
      'that does not stream has no first token',
      async function* () {
        clock.pass(4000)
        yield end
      },
      { total: 4000 },
    ],
    [
      'that fails before it said anything has no first token',
      async function* () {
        yield { type: 'text', text: '' }
        clock.pass(30)
        throw new Error('gone')
      },
      { total: 30 },
    ],
    [
      'that fails in the middle has both',
      async function* () {
        clock.pass(30)
        yield { type: 'text', text: 'So' }
        clock.pass(5)
        throw new Error('gone')
      },
      { firstToken: 30, total: 35 },
    ],
    [
      'is never less than nothing, if the clock is set back',
      async function* () {
        clock.pass(10)
        yield { type: 'text', text: 'So' }
        clock.pass(-5000)
        yield end
      },
      { firstToken: 0, total: 0 },
    ],
  ]
  test.each(ways)('%s', async (_, model, time) => {
    const thread = book({ model, clock }).thread('t')
    const started = clock.now()
    await thread.send('Go').done
    expect((await thread.receipts()).map((receipt) => receipt.time)).toEqual([{ started, ...time }])
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('that is cancelled: until then', async () => {
    const model: Model = async function* () {
      clock.pass(20)
      yield { type: 'text', text: 'So' }
      await new Promise(() => undefined)
    }
    const thread = book({ model, clock }).thread('t')
    const turn = thread.send('Go')
    for await (const event of turn)
      if (event.type === 'text') {
        clock.pass(3)
        turn.cancel()
      }
    const [receipt] = await thread.receipts()
    expect(receipt).toMatchObject({ outcome: 'cancelled', time: { firstToken: 20, total: 23 } })
  })

  test('that is refused as too long, and of the one that follows', async () => {
    let calls = 0
    const model: Model = async function* () {
      clock.pass(10)
      if (++calls === 1)
        throw new MinutebookError('context_overflow', 'too long', '', { told: { window: 400, prompt: 990 } })
      yield { type: 'text', text: 'So' }
      clock.pass(1)
      yield end
    }
    const thread = book({ model, clock }).thread('t')
    await thread.send('Go').done
    expect((await thread.receipts()).map(({ outcome, time }) => [outcome, time?.firstToken, time?.total])).toEqual([
      ['refused', undefined, 10],
      ['stop', 10, 11],
    ])
  })

  test('is not recorded if the clock does not tell the time', async () => {
    const thread = book({
      model: async function* () {
        yield end
      },
      clock: { ...clock, now: () => '' },
    }).thread('t')
    await thread.send('Go').done
    const [receipt] = await thread.receipts()
    expect(receipt).not.toHaveProperty('time')
  })
})

describe('the time of a relay', () => {
  const clock = scriptedClock()
  const relayed = async () => {
    const store = memoryStore()
    const thread = relayBook({ clock }, store).thread('t')
    const relay = await thread.relay([user('Hi')])
    clock.pass(9)
    relay.called()
    return { store, thread, relay, started: clock.now() }
  }

  test('counts from the call of the model', async () => {
    const { relay, started } = await relayed()
    clock.pass(2900)
    relay.heard()
    clock.pass(1200)
    relay.heard()
    const { receipt } = await relay.answer(said('Hello!'))
    expect(receipt.time).toEqual({ started, firstToken: 2900, total: 4100 })
  })

  test('has no first token if the answer came whole', async () => {
    const { relay, started } = await relayed()
    clock.pass(7)
    expect((await relay.answer(said('Hello!'))).receipt.time).toEqual({ started, total: 7 })
  })

  test.each(['cancelled', 'failed'] as const)('that is %s ends there', async (how) => {
    const { relay, started } = await relayed()
    clock.pass(5)
    relay.heard()
    clock.pass(2)
    expect((await relay.stop(how, 'Hel')).receipt.time).toEqual({ started, firstToken: 5, total: 7 })
  })

  test('that is refused has no first token, and the next one has a time of its own', async () => {
    const { relay, thread, started } = await relayed()
    clock.pass(5)
    const second = await relay.refit({ window: 400 }, { window: 400 })
    const again = clock.now()
    clock.pass(4)
    second.heard()
    await second.answer(said('Hello!'))
    expect((await thread.receipts()).map(({ time }) => time)).toEqual([
      { started, total: 5 },
      { started: again, firstToken: 4, total: 4 },
    ])
  })

  test('stays the same if the answer is recorded at the second attempt', async () => {
    const { relay, store, thread } = await relayed()
    const append = store.append.bind(store)
    clock.pass(5)
    // It was written, but the answer of the store was lost.
    store.append = async (...given) => {
      await append(...given)
      throw new Error('the connection is gone')
    }
    await expect(relay.answer(said('Hello!'))).rejects.toThrow('gone')
    store.append = append
    clock.pass(60_000)
    expect((await relay.answer(said('Hello!'))).receipt.time?.total).toBe(5)
    expect(await thread.receipts()).toHaveLength(1)
  })
})
