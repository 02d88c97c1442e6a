import { memoryStore, type Message, type Thread } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

const chained = async (thread: Thread): Promise<string[]> =>
  (await thread.entries())
    .filter(({ kind }) => traits[kind].chained)
    .map(({ kind, text, origin }) => `${kind} ${text} (${origin})`)

describe('a relay', () => {
  test('records what is new, sends the very messages, and keeps the answer with its receipt', async () => {
    const thread = relayBook().thread('t')
    const messages = [system('Be kind.'), user('Hi')]
    const relay = await thread.relay(messages, { trusted: true })
    expect(relay).toMatchObject({
      mode: 'unchanged',
      notWhole: 0,
      question: { kind: 'user', text: 'Hi' },
      prediction: { predicted: 3 },
    })
    expect(relay.messages).toBe(messages)
    expect(await chained(thread)).toEqual(['system Be kind. (operator)', 'user Hi (user)'])
    const { receipt, answer } = await relay.answer(said('Hello!', { usage: { prompt: 3, completion: 1 } }))
    expect(answer).toMatchObject({ text: 'Hello!', origin: 'model', parent: relay.question.id })
    expect(receipt).toMatchObject({
      mode: 'unchanged',
      truncated: 'unknown',
      outcome: 'stop',
      tokens: { predicted: 3, reported: { prompt: 3, completion: 1 } },
    })
    const dump = await thread.dump({ receipt: receipt.id })
    expect(dump).toMatchObject({ same: true, messages })
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 1, underivable: 0 })
  })

  test('of a client that sends everything leaves as many turns as it had', async () => {
    const store = memoryStore()
    const kept: Message[] = []
    for (let turn = 1; turn <= 20; turn++) {
      kept.push(user(`Question ${turn}?`))
      // Each request opens the thread anew, as a gateway may.
      const relay = await relayBook({}, store)
        .thread('t')
        .relay([system(`Today is day ${turn}.`), ...kept], { trusted: true })
      expect(relay.mode).toBe('unchanged')
      await relay.answer(said(`Answer ${turn}.`))
      kept.push(assistant(`Answer ${turn}.`))
    }
    const thread = relayBook({}, store).thread('t')
    expect(await thread.branches()).toHaveLength(1)
    expect((await thread.entries()).filter(({ kind }) => kind === 'user')).toHaveLength(20)
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 20, underivable: 0 })
  })

  test('that does not fit is rewritten', async () => {
    const thread = relayBook({ window: 60, reserve: 10 }).thread('t')
    const kept: Message[] = []
    for (let turn = 1; turn <= 12; turn++) {
      kept.push(user(`Question number ${turn} about the harbour?`))
      const relay = await thread.relay(kept)
      await relay.answer(said(`Answer number ${turn} about the harbour.`))
      kept.push(assistant(`Answer number ${turn} about the harbour.`))
      if (turn === 12)
        expect(relay).toMatchObject({ mode: 'rewritten', prediction: { predicted: expect.any(Number) as number } })
    }
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 12, underivable: 0 })
    expect((await thread.receipts()).map(({ mode }) => mode)).toContain('unchanged')
  })

  test('of a message alone brings what was said before, and of the first one nothing', async () => {
    const thread = relayBook().thread('t')
    const first = await thread.relay([user('I am Ann.')], { alone: true })
    expect(first.mode).toBe('unchanged')
    await first.answer(said('Hello, Ann!'))
    const second = await thread.relay([user('Who am I?')], { alone: true })
    expect(second).toMatchObject({
      mode: 'rewritten',
      messages: [user('I am Ann.'), assistant('Hello, Ann!'), user('Who am I?')],
    })
    const { receipt } = await second.answer(said('Ann.'))
    // What a call of before sent is known without working it out again; an instance that comes new finds the same.
    const third = await thread.relay([user('Sure?')], { alone: true })
    expect(receipt.tokens.reused).toBeGreaterThan(0)
    const added = third.prediction.uncalibrated - receipt.tokens.predicted
    expect(await third.previous()).toMatchObject({ receipt: { id: receipt.id }, change: { added } })
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2, underivable: 0 })
  })

  test('leaves calls open, takes their results later, and a message in between', async () => {
    const thread = relayBook().thread('t')
    const asked = assistant(null, call('a', 'look'))
    const first = await thread.relay([user('Hi')])
    await first.answer(said(asked, { finish: 'calls' }))
    const second = await thread.relay([user('Hi'), asked, result('a', 'fog')])
    expect(second.question).toMatchObject({ kind: 'tool', origin: 'import' })
    await second.answer(said('Fog.'))
    const third = await thread.relay([user('Hi'), asked, user('Never mind.')])
    await third.answer(said('Fine.'))
    const fourth = await thread.relay([user('Hi'), asked, user('Never mind.'), assistant('Fine.'), user('Bye')])
    await fourth.answer(said('Bye!'))
    expect(await thread.branches()).toHaveLength(2)
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 4 })
  })
})
