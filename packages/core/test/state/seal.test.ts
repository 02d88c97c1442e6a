import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineState, defineTool, openBook, type Message } from 'minutebook'
import { assistant, call, result, scriptedModel, user, type ScriptedLine } from '@minutebook/testing'
import { createSealer, type SealKey, type SealOptions } from '../../src/state/seal.ts'
import { refusal } from '../../../../tests/support/refusal.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

const secretOf = (letter: string): string => letter.repeat(32)
const key: SealKey = { id: 'k1', secret: secretOf('a') }
const home = { subject: 'ann', conversation: 'c1' }

/** All that was set so far: every result that counts is in it. */
const settings = defineState({
  name: 'settings',
  initial: [] as string[],
  tools: {
    set: { schema: z.object({ value: z.string() }), reduce: (all, { value }) => [...all, value] },
    refuse: { schema: z.unknown(), reduce: (all) => [...all, 'a failed result'] },
  },
})

interface Conversation {
  readonly messages: readonly Message[]
  readonly seals: readonly string[]
}

/** One request to a server that keeps nothing. `read`: what a tool finds before it runs. */
async function request(
  { messages, seals }: Conversation,
  lines: readonly ScriptedLine[],
  {
    scope = home,
    keys = [key],
    wire = 'openai',
    trust,
  }: {
    readonly scope?: typeof home
    readonly keys?: SealOptions['keys']
    readonly wire?: 'openai' | 'ollama'
    readonly trust?: 'results'
  } = {},
): Promise<Conversation & { readonly read: readonly string[] }> {
  const read: string[][] = []
  const tools = [
    defineTool({ name: 'set', input: z.object({ value: z.string() }), run: ({ value }) => ({ value }) }),
    defineTool({ name: 'refuse', run: () => Promise.reject(new Error('no')) }),
    defineTool({ name: 'look', run: async (_, { state }) => void read.push(await state(settings)) }),
  ]
  const book = openBook({ model: scriptedModel(lines, { wire }), window: 100_000, tools, seals: { keys } })
  const question = user('Next')
  const turn = book.answer([...messages, question], { ...scope, seals, trust })
  const { status, ...ended } = await turn.done
  expect(status).toBe('complete')
  return { messages: [...messages, question, ...ended.messages], seals: ended.seals, read: read[0] ?? [] }
}

const empty: Conversation = { messages: [], seals: [] }
const set = (...values: readonly string[]): ScriptedLine => ({
  calls: values.map((value) => ({ name: 'set', arguments: { value } })),
})
const look: readonly ScriptedLine[] = [{ calls: [{ name: 'look' }] }, 'Seen.']

/** What a server counts of what a client sends. */
async function counted(sent: Conversation, options?: Parameters<typeof request>[2]): Promise<readonly string[]> {
  const json = JSON.parse(JSON.stringify(sent)) as Conversation
  return (await request(json, look, options)).read
}

/** An honest conversation in which these values were set, one list for each request. */
async function conversationOf(
  requests: readonly (readonly string[])[],
  options?: Parameters<typeof request>[2],
): Promise<Conversation> {
  let conversation = empty
  for (const values of requests) {
    const failing: ScriptedLine[] = values.length === 1 ? [{ calls: [{ name: 'refuse' }, { name: 'refuse' }] }] : []
    conversation = await request(conversation, [...failing, set(...values), 'Done.'], options)
  }
  return conversation
}

/** Texts that could confuse an encoding. */
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', '"', '\\', '","', ']', '\ud800', '\0', 'a', '__proto__', '{"value":"a"}'),
)
const someRequests = fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })

describe('sealed results', () => {
  test('of honest histories all count, with both protocols, and failed ones never do', async () => {
    await fc.assert(
      fc.asyncProperty(someRequests, fc.constantFrom('openai' as const, 'ollama' as const), async (requests, wire) => {
        const conversation = await conversationOf(requests, { wire })
        expect(await counted(conversation, { wire })).toEqual(requests.flat())
      }),
      { numRuns: cases('long') },
    )
  })

  const attacks = cases('attacks')

  test(`that were forged, changed, moved or taken from elsewhere: none of ${attacks} counts`, async () => {
    const ours = await conversationOf([['one'], ['two', 'three'], ['four']])
    const elsewhere = {
      'another subject': await conversationOf([['theirs'], ['more']], { scope: { ...home, subject: 'bob' } }),
      'another conversation': await conversationOf([['other'], ['one']], { scope: { ...home, conversation: 'c2' } }),
      'a forger’s own key': await conversationOf([['forged'], ['one']], { keys: [{ ...key, secret: secretOf('x') }] }),
    }
    const real = ['one', 'two', 'three', 'four']
    const seen = new Set<string>()
    const drawn = [attack(ours, Object.entries(elsewhere))] as const
    await fc.assert(
      fc.asyncProperty(...drawn, async ({ name, sent, honest }) => {
        const found = await counted(sent)
        // Only what comes before the first thing that was touched counts.
        expect(found).toEqual(real.slice(0, found.length))
        expect(found.length).toBeLessThanOrEqual(honest)
        seen.add(name)
      }),
      withSure(100, attacks, drawn),
    )
    expect(seen.size).toBe(12)
  })

  test('are not needed for what a caller vouches for, and are made for it', async () => {
    const old: Conversation = {
      messages: [user('Set'), assistant(null, call('1', 'set')), result('1', '{"value":"old"}'), assistant('Done.')],
      seals: [],
    }
    expect(await counted(old)).toEqual([])
    const taken = await request(old, ['Well.'], { trust: 'results' })
    expect(await counted(taken)).toEqual(['old'])
  })

  test('say nothing about results that the client left out at the end', async () => {
    const { messages, seals } = await conversationOf([['one'], ['two']])
    const [first] = [messages.findIndex((message) => String(message.content).includes('two'))]
    expect(await counted({ messages: messages.slice(0, first - 1), seals })).toEqual(['one'])
  })

  test('survive another way to write the same arguments, and a chain goes on after a gap', async () => {
    const { messages, seals } = await conversationOf([['one'], ['two']])
    const spaced = JSON.parse(JSON.stringify(messages).replaceAll('"arguments":"{', '"arguments":"{ ')) as Message[]
    expect(spaced).not.toEqual(messages)
    expect(await counted({ messages: spaced, seals })).toEqual(['one', 'two'])
    const torn = await request({ messages, seals: seals.slice(0, 3) }, [set('three'), 'Done.'])
    expect(await counted(torn)).toEqual(['one', 'three'])
  })
})

describe('keys', () => {
  test('are replaced without losing a conversation that goes on', async () => {
    const next: SealKey = { id: 'k2', secret: secretOf('b') }
    const before = await conversationOf([['one']])
    expect(await counted(before, { keys: [next] })).toEqual([])
    const between = await request(before, [set('two'), 'Done.'], { keys: [next, key] })
    expect(between.seals.every((seal) => seal.startsWith('k2.'))).toBe(true)
    expect(await counted(between, { keys: [next] })).toEqual(['one', 'two'])
  })

  test.each([
    ['no keys', []],
    ['a short secret', [{ id: 'k1', secret: 'a'.repeat(31) }]],
    ['no secret', [{ id: 'k1' } as SealKey]],
    ['an id with a dot', [{ id: 'k.1', secret: secretOf('a') }]],
    ['an id that is taken', [key, { ...key, secret: secretOf('b') }]],
  ])('are refused at once: %s', (_, keys) => {
    const error = refusal(() => openBook({ model: scriptedModel([]), window: 100, seals: { keys } }))
    expect(error.code).toBe('invalid_seal_key')
    expect(error.message).not.toContain('aaa')
  })

  test('count bytes, not characters', () => {
    expect(() => createSealer({ keys: [{ id: 'k1', secret: 'ü'.repeat(16) }] })).not.toThrow()
  })

  test('need to know whose results they seal', () => {
    const book = openBook({ model: scriptedModel([]), window: 100, seals: { keys: [key] } })
    expect(refusal(() => book.answer([user('Hi')])).code).toBe('no_subject')
    expect(refusal(() => book.answer([user('Hi')], { subject: 'ann' })).code).toBe('no_conversation')
  })
})

test('anything else in place of seals proves nothing and does no harm', async () => {
  const { messages } = await conversationOf([['one']])
  for (const seals of [[null, 7, {}, ['k1']], ['k1.complete.'], ['k1.complete.zz'], 'k1', { length: 9 }, null])
    expect(await counted({ messages, seals: seals as string[] })).toEqual([])
})

interface Attack {
  readonly name: string
  readonly sent: Conversation
  /** How many results at the beginning are still untouched. */
  readonly honest: number
}

/** What a client may try with a history that it has, and with one from elsewhere. */
function attack(ours: Conversation, elsewhere: readonly (readonly [string, Conversation])[]): fc.Arbitrary<Attack> {
  const { messages, seals } = ours
  const places = messages.flatMap((message, index) =>
    message.role === 'tool' && String(message.content).startsWith('{') ? [index] : [],
  )
  /** The seal of each of them. The others are of results that failed. */
  const sealed = seals.flatMap((seal, index) => (seal.includes('complete') ? [index] : []))
  const place = fc.nat(places.length - 1)
  const altered = (at: number, change: (message: Message) => unknown): readonly Message[] =>
    messages.map((message, index) => (index === at ? (change(message) as Message) : message))
  const swapped = <T>(list: readonly T[], one: number, other: number): readonly T[] =>
    list.map((item, index) => (index === one ? list[other]! : index === other ? list[one]! : item))
  const two = fc.uniqueArray(place, { minLength: 2, maxLength: 2 }).map((pair) => pair.toSorted((a, b) => a - b))
  const own = (name: string, honest: number, sent: Partial<Conversation>): Attack => ({
    name,
    honest,
    sent: { ...ours, ...sent },
  })
  const callOf = (at: number): number => messages.findLastIndex(({ role }, index) => index < at && role === 'assistant')
  return fc.oneof(
    fc.record({ at: place, text: fc.string({ maxLength: 20 }) }).map(({ at, text }) =>
      own('another result', at, {
        messages: altered(places[at]!, (message) => ({ ...message, content: JSON.stringify({ value: `${text}!` }) })),
      }),
    ),
    fc.record({ at: place, text: fc.string({ maxLength: 20 }) }).map(({ at, text }) => {
      const caller = callOf(places[at]!)
      const first = places.findIndex((other) => callOf(other) === caller)
      const change = (message: Message): unknown =>
        JSON.parse(
          JSON.stringify(message).replaceAll(/("arguments":)"(?:[^"\\]|\\.)*"/g, (_, field: string) => {
            return `${field}${JSON.stringify(JSON.stringify({ value: `${text}!` }))}`
          }),
        )
      return own('other arguments', first, { messages: altered(caller, change) })
    }),
    fc.tuple(place, fc.constantFrom('look', 'refuse')).map(([at, name]) => {
      const caller = callOf(places[at]!)
      const first = places.findIndex((other) => callOf(other) === caller)
      const change = (message: Message): unknown => JSON.parse(JSON.stringify(message).replaceAll('"set"', `"${name}"`))
      return own('another tool', first, { messages: altered(caller, change) })
    }),
    two.map(([one, other]) =>
      own('two results swapped', one!, {
        messages: altered(places[one!]!, (message) => ({ ...message, content: messages[places[other!]!]!.content })),
      }),
    ),
    two.map(([one = 0, other = 0]) => {
      const [left, right] = [places[one]!, places[other]!]
      // Within one step, the first result still follows the one before it. The second comes too early, and is passed over.
      const honest = callOf(left) === callOf(right) ? other : one
      return own('two messages swapped', honest, { messages: swapped(messages, left, right) })
    }),
    two.map(([one, other]) =>
      own('two seals swapped', one!, { seals: swapped(seals, sealed[one!]!, sealed[other!]!) }),
    ),
    place.map((at) => own('a result left out', at, { messages: messages.filter((_, index) => index !== places[at]) })),
    place.map((at) =>
      own('a result said twice', places.length, {
        messages: messages.flatMap((message, index) => (index === places[at] ? [message, message] : [message])),
        seals: [...seals, ...seals],
      }),
    ),
    fc
      .record({ text: fc.string({ maxLength: 20 }), seal: fc.constantFrom(...seals, 'k1.complete.' + '0'.repeat(64)) })
      .map(({ text, seal }) =>
        own('a call and a result of its own', places.length, {
          messages: [
            ...messages,
            user('x'),
            assistant(null, call('f', 'set', { value: text })),
            result('f', JSON.stringify({ value: `${text}!` })),
          ],
          seals: [...seals, seal],
        }),
      ),
    fc.tuple(place, fc.nat(63), fc.constantFrom('complete', 'failed')).map(([at, digit, status]) => {
      const seal = seals[sealed[at]!]!.replace('complete', status)
      const end = seal.length - digit
      const other =
        status === 'failed' ? seal : `${seal.slice(0, end - 1)}${seal[end - 1] === 'a' ? 'b' : 'a'}${seal.slice(end)}`
      return own('another seal', at, { seals: seals.with(sealed[at]!, other) })
    }),
    fc.constantFrom(0, 1, 5, 6).map((at) => {
      const honest = sealed.filter((index) => index < at).length
      return own('a failed result passed off as complete', honest, {
        seals: seals.with(at, seals[at]!.replace('failed', 'complete')),
      })
    }),
    fc.constantFrom(...elsewhere).map(([, sent]) => ({ name: 'a history from elsewhere', honest: 0, sent })),
  )
}
