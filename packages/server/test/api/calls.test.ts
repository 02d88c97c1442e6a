import { createHash } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { estimator, openBook, type TokenCounter } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { callArchive, type CallBrief } from '../../src/archive/calls.ts'
import type { Inspection } from '../../src/archive/inspection.ts'
import type { Scope } from '../../src/config/caller.ts'
import type { Config } from '../../src/config/config.ts'
import { segmentOf } from '../../src/api/printable.ts'
import { native, nativeServer, type Native } from '../../../../tests/support/server/native.ts'
import { recorded } from '../../../../tests/support/server/recorded.ts'

const canary = 'canary-wxyzqvkw'
const keyOf = (scope: Scope): string => `key-of-${scope}`
const keys = (['admin', 'app', 'viewer'] as const).map((scope) => ({
  name: scope,
  scope,
  tenant: 'default',
  sha256: createHash('sha256').update(keyOf(scope)).digest('hex'),
}))

async function talked(
  questions: number,
  window = 700,
): Promise<{
  readonly as: (scope: Scope) => Native
  readonly sent: readonly { readonly messages: unknown; readonly tools?: unknown }[]
}> {
  const { running, upstream } = await nativeServer(
    { answer: `Ferns and moss. [NOTE TO SELF: ${canary}]` },
    { keys, policy: { preset: 'default', notes: true } },
  )
  const operator = native(running.url, keyOf('admin'))
  await operator.ask('POST', '/threads', { thread: 'garden', setup: { system: `You know ${canary}.`, window } })
  for (let number = 1; number <= questions; number++)
    await operator.stream('POST', '/threads/garden/turns', {
      body: { message: `Question ${number}: what grows in the shade of a wall, and what does not?` },
    })
  return {
    as: (scope) => native(running.url, keyOf(scope)),
    sent: upstream.requests.filter(({ messages }) => messages.length > 0),
  }
}

async function callsBy(who: Native): Promise<readonly CallBrief[]> {
  return (await who.ask('GET', '/threads/garden/calls')).body['calls'] as CallBrief[]
}

async function inspected(who: Native, receipt: string): Promise<Inspection> {
  return (await who.ask('GET', `/threads/garden/calls/${receipt}`)).body as unknown as Inspection
}

describe('the cost of a call', () => {
  const priced = async (prices: Config['prices'], model = 'strict'): Promise<readonly unknown[]> => {
    const { operator } = await nativeServer({ answer: 'Ferns and moss.' }, { prices, defaultModel: model })
    await operator.ask('POST', '/threads', { thread: 'garden', setup: {} })
    await operator.stream('POST', '/threads/garden/turns', { body: { message: 'What grows in the shade?' } })
    const [call] = await callsBy(operator)
    const { prompt = 0, completion = 0 } = call!.receipt.tokens.reported
    expect([prompt > 0, completion]).toEqual([true, 3])
    const { cost } = await inspected(operator, call!.receipt.id)
    expect((await operator.ask('GET', '/threads/garden/explain')).body['cost']).toEqual(cost)
    return [cost, prompt]
  }

  test('follows from the prices in the settings and the tokens that the upstream reported', async () => {
    const [cost, prompt] = await priced({ strict: { input: 2, output: 1000, currency: 'EUR' } })
    expect(cost).toEqual({ amount: (Number(prompt) * 2 + 3 * 1000) / 1e6, currency: 'EUR' })
  })

  test.each(['strict', 'constructor'])('is not known of the model %s without a price', async (model) => {
    expect((await priced({ other: { input: 2, output: 3, currency: 'EUR' } }, model))[0]).toBeNull()
  })
})

describe('an inspection', () => {
  test('holds exactly what was sent, and its pieces are what its messages say', async () => {
    const { as, sent } = await talked(12)
    const calls = await callsBy(as('admin'))
    expect(calls.map(({ turn }) => turn)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    for (const [index, { receipt }] of calls.entries()) {
      const inspection = await inspected(as('admin'), receipt.id)
      expect(inspection.same).toBe(true)
      expect(inspection.sent?.messages).toEqual(sent[index]?.messages)
      expect(inspection.messages.map(({ pieces }) => pieces.map(({ text }) => text).join('\n\n'))).toEqual(
        (sent[index]!.messages as { content: string }[]).map(({ content }) => content),
      )
      expect(inspection.shares.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
        Math.max(inspection.window, inspection.tokens),
      )
    }
  })

  test('tells every entry once, with the pieces that hold it', async () => {
    const { as } = await talked(12)
    const { receipt } = (await callsBy(as('admin'))).at(-1)!
    const { entries, messages, hidden } = await inspected(as('admin'), receipt.id)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    expect(hidden).toEqual({ entries: 0, messages: 0, tools: 0 })
    const held = new Set(messages.flatMap(({ pieces }) => pieces.flatMap((piece) => piece.entries)))
    for (const { id, verdict } of entries)
      expect({ verdict, held: held.has(id) }).toEqual({
        verdict,
        held: verdict === 'verbatim' || verdict === 'clipped' || verdict === 'recalled',
      })
    expect(new Set(entries.map(({ verdict }) => verdict)).size).toBeGreaterThan(1)
  })

  test('counts as reused what began the prompt before', async () => {
    const { as, sent } = await talked(4, 4000)
    const calls = await callsBy(as('admin'))
    for (const [index, { receipt }] of calls.entries()) {
      const { reused } = await inspected(as('admin'), receipt.id)
      const [now, before] = [sent[index]!.messages as unknown[], (sent[index - 1]?.messages ?? []) as unknown[]]
      const common = now.findIndex((message, place) => JSON.stringify(message) !== JSON.stringify(before[place]))
      expect(reused).toBe(common < 0 ? now.length : common)
    }
  })

  test.each(['viewer', 'app'] as const)('hides from a %s all that people do not see, and counts it', async (scope) => {
    const { as } = await talked(6)
    const calls = await callsBy(as(scope))
    expect(calls).toHaveLength(6)
    const shown = await inspected(as(scope), calls.at(-1)!.receipt.id)
    const whole = await inspected(as('admin'), calls.at(-1)!.receipt.id)
    expect(JSON.stringify([calls, shown])).not.toContain('wxyzqvkw')
    expect(JSON.stringify(whole)).toContain('wxyzqvkw')
    expect(shown.sent).toBeUndefined()
    expect(shown.shares).toEqual(whole.shares)
    expect(shown.hidden.entries).toBe(whole.entries.length - shown.entries.length)
    expect(shown.hidden.entries).toBeGreaterThan(0)
    expect(shown.hidden.messages).toBeGreaterThan(0)
  })

  test('hides a note that stands within what a client sent', async () => {
    const { running } = await nativeServer({ answer: `Ferns. [NOTE TO SELF: ${canary}]` }, { keys })
    const messages: object[] = [{ role: 'user', content: 'What grows?' }]
    let thread = ''
    for (const next of ['And in the sun?', 'And in the rain?']) {
      const response = await fetch(`${running.url}/api/chat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keyOf('admin')}` },
        body: JSON.stringify({ model: 'strict', messages, stream: false }),
      })
      thread = response.headers.get('minutebook-thread') ?? ''
      messages.push(((await response.json()) as { readonly message: object }).message, { role: 'user', content: next })
    }
    const seen = async (scope: Scope): Promise<string> => {
      const who = native(running.url, keyOf(scope))
      const call = ((await who.ask('GET', `/threads/${segmentOf(thread)}/calls`)).body['calls'] as CallBrief[]).at(-1)!
      return JSON.stringify((await who.ask('GET', `/threads/${segmentOf(thread)}/calls/${call.receipt.id}`)).body)
    }
    expect(await seen('admin')).toContain('wxyzqvkw')
    expect(await seen('viewer')).not.toContain('wxyzqvkw')
  })

  test('of a call that was sent unchanged has a piece for each message', async () => {
    const { running } = await nativeServer({ answer: 'Ferns.' }, { keys })
    const operator = native(running.url, keyOf('admin'))
    const messages = [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'What grows?' },
    ]
    const response = await fetch(`${running.url}/api/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('admin')}` },
      body: JSON.stringify({ model: 'strict', messages, stream: false }),
    })
    const thread = response.headers.get('minutebook-thread') ?? ''
    await response.text()
    await after(20)
    const [call] = (await operator.ask('GET', `/threads/${segmentOf(thread)}/calls`)).body['calls'] as CallBrief[]
    const inspection = (await operator.ask('GET', `/threads/${segmentOf(thread)}/calls/${call!.receipt.id}`))
      .body as unknown as Inspection
    expect(inspection.messages.map(({ pieces }) => pieces.map(({ text, entries }) => [text, entries.length]))).toEqual([
      [['You help.', 1]],
      [['What grows?', 1]],
    ])
    expect(inspection.sent?.messages).toEqual(messages)
  })
})

describe('the counts of a thread', () => {
  const words: TokenCounter = { name: 'my words', count: (text) => text.split(' ').length, overhead: 2 }
  const questions = Array.from(
    { length: 9 },
    (_, index) => `question ${index} about ferns, moss and the shade of walls`,
  )

  test('are enough to make its prompts once more without the counter', async () => {
    const { store } = await recorded({ garden: questions }, [], { window: 90, counter: words })
    const { counter, counts } = await callArchive(store, { counters: [words] }).counts('garden')
    expect(counter).toEqual({ name: 'my words', overhead: 2 })
    const missed: string[] = []
    const told: TokenCounter = {
      name: 'my words',
      overhead: 2,
      count: (text) => counts[createHash('sha256').update(text).digest('hex').slice(0, 16)] ?? missed.push(text),
    }
    const replayed = await openBook({ store }).thread('garden', { counter: told }).replay({})
    expect(replayed.map(({ same }) => same)).toEqual(questions.map(() => true))
    expect(missed).toEqual([])
  })

  test('are none where the estimator counted', async () => {
    const { store } = await recorded({ garden: ['one'] }, [], { counter: estimator })
    expect(await callArchive(store).counts('garden')).toEqual({ counter: null, counts: {} })
  })
})
