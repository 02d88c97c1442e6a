import { createCacheMeter } from '@minutebook/inspect'
import { memoryStore, type Message, type Store } from 'minutebook'
import { assistant, system, user, words } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { relayBook, said } from '../../../tests/support/relays.ts'

const talk = Array.from({ length: 100 }, (_, day) => [user(`Go ${day}`), assistant(`Done ${day}`)]).flat()

test('a relay is measured once, and others can work in between', async () => {
  const thread = relayBook().thread('t')
  await (await thread.relay([system('Be brief.'), ...talk, user('Go')], { trusted: true })).answer(said('Done'))
  const relay = await thread.relay([system('Be kind.'), ...talk, user('Go')], { trusted: true })
  let pauses = 0
  const clock = { now: () => '', after: () => Promise.resolve(), pause: () => Promise.resolve(void pauses++) }
  const cacheOf = createCacheMeter({ counter: words, clock })
  const found = (await cacheOf(relay))!()
  expect(found).toMatchObject({ cause: 'system', total: relay.prediction.predicted })
  expect(found).toEqual((await createCacheMeter({ counter: words })(relay))!())
  const once = pauses
  expect(once).toBeGreaterThan(0)
  expect((await cacheOf(relay))!()).toEqual(found)
  expect(pauses).toBe(once)
})

test('if the store fails meanwhile, the relay can be measured again', async () => {
  const store = memoryStore()
  const kept: Message[] = []
  for (let day = 0; day < 20; day++) {
    kept.push(user(`Go ${day}`))
    const thread = relayBook({ checkpointEvery: 4 }, store).thread('t')
    await (await thread.relay(kept.slice())).answer(said(`Done ${day}`))
    kept.push(assistant(`Done ${day}`))
  }
  let fails = false
  const failing: Store = {
    ...store,
    read: async (...given) => {
      if (!fails) return store.read(...given)
      fails = false
      throw new Error('unreachable once')
    },
  }
  const thread = relayBook({ checkpointEvery: 4 }, failing).thread('t')
  const relay = await thread.relay([user('Next')], { alone: true, unchanged: true })
  const cacheOf = createCacheMeter({ counter: words })
  fails = true
  await expect(cacheOf(relay)).rejects.toThrow('unreachable once')
  const found = await cacheOf(relay)
  expect(found!()).toMatchObject({ total: 1, previous: 78, kept: 0 })
})
