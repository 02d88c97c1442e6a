import { describe, expect, test } from 'vitest'
import {
  firstAndRecent,
  lastMessages,
  memoryStore,
  openBook,
  tiered,
  type Message,
  type Model,
  type Policy,
  type Store,
  type ThreadOptions,
} from 'minutebook'
import { cacheUsage, type CacheCause } from '@minutebook/inspect'
import { assistant, user, words } from '@minutebook/testing'
import { relayBook, said } from '../../../tests/support/relays.ts'

// The cache use of turns: their prompts are compiled, and the model says what it reused.

const long = 'word '.repeat(400)

/** Says that it reused `share` of each prompt. */
function modelWith(share: () => number, name = 'm'): Model {
  return Object.assign(
    async function* ({ messages }: Parameters<Model>[0]) {
      const prompt = messages.reduce((sum, { content }) => sum + words.count(String(content)), 0)
      const usage = { prompt, cached: Math.floor(prompt * share()), seconds: 2 }
      yield { type: 'end' as const, message: { role: 'assistant', content: 'yes' }, finish: 'stop' as const, usage }
    },
    { model: name },
  )
}

async function causes(
  turns: readonly ThreadOptions[],
  store: Store = memoryStore(),
): Promise<(CacheCause | undefined)[]> {
  const options = { store, window: 100_000, counter: words, journal: false }
  for (const turn of turns)
    await openBook({ ...options, ...turn })
      .thread('t')
      .ask(`Hello ${long}`)
  const uses = await cacheUsage(await store.read('t'), { counter: words })
  return uses.map(({ cause }) => cause)
}

const warm = modelWith(() => 0.99)
const cold = modelWith(() => 0)

describe('the cache use of turns', () => {
  test('names nothing if nothing was lost', async () => {
    expect(await causes([{ model: warm }, { model: warm }, { model: warm }])).toEqual([undefined, undefined, undefined])
  })

  test('names another system text, and another model', async () => {
    const [first, second] = [`It is 12:01. ${long}`, `It is 12:02. ${long}`]
    expect(
      await causes([
        { model: cold, system: first },
        { model: cold, system: second },
      ]),
    ).toEqual([undefined, 'system'])
    expect(await causes([{ model: cold }, { model: modelWith(() => 0, 'other') }])).toEqual([undefined, 'model'])
  })

  test('names another thread in between, if the server says that it lost something', async () => {
    const answeredMeanwhile = (): 'thread' => 'thread'
    expect(await causes([{ model: cold }, { model: cold, answeredMeanwhile }])).toEqual([undefined, 'thread'])
    expect(await causes([{ model: warm }, { model: warm, answeredMeanwhile }])).toEqual([undefined, undefined])
  })

  test('names the server itself if there is no other reason', async () => {
    expect(await causes([{ model: cold }, { model: cold }])).toEqual([undefined, 'server'])
  })
})

describe('a policy without epochs, which drops messages without a word', () => {
  const talk = Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? user : assistant)(`${index} ${long}`))

  async function cause(policy: Policy, ...requests: readonly (readonly Message[])[]): Promise<CacheCause | undefined> {
    // None of the requests fits: each prompt is compiled.
    const store = memoryStore()
    const thread = relayBook({ policy, window: 1900 }, store).thread('t')
    for (const request of requests) {
      const { receipt } = await (await thread.relay(request, { trusted: true })).answer(said('yes'))
      expect(receipt.mode).toBe('rewritten')
    }
    return (await cacheUsage(await store.read('t'), { counter: words })).at(-1)?.cause
  }

  test.each([lastMessages(3), firstAndRecent(), tiered({ verbatim: 1 })])('is named: $name', async (policy) => {
    expect(await cause(policy, talk.slice(0, 7), talk)).toBe('own_compaction')
  })

  test('is not named for a message that was edited', async () => {
    const edited = talk.with(4, user(`other ${long}`))
    expect(await cause(lastMessages(3), talk.slice(0, 7), edited.slice(0, 7))).toBe('edit')
  })
})

test('each call has a name, by which its prompt can be found', async () => {
  const store = memoryStore()
  const thread = relayBook({}, store).thread('t')
  const called = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
  const looking = { role: 'assistant', content: '', tool_calls: [called] }
  const messages = [user('Look'), looking, { role: 'tool', tool_call_id: 'c', content: 'a lamp' }]
  await (await thread.relay(messages.slice(0, 1), { trusted: true })).answer(said(looking))
  await (await thread.relay(messages, { trusted: true })).answer(said('A lamp.'))
  await (await thread.relay([...messages, assistant('A lamp.'), user('Sure?')], { trusted: true })).answer(said('Yes.'))
  const uses = await cacheUsage(await store.read('t'), { counter: words })
  expect(uses.map(({ call }) => call)).toEqual(['1.1', '1.2', '2'])
  for (const { call, receipt } of uses) {
    expect((await thread.dump({ turn: Number.isInteger(Number(call)) ? Number(call) : call })).receipt?.id).toBe(
      receipt,
    )
    expect((await thread.dump({ receipt: receipt.slice(0, 16) })).receipt?.id).toBe(receipt)
  }
  await expect(thread.dump({ turn: '1.3' })).rejects.toMatchObject({ code: 'unknown_call' })
  await expect(thread.dump({ turn: '3.1' })).rejects.toMatchObject({ code: 'unknown_call' })
  // A turn of another branch has no number any more.
  await (await thread.relay([user('Listen')], { trusted: true })).answer(said('Yes.'))
  const [first, , , newest] = await cacheUsage(await store.read('t'), { counter: words })
  expect([first?.call, newest?.call]).toEqual([first?.receipt.slice(0, 16), '1'])
})
