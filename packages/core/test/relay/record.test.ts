import { calibrated, estimator, memoryStore, type Message } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { shape } from '../support/book.ts'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { script } from '../support/scripted.ts'

const hi = user('Hi')

describe('what comes of a relay', () => {
  test('is an answer with settings, notes and a receipt behind the question', async () => {
    const thread = relayBook({ notes: 'block', journal: true }).thread('t')
    const relay = await thread.relay([hi])
    expect(relay.mode).toBe('rewritten')
    expect(relay.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('NOTE TO SELF') as string,
    })
    const { answer } = await relay.answer(said('Hello!\n[NOTE TO SELF: they said hi]'))
    expect(answer).toMatchObject({ text: 'Hello!', parent: relay.question.id })
    expect(shape(await thread.entries())).toEqual(['system', 'user', 'assistant', 'note', 'receipt'])
    const next = await thread.relay([hi, assistant('Hello!'), user('Bye')])
    expect(JSON.stringify(next.messages)).toContain('they said hi')
    await next.answer(said('Bye! [NOTE TO SELF: cut o', { finish: 'length' }))
    expect((await thread.visible()).map(({ text, status }) => [text, status])).toEqual(
      [
        ['Hi', 'complete'],
        ['Hello!', 'complete'],
        ['Bye!', 'complete'],
        ['Bye!', 'partial'],
      ].with(2, ['Bye', 'complete']),
    )
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2 })
  })

  test('is a journal entry of what the client’s tools did, where the thread keeps one', async () => {
    const thread = relayBook({ journal: true }).thread('t')
    const look = assistant(null, call('a', 'look'))
    await (await thread.relay([hi])).answer(said(look, { finish: 'calls' }))
    await (await thread.relay([hi, look, result('a', 'fog')])).answer(said('Fog.'))
    expect(shape(await thread.entries())).toEqual([
      'user',
      'assistant',
      'receipt',
      'tool',
      'assistant',
      'journal',
      'receipt',
    ])
  })

  test('may be half an answer, or none, and why', async () => {
    const thread = relayBook().thread('t')
    const half = await (await thread.relay([hi])).stop('cancelled', 'Hel')
    expect(half).toMatchObject({
      answer: { text: 'Hel', status: 'cancelled' },
      receipt: { outcome: 'cancelled', truncated: 'unknown' },
    })
    const none = await (await thread.relay([hi])).stop('failed', '', 'model_unreachable')
    expect(none).toMatchObject({ answer: undefined, receipt: { outcome: 'failed', head: half.receipt.head } })
    const stops = (await thread.entries()).filter(({ kind }) => kind === 'stop')
    expect(stops.map(({ text, status }) => [status, (JSON.parse(text) as { code: string }).code])).toEqual([
      ['failed', 'model_unreachable'],
    ])
    // The next message of a client that keeps what it has seen.
    const next = await thread.relay([hi, assistant('Hel'), user('Go on')])
    expect(next.question).toMatchObject({ text: 'Go on', parent: half.answer?.id })
  })

  test('is what the client got, with calls whose end was cut off', async () => {
    const thread = relayBook().thread('t')
    const cut = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"wh' } }],
    }
    const { answer } = await (await thread.relay([hi])).answer(said(cut, { finish: 'length' }))
    expect(answer).toMatchObject({ status: 'partial', raw: cut })
    expect((await thread.relay([hi, cut, user('Well?')])).question.parent).toBe(answer?.id)
  })

  test('can be recorded once', async () => {
    const relay = await relayBook().thread('t').relay([hi])
    await relay.answer(said('Hello!'))
    await expect(relay.answer(said('Hey.'))).rejects.toMatchObject({ code: 'relay_over' })
    await expect(relay.stop('failed', '')).rejects.toMatchObject({ code: 'relay_over' })
  })

  test('can be tried again where the store was away, and is there once', async () => {
    const store = memoryStore()
    let away = 0
    const thread = relayBook(
      {},
      { ...store, append: (...given) => (away-- > 0 ? Promise.reject(new Error('away')) : store.append(...given)) },
    ).thread('t')
    const relay = await thread.relay([hi])
    away = 2
    await expect(relay.answer(said('Hello!'))).rejects.toThrow('away')
    await expect(relay.answer(said('Hello!'))).rejects.toThrow('away')
    expect(await relay.answer(said('Hello!'))).toMatchObject({ answer: { text: 'Hello!' } })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant', 'receipt'])
  })

  test('must be an assistant’s message', async () => {
    const relay = await relayBook().thread('t').relay([hi])
    await expect(relay.answer(said(user('Hello!')))).rejects.toMatchObject({ code: 'malformed_message' })
    expect(await relay.answer(said('Hello!'))).toMatchObject({ answer: { text: 'Hello!' } })
  })
})

describe('a relay that cannot be', () => {
  test('says so at once', async () => {
    await expect(relayBook().thread('t').relay([])).rejects.toMatchObject({ code: 'nothing_to_answer' })
    await expect(relayBook({ notes: 'tool' }).thread('t').relay([hi])).rejects.toMatchObject({ code: 'notes_by_tool' })
    await expect(
      relayBook()
        .thread('t')
        .relay([{ role: 'nobody', content: 'x' }]),
    ).rejects.toMatchObject({ code: 'malformed_message' })
  })

  test('leaves its messages on record where nothing would fit', async () => {
    const thread = relayBook({ window: 20, reserve: 5 }).thread('t')
    const rules = system('word '.repeat(40))
    await expect(thread.relay([rules, hi], { trusted: true })).rejects.toMatchObject({
      code: 'context_overflow',
      details: { items: expect.any(Array) as unknown[] },
    })
    expect(shape(await thread.entries())).toEqual(['system', 'user', 'stop failed'])
  })

  test('does not bring back what was erased', async () => {
    const thread = relayBook().thread('t')
    const relay = await thread.relay([hi])
    const { answer } = await relay.answer(said('A secret.'))
    await thread.erase([answer!.id])
    const again = await (await thread.relay([hi])).answer(said('A secret.'))
    expect(again.answer).toBeUndefined()
    await thread.erase([relay.question.id])
    expect(JSON.stringify(await thread.entries())).not.toContain('secret')
  })
})

describe('the counter and the window', () => {
  test('decide on the path: what it may come to, and the reserve', async () => {
    const sure = { ...words, margin: { below: 0, above: 0.5 } }
    const path = async (window: number, reserve: number | undefined, counter = words): Promise<string> => {
      const relay = await relayBook({ window, reserve, counter })
        .thread('t')
        .relay([user('one two three four')])
        .catch(() => undefined)
      return relay?.mode ?? 'none'
    }
    const paths = [await path(14, 10), await path(13, 10), await path(16, 10, sure), await path(15, 10, sure)]
    expect(paths).toEqual(['unchanged', 'none', 'unchanged', 'rewritten'])
    // Without a reserve, an eighth of the window.
    expect([await path(4, undefined), await path(8, undefined)]).toEqual(['unchanged', 'unchanged'])
    expect(await path(80, 76)).toBe('unchanged')
    expect(await path(80, 77)).toBe('none')
  })

  test('of the past can be made again from the counter that was calibrated', async () => {
    const store = memoryStore()
    const samples = (ratio: number): { predicted: number; reported: number }[] =>
      Array.from({ length: 23 }, () => ({ predicted: 1000, reported: 1000 * ratio }))
    const kept: Message[] = []
    for (const [turn, ratio] of [0.5, 0.6, 0.7, 0.9].entries()) {
      kept.push(user(`Question ${turn}: ${'what about the harbour and its lamps? '.repeat(12)}`))
      const relay = await relayBook({ counter: calibrated(estimator, samples(ratio)), window: 400, reserve: 50 }, store)
        .thread('t')
        .relay(kept)
      const { receipt } = await relay.answer(said(`Answer ${turn}.`, { usage: { prompt: 3 } }))
      expect(receipt.tokens).toMatchObject({
        low: expect.any(Number) as number,
        high: expect.any(Number) as number,
        uncalibrated: relay.prediction.uncalibrated,
      })
      kept.push(assistant(`Answer ${turn}.`))
    }
    for (const counter of [estimator, calibrated(estimator, samples(1.1))]) {
      const thread = relayBook({ counter }, store).thread('t')
      expect(await thread.verify()).toMatchObject({ ok: true, prompts: 4, underivable: 0 })
      for (const { id, mode } of await thread.receipts())
        expect(await thread.dump({ receipt: id })).toMatchObject({ same: true, receipt: { mode } })
    }
    expect(await relayBook({ counter: words }, store).thread('t').verify()).toMatchObject({
      ok: true,
      underivable: expect.any(Number) as number,
    })
  })
})

describe('relays and turns of one thread', () => {
  test('take turns', async () => {
    const store = memoryStore()
    const open = (): ReturnType<ReturnType<typeof relayBook>['thread']> =>
      relayBook({ model: script('From a turn.', 'And another.'), window: 4096 }, store).thread('t')
    await (await open().relay([hi])).answer(said('Hello!'))
    const thread = open()
    expect(await thread.send('And you?').done).toMatchObject({ status: 'complete', text: 'From a turn.' })
    await (
      await thread.relay([hi, assistant('Hello!'), user('And you?'), assistant('From a turn.'), user('Fine.')])
    ).answer(said('Good.'))
    expect((await thread.visible()).map(({ text }) => text)).toEqual([
      'Hi',
      'Hello!',
      'And you?',
      'From a turn.',
      'Fine.',
      'Good.',
    ])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 3 })
  })

  test('have the thread’s own system text, and the newest one, behind results', async () => {
    const store = memoryStore()
    const look = assistant(null, call('a', 'look'))
    await (await relayBook({ system: 'Rules.' }, store).thread('t').relay([hi])).answer(said(look, { finish: 'calls' }))
    const thread = relayBook({ system: 'Other rules.' }, store).thread('t')
    const relay = await thread.relay([hi, look, result('a', 'fog')])
    expect(relay).toMatchObject({ mode: 'rewritten', question: { text: 'fog' } })
    expect(relay.messages.map(({ content }) => content)).toEqual(['Other rules.', 'Hi', null, 'fog'])
    await relay.answer(said('Fog.'))
    expect(await thread.branches()).toHaveLength(1)
    expect(
      (await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ kind, text }) => `${kind} ${text}`),
    ).toEqual(['system Rules.', 'user Hi', 'assistant ', 'tool fog', 'system Other rules.', 'assistant Fog.'])
    expect(
      (await thread.relay([hi, look, result('a', 'fog'), assistant('Fog.'), user('Thanks')])).question.parent,
    ).toBe((await thread.entries()).find(({ text }) => text === 'Fog.')?.id)
  })

  test('leave calls to the client that were relayed to it', async () => {
    const store = memoryStore()
    const model = script('No tools.')
    const book = relayBook({ model, window: 4096 }, store)
    await (await book.thread('t').relay([hi])).answer(said(assistant(null, call('a', 'look')), { finish: 'calls' }))
    for await (const { turn } of book.resume()) await turn.done
    expect(model.requests).toHaveLength(0)
    expect(await book.thread('t').send('Well?').done).toMatchObject({ status: 'complete', text: 'No tools.' })
  })
})
