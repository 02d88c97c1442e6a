import { assistant, system, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import type { KeptReceipt } from 'minutebook/inspect'
import { describe, expect, test, vi } from 'vitest'
import { diceOf } from '../../../../tests/support/dice.ts'
import type { Running } from '../../src/index.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { paths, post } from './support/post.ts'
import { passage, usualTexts } from './support/random-talk.ts'
import { bodyOf, textIn } from './support/wire.ts'

/** Says 8,192, has 2,048, and drops the oldest messages without a word. */
const lying = { window: 2048, claims: 8192, onOverflow: 'drop' as const, counter: gptTokenizer() }

describe.each(['ollama', 'openai', 'anthropic'] as const)('an upstream of %s that says 8,192 and has 2,048', (wire) => {
  test('is named within three calls, and the next prompt fits into what it really has', async () => {
    const dice = diceOf(11)
    const { upstream, running } = await gatewayBefore({
      ...lying,
      answer: () => ({ text: passage(dice, 260, usualTexts) }),
    })
    const messages: Message[] = [system('You are a guide to the harbour.')]
    const threads = new Set<string>()
    for (let turn = 0; turn < 44; turn++) {
      messages.push(user(passage(dice, 260, usualTexts)))
      const { headers, text } = await post(running.url, paths[wire], bodyOf(wire, messages))
      threads.add(String(headers['minutebook-thread']))
      messages.push(assistant(textIn(JSON.parse(text))))
    }
    const sent = upstream.requests.filter(({ path }) => path === paths[wire])
    const receipts = await receiptsOf(running, [...threads][0]!)
    expect([threads.size, sent.length, receipts.length]).toEqual([1, 44, 44])
    const isCut = sent.map(({ tokens, seenTokens }) => seenTokens < tokens)
    const first = isCut.indexOf(true)
    const named = receipts.findIndex(({ truncated }) => truncated === 'yes')
    expect(first).toBeGreaterThan(5)
    expect(named - first).toBeGreaterThanOrEqual(0)
    expect(named - first).toBeLessThan(3)
    // From the next call on its prompts are made for what it has: none is cut any more.
    expect(isCut.slice(named + 1)).not.toContain(true)
    expect(receipts.filter(({ truncated }, index) => truncated === 'yes' && !isCut[index])).toEqual([])
    expect(
      running.services.readings.windowOf(
        { tenant: 'default', owner: '', upstream: upstream.url, model: 'strict' },
        8192,
      )?.window,
    ).toBe(2048)
    const next = await post(running.url, paths[wire], bodyOf(wire, [...messages, user('And?')]))
    expect(next.headers['minutebook-window']).toBe('2048; source="read"')
  })
})

test('a turn that the server runs is looked at like a chat', async () => {
  const dice = diceOf(12)
  const { upstream, operator } = await nativeServer(
    { ...lying, answer: () => ({ text: passage(dice, 260, usualTexts) }) },
    { defaultModel: 'strict' },
    'openai',
  )
  await operator.ask('POST', '/threads', { thread: 'harbour', setup: {} })
  for (let turn = 0; turn < 30; turn++)
    await operator.stream('POST', '/threads/harbour/turns', { body: { message: passage(dice, 260, usualTexts) } })
  const sent = upstream.requests.filter(({ path }) => path === paths.openai)
  const { body } = await operator.ask('GET', '/threads/harbour/receipts?limit=100')
  const receipts = body['receipts'] as readonly KeptReceipt[]
  const first = sent.findIndex(({ tokens, seenTokens }) => seenTokens < tokens)
  const named = receipts.findIndex(({ truncated }) => truncated === 'yes')
  expect([sent.length, receipts.length]).toEqual([30, 30])
  expect(named - first).toBeGreaterThanOrEqual(0)
  expect(named - first).toBeLessThan(3)
  expect(sent.slice(named + 1).filter(({ tokens, seenTokens }) => seenTokens < tokens)).toEqual([])
})

test('counts of cut prompts do not calibrate, and those of others do', async () => {
  const dice = diceOf(13)
  const { upstream, running } = await gatewayBefore({ ...lying, answer: 'ok' })
  const learn = vi.spyOn(running.services.calibrations, 'learn')
  for (let thread = 0; thread < 3; thread++) {
    const messages: Message[] = [user(`Thread ${thread}`), assistant('ok')]
    for (let turn = 0; turn < 40; turn++) {
      messages.push(user(passage(dice, 520, usualTexts)))
      await post(running.url, paths.ollama, { model: 'strict', stream: false, messages })
      messages.push(assistant('ok'))
    }
  }
  const samples = learn.mock.calls.map(([, sample]) => sample)
  const sent = upstream.requests.filter(({ path }) => path === paths.ollama)
  const cut = new Set(sent.filter(({ tokens, seenTokens }) => seenTokens < tokens).map(({ seenTokens }) => seenTokens))
  expect(cut.size).toBeGreaterThan(1)
  expect(samples.length).toBeGreaterThan(19)
  expect(samples.filter(({ reported }) => cut.has(reported))).toEqual([])
})

async function receiptsOf({ services }: Running, thread: string): Promise<readonly KeptReceipt[]> {
  return services.stores.of('default').book.thread(thread).receipts()
}
