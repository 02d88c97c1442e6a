import { memoryStore, type Message, type Store } from 'minutebook'
import { assistant, user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { liveLog } from '../../src/past/live-log.ts'

const open = (store: Store, window = 100_000): ReturnType<ReturnType<typeof relayBook>['thread']> =>
  relayBook({ checkpointEvery: 4, window }, store).thread('t')

/** So many days, each said alone, so that no receipt has a request. The message of the second is pinned. */
async function days(store: Store, count: number): Promise<Message[]> {
  const kept: Message[] = []
  for (let day = 0; day < count; day++) {
    await (await open(store).relay([user(`Go ${day}`)], { alone: true })).answer(said(`Done ${day}`))
    kept.push(user(`Go ${day}`), assistant(`Done ${day}`))
    if (day === 2) await open(store).pin((await open(store).entries()).find(({ text }) => text === 'Go 1')!.id)
  }
  return kept
}

const reading = (store: Store, before: () => Promise<unknown>): Store => ({
  ...store,
  read: async (...given) => (await before(), store.read(...given)),
})

describe('while a relay reads more of a long log', () => {
  test.each([0, 1, 5, 20, 40])(
    'another one loads all of it, %i steps later: its checkpoint is still whole',
    async (late) => {
      const store = memoryStore()
      const kept = await days(store, 20)
      const thread = open(reading(store, tick))
      const one = thread.relay([user('Next')], { alone: true, unchanged: true })
      for (let step = 0; step < late; step++) await Promise.resolve()
      const other = thread.relay([user('Aside')], { alone: true, id: 'mine' }).catch((error: unknown) => error)
      await (await one).answer(said('Nexted'))
      await other
      const { seq, value } = (await store.snapshots.load('t', 'fold'))! as {
        seq: number
        value: Record<string, unknown>
      }
      const spoken = (await store.read('t')).filter(
        (entry) => entry.seq <= seq && (entry.kind === 'user' || entry.kind === 'assistant'),
      )
      expect(value).toMatchObject({ places: spoken.length, pins: [expect.any(String)] })
      const asked = [...kept.slice(-2), user('Next'), assistant('Nexted'), user('And then')]
      expect((await open(store, 90_000).relay(asked)).mode).toBe('rewritten')
    },
  )

  test('its thread is removed: it ends', async () => {
    const store = memoryStore()
    await days(store, 20)
    const log = liveLog(store, 't')
    await log.sync({ history: true })
    expect(log.past.start).toBeDefined()
    await store.remove('t')
    await log.past.earlier()
    expect([log.past.start, log.length]).toEqual([undefined, 0])
  })

  test('the newest call is erased: it is compared with another one, or with none', async () => {
    const store = memoryStore()
    await days(store, 5)
    await open(store).importMessages(
      Array.from({ length: 100 }, (_, day) => [user(`Old ${day}`), assistant(`Was ${day}`)]).flat(),
    )
    const answer = (await store.read('t')).find(({ text }) => text === 'Done 4')!
    let isErased = false
    const erasing: Store = {
      ...store,
      read: async (...given) => {
        if (given[1]?.seqs && !isErased) {
          isErased = true
          await store.erase('t', [answer.id])
        }
        return store.read(...given)
      },
    }
    const relay = await open(erasing).relay([user('Next')], { alone: true, unchanged: true })
    expect(isErased).toBe(true)
    await relay.answer(said('Done'))
    expect((await store.read('t')).at(-1)!.kind).toBe('receipt')
  })

  test('the store fails once: the answer is recorded at the next attempt', async () => {
    const store = memoryStore()
    const kept: Message[] = []
    for (let day = 0; day < 20; day++) {
      kept.push(user(`Go ${day}`))
      await (await open(store).relay(kept.slice())).answer(said(`Done ${day}`))
      kept.push(assistant(`Done ${day}`))
    }
    let fails = false
    const failing = reading(store, async () => {
      if (!fails) return
      fails = false
      throw new Error('unreachable once')
    })
    const relay = await open(failing).relay([user('Next')], { alone: true, unchanged: true })
    fails = true
    await expect(relay.answer(said('Done'))).rejects.toThrow('unreachable once')
    expect((await relay.answer(said('Done'))).answer?.text).toBe('Done')
  })
})
