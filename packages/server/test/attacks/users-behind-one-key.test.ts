// The users of an app share its key. One of them sends what another one said, or its end, to get the rest of it.
import { describe, expect, test } from 'vitest'
import { isRandomId } from '../../src/responses/recorded.ts'
import type { Message, Store } from 'minutebook'
import type { Config } from '../../src/index.ts'
import { paths, post, type Posted } from '../gateway/support/post.ts'
import { bodyOf, type ClientName } from '../gateway/support/wire.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const system = (content: string): Message => ({ role: 'system', content })

const secret = '4111-1111-1111-1111'
const card = user(`My card number is ${secret}. Please keep it safe for the lighthouse.`)
const welcome = 'You are welcome!'
/** What does not fit is rebuilt. It asks for what recall would find. */
const long = user(`What is my card number? ${'The keeper of the lighthouse wrote it all down. '.repeat(110)}`)
const short = user('What is my card number?')

/** Everything that a response says, with its headers and trailers. */
const told = ({ text, headers, trailers }: Posted): string => JSON.stringify([text, headers, trailers])

type Way = ClientName | 'responses' | 'direct responses'
const ways: readonly Way[] = ['ollama', 'openai', 'anthropic', 'responses', 'direct responses']
const isResponses = (way: Way): way is 'responses' | 'direct responses' => way.endsWith('responses')

interface Scene {
  readonly say: (
    messages: readonly Message[],
    headers?: Readonly<Record<string, string>>,
    more?: object,
  ) => Promise<Posted>
  /** Everything that the upstream got for the newest call. */
  readonly upstreamGot: () => string
  readonly store: Store
  readonly url: string
  /** Every thread is intact, and every dump is what was sent. */
  readonly verified: () => Promise<void>
}

/** Answers with what it knows of the card, so that any recorded answer shows it. */
async function scene(way: Way, settings: Partial<Config> = {}): Promise<Scene> {
  const { upstream, running } = await gatewayBefore(
    {
      responses: way === 'direct responses',
      answer: ({ messages, text: all }) => {
        const last = JSON.stringify(messages.at(-1))
        if (last.includes('thanks')) return welcome
        return all.includes(secret) ? `It is ${secret}.` : 'I do not know it.'
      },
    },
    { models: { strict: { window: 1000, reserve: 60 } }, ...settings },
  )
  const { url } = running
  const { store, book } = running.services.stores.of('default')
  return {
    url,
    store,
    say: (messages, headers = {}, more = {}) =>
      isResponses(way)
        ? post(url, '/v1/responses', { model: 'strict', input: messages, ...more }, headers)
        : post(url, paths[way], bodyOf(way, messages), headers),
    upstreamGot: () => upstream.requests.at(-1)!.text,
    verified: async () => {
      const { threads } = await store.list({ limit: 100 })
      for (const { thread } of threads.filter((each) => !each.thread.startsWith('minutebook:'))) {
        expect(await book.thread(thread).verify()).toMatchObject({ ok: true, problems: [], underivable: 0 })
        for (const { id } of await book.thread(thread).receipts())
          expect(await book.thread(thread).dump({ receipt: id })).toMatchObject({ same: true })
      }
    },
  }
}

const ann = [card, assistant(`It is ${secret}.`), user('thanks')]
const threadIn = ({ headers }: Posted): unknown => headers['minutebook-thread']

describe.each(ways)('%s', (way) => {
  test('A18: the end of a conversation gets nothing of its beginning', async () => {
    const { say, upstreamGot, verified } = await scene(way)
    const first = await say(ann.slice(0, 1))
    await say(ann)
    const attack = await say([user('thanks'), assistant(welcome), long])
    expect(attack.status).toBe(200)
    expect(upstreamGot()).toContain('thanks')
    expect(upstreamGot()).toContain('The keeper of the lighthouse')
    expect(upstreamGot()).not.toContain(secret)
    expect(told(attack)).not.toContain(secret)
    // Nobody is told the name of a thread whose beginning it did not send.
    expect(threadIn(attack)).toBeUndefined()
    expect(told(attack)).not.toContain(String(threadIn(first)))
    await verified()
  })

  test.each([
    [
      'with an outline, recall and notes',
      { policy: { preset: 'default', recall: 'eager', notes: !isResponses(way), journal: true } },
    ],
    ['with a system text of the other user', {}],
  ] as const)('a whole conversation gets nothing that it did not say, %s', async (_, settings) => {
    const { say, upstreamGot, verified } = await scene(way, settings)
    const opening = [user('hi'), assistant('I do not know it.')]
    await say(opening.slice(0, 1))
    // A system text, and a branch behind what both say.
    await say([system(`The user has the card ${secret}.`), ...opening, user('thanks')])
    await say([...opening, card, assistant(`It is ${secret}.`), user('thanks')])
    await say([...opening, user('thanks'), assistant(welcome), long])
    expect(upstreamGot()).toContain('The keeper of the lighthouse')
    expect(upstreamGot()).not.toContain(secret)
    await verified()
  })

  test('A20: an id of another user replays no answer to another history', async () => {
    const { say, upstreamGot, verified } = await scene(way)
    const headers = { 'idempotency-key': '1' }
    await say(ann.slice(0, 1))
    await say(ann)
    const answer = await say([...ann, assistant(welcome), short], headers)
    expect(told(answer)).toContain(secret)
    expect(told(await say([...ann, assistant(welcome), short], headers))).toContain(secret)
    const attack = await say([user('thanks'), assistant(welcome), short], headers)
    expect(attack.status).toBe(200)
    expect(told(attack)).not.toContain(secret)
    expect(upstreamGot()).not.toContain(secret)
    // The same words under another system text are another question.
    const [mine, other] = [system(`Their card is ${secret}.`), system('They have no card.')]
    const asked = [user('hi'), assistant('I do not know it.'), short]
    await say(asked.slice(0, 1))
    expect(told(await say([mine, ...asked], { 'idempotency-key': '2' }))).toContain(secret)
    expect(told(await say([other, ...asked], { 'idempotency-key': '2' }))).not.toContain(secret)
    await verified()
  })

  test('A21: the beginning of a thread that another user named adds nothing to it', async () => {
    const { say, upstreamGot } = await scene(way)
    const opening = [user('hi'), assistant('I do not know it.')]
    const named = { 'minutebook-thread': 'mail-of-bob' }
    await say(opening.slice(0, 1), named)
    await say([...opening, card])
    await say([short], named)
    expect(upstreamGot()).toContain('hi')
    expect(upstreamGot()).not.toContain(secret)
  })

  test('A22: a thread that others filled is left for a new one', async () => {
    const { say, upstreamGot, store } = await scene(way, { threadLimit: 20_000 })
    const opening = [user('hi'), assistant('I do not know it.')]
    await say(opening.slice(0, 1))
    const fill = user('fill '.repeat(1500))
    for (let round = 0; round < 3; round++) expect((await say([...opening, user(`${round}`), fill])).status).toBe(200)
    const threads = async (): Promise<number> => (await store.list({ limit: 100 })).threads.length
    const before = await threads()
    const large = user(`And me? ${'ask '.repeat(1000)}`)
    const next = [...opening, large]
    expect((await say(next)).status).toBe(200)
    expect(upstreamGot()).toContain('And me?')
    const after = await threads()
    expect(after).toBeGreaterThanOrEqual(before)
    // From then on, its thread is the new one.
    expect((await say([...next, assistant('I do not know it.'), user('more')])).status).toBe(200)
    expect(await threads()).toBe(after)
    // A thread with a name stays the one.
    const named = { 'minutebook-thread': 'full' }
    for (let round = 0; round < 3; round++) await say([...opening, user(`${round}`), fill], named)
    expect((await say([...opening, large], named)).status).toBe(413)
  })
})

describe.each(['responses', 'direct responses'] as const)('%s', (way) => {
  const idIn = ({ json }: Posted): string => (json as { readonly id: string }).id

  test.each([
    ['stored', true],
    ['not stored', false],
  ])(
    'A19: a response that begins with the end of a conversation is continued without its beginning, %s',
    async (_, stores) => {
      const { say, upstreamGot, url, verified } = await scene(way)
      await say(ann.slice(0, 1))
      await say(ann)
      const first = await say([user('thanks'), assistant(welcome), user('And now?')])
      const next = await say([short], {}, { previous_response_id: idIn(first), store: stores })
      expect(next.status).toBe(200)
      expect(upstreamGot()).toContain('And now?')
      expect(upstreamGot()).not.toContain(secret)
      expect(told(next)).not.toContain(secret)
      await say([long], {}, { previous_response_id: idIn(stores ? next : first), store: stores })
      expect(upstreamGot()).not.toContain(secret)
      const items = await fetch(`${url}/v1/responses/${idIn(first)}/input_items`)
      expect(await items.text()).not.toContain(secret)
      await verified()
    },
  )

  test('a system text of another user is not continued', async () => {
    const { say, upstreamGot, url, verified } = await scene(way)
    const opening = [user('hi'), assistant('I do not know it.')]
    await say(opening.slice(0, 1))
    await say([system(`The user has the card ${secret}.`), ...opening, user('thanks')])
    const mine = await say([...opening, user('thanks'), assistant(welcome), user('And now?')])
    await say([short], {}, { previous_response_id: idIn(mine) })
    expect(upstreamGot()).toContain('And now?')
    expect(upstreamGot()).not.toContain(secret)
    const items = await fetch(`${url}/v1/responses/${idIn(mine)}/input_items`)
    expect(await items.text()).not.toContain(secret)
    await verified()
  })
  test('an Idempotency-Key that two users chose gives each of them a response of their own', async () => {
    const { say, upstreamGot, url, verified } = await scene(way)
    await say(ann.slice(0, 1))
    await say(ann)
    const bob = [user('ping'), assistant('I do not know it.'), user('many thanks')]
    await say(bob.slice(0, 1))
    await say(bob)
    const key = { 'idempotency-key': '1' }
    // Both send the end of their own conversation.
    const hers = await say([user('thanks'), assistant(welcome), card], key)
    const his = await say([user('many thanks'), assistant(welcome), user('And now?')], key)
    expect(idIn(his)).not.toBe(idIn(hers))
    await say([short], {}, { previous_response_id: idIn(his) })
    expect(upstreamGot()).toContain('And now?')
    expect(upstreamGot()).not.toContain(secret)
    await say([short], {}, { previous_response_id: idIn(hers) })
    expect(upstreamGot()).toContain(secret)
    const items = await fetch(`${url}/v1/responses/${idIn(his)}/input_items`)
    expect(await items.text()).not.toContain(secret)
    await verified()
  })
  test('instructions are those of the request, whoever sent the same messages before', async () => {
    const { say, upstreamGot, verified } = await scene(way)
    const opening = [user('hi'), assistant('I do not know it.')]
    await say(opening.slice(0, 1))
    const asked = [...opening, short]
    const hers = { instructions: `The user is Ann with the card ${secret}.` }
    const his = { instructions: 'The user is Bob.' }
    expect(told(await say(asked, {}, hers))).toContain(secret)
    for (let round = 0; round < 2; round++) {
      expect(told(await say(asked, {}, his))).not.toContain(secret)
      expect(upstreamGot()).toContain('The user is Bob.')
      expect(upstreamGot()).not.toContain(secret)
      await say(asked)
      expect(upstreamGot()).not.toContain(secret)
      expect(upstreamGot()).not.toContain('Bob')
      await say(asked, {}, hers)
      expect(upstreamGot()).toContain(secret)
      expect(upstreamGot()).not.toContain('Bob')
    }
    const next = await say(asked, {}, his)
    await say([user('more')], {}, { ...his, previous_response_id: idIn(next) })
    expect(upstreamGot()).toContain('The user is Bob.')
    expect(upstreamGot()).not.toContain(secret)
    await verified()
  })

  test('an Idempotency-Key replays no answer to other instructions', async () => {
    const { say, upstreamGot, verified } = await scene(way)
    const opening = [user('hi'), assistant('I do not know it.')]
    await say(opening.slice(0, 1))
    const asked = [...opening, short]
    const key = { 'idempotency-key': '1' }
    const hers = { instructions: `The user is Ann with the card ${secret}.` }
    const first = await say(asked, key, hers)
    expect(told(first)).toContain(secret)
    expect(idIn(await say(asked, key, hers))).toBe(idIn(first))
    const calls = upstreamGot()
    for (const more of [{ instructions: 'The user is Bob.' }, {}]) {
      const attack = await say(asked, key, more)
      expect(attack.status).toBe(200)
      expect(told(attack)).not.toContain(secret)
      expect(upstreamGot()).not.toBe(calls)
      expect(upstreamGot()).not.toContain(secret)
    }
    await verified()
  })
})

test.each([
  ['msg_0_0', false],
  ['msg_482913', false],
  ['msg_000000000000000000000000000042', false],
  ['item_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', false],
  ['msg_68a1f0c2b7d48191a3e5c60f9b2d7e8404c1a2b3d4e5f607', true],
  ['rs_0d1F2a3B4c5D6e7F8g9H0i1J', true],
])('the id %s names an item by itself: %s', (id, expected) => expect(isRandomId(id)).toBe(expected))

test('an id that an upstream counts names no item of another conversation', async () => {
  const { say, upstreamGot } = await scene('direct responses')
  const idIn = ({ json }: Posted): string => (json as { readonly id: string }).id
  const hers = await say([card])
  const [item] = (hers.json as { readonly output: readonly { readonly id: string }[] }).output
  const guess = { type: 'item_reference', id: item!.id } as const
  const ask = (more: object, headers = {}): Promise<Posted> => say([], headers, { input: [guess, short], ...more })
  const his = await say([user('hi')])
  const calls = upstreamGot()
  await say([user('hi')], { 'minutebook-thread': 'mail-of-bob' })
  expect((await ask({})).status).toBe(404)
  expect((await ask({ previous_response_id: idIn(his) })).status).toBe(404)
  expect((await ask({}, { 'minutebook-thread': 'mail-of-bob' })).status).toBe(404)
  expect(upstreamGot()).toBe(calls)
  expect((await ask({ previous_response_id: idIn(hers) })).status).toBe(200)
  expect(upstreamGot()).toContain(secret)
})
