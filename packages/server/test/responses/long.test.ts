import { expect, test } from 'vitest'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { body, given, seat, sent, threadsOf } from './support/client.ts'

const turns = 50
const window = 4096

test(`${turns} turns by previous_response_id alone in a window of ${window}: none is refused, and the first message and the question are always there`, async () => {
  const counter = gptTokenizer()
  const at = await seat(
    {
      window,
      counter,
      answer: ({ messages }) =>
        `I heard ${String(messages.at(-1)?.content).split('.', 1)[0]}. ${'The lamp is lit and the sea is calm. '.repeat(12)}`,
    },
    { models: { strict: { window, reserve: 512, counter: 'o200k' } } },
  )
  let previous: string | undefined
  let omitted = 0
  for (let turn = 0; turn < turns; turn++) {
    const input = `question ${turn}. ${'The keeper wrote down what the ships said that night. '.repeat(10)}`
    const params = {
      model: 'strict',
      input,
      instructions: 'You are a lighthouse keeper.',
      ...(previous !== undefined && { previous_response_id: previous }),
    }
    const { response } = await given(at.client, params, turn % 2 === 0)
    expect(response).toMatchObject({
      status: 'completed',
      output_text: expect.stringContaining(`I heard question ${turn}.`),
    })
    const messages = sent(at)
    expect(at.upstream.requests.at(-1)?.status).toBe(200)
    expect(messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('You are a lighthouse keeper.'),
    })
    expect(JSON.stringify(messages)).toContain('question 0.')
    expect(messages.at(-1)).toEqual({ role: 'user', content: input })
    omitted = Math.max(omitted, turn * 2 - messages.length)
    // What the client sends does not grow.
    expect(JSON.stringify(params).length).toBeLessThan(900)
    previous = response.id
  }
  expect(omitted).toBeGreaterThan(50)
  expect(at.upstream.requests.filter(({ path, status }) => path.includes('chat') && status >= 400)).toEqual([])
  const [thread, ...others] = await threadsOf(at.running)
  expect(others).toEqual([])
  const { book, store } = at.running.services.stores.of('default')
  const opened = book.thread(thread!, { counter })
  expect(await opened.verify()).toMatchObject({ ok: true })
  const log = await store.read(thread!)
  expect([
    log.filter(({ kind }) => kind === 'user').length,
    log.filter(({ kind }) => kind === 'assistant').length,
    log.filter(({ kind }) => kind === 'system').length,
  ]).toEqual([turns, turns, 1])
  const receipts = await opened.receipts()
  expect(receipts.filter(({ truncated }) => truncated === 'yes')).toEqual([])
  const calls = at.upstream.requests.filter(({ path }) => path === '/v1/chat/completions')
  for (const turn of [0, 1, 20, turns - 1])
    expect((await opened.dump({ receipt: receipts[turn]!.id })).messages).toEqual(calls[turn]!.messages)
  expect(body(at)).toMatchObject({ model: 'strict' })
})
