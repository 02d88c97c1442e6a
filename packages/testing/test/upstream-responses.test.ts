import { strictUpstream } from '@minutebook/testing/server'
import OpenAI from 'openai'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'

const answer = { reasoning: 'a lamp', text: 'One moment.', calls: [{ name: 'now', arguments: { zone: 'UTC' } }] }
const include: 'reasoning.encrypted_content'[] = ['reasoning.encrypted_content']

test('the official client puts the events of a response together', async () => {
  await using upstream = await strictUpstream({ responses: true, answer })
  const client = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'none' })
  const params = { model: 'strict', input: 'Which lamp is on?', instructions: 'Be brief.', store: false, include }
  const whole = await client.responses.create(params)
  const stream = await client.responses.stream(params).finalResponse()
  expect(stream.output_text).toBe('One moment.')
  expect(stream.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
  expect(whole.output.map(({ type }) => type)).toEqual(stream.output.map(({ type }) => type))
  expect(upstream.requests[0]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Which lamp is on?' },
  ])
  expect(whole.usage).toMatchObject({ input_tokens: upstream.requests[0]?.tokens })
})

test('what it said can be sent back as it was, and not in any other way', async () => {
  await using upstream = await strictUpstream({ responses: true, answer: [answer, 'It is noon.'] })
  const client = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const ask = (input: ResponseInput | string, more: object = {}): Promise<unknown> =>
    client.responses.create({ model: 'strict', input, store: false, include, ...more })
  const { output } = await client.responses.create({ model: 'strict', input: 'When?', store: false, include })
  const result = { type: 'function_call_output', call_id: 'call_0_0', output: '12:00' } as const
  const [reasoning, ...said] = output as ResponseInput
  const refusals = [
    [[{ role: 'user', content: 'When?' }, ...said, result], 'without its required'],
    [[{ role: 'user', content: 'When?' }, reasoning, result], 'required following item'],
    [[{ role: 'user', content: 'When?' }, { ...reasoning, encrypted_content: 'other' }, ...said, result], 'verified'],
    [[{ role: 'user', content: 'When?' }, { ...reasoning, encrypted_content: null }, ...said, result], 'not persisted'],
    [[{ role: 'user', content: 'When?' }, reasoning, ...said], '0 results'],
    [[{ type: 'riddle' }], 'riddle'],
    [[], 'input'],
  ] as unknown as [ResponseInput, string][]
  for (const [input, why] of refusals) await expect(ask(input)).rejects.toThrow(why)
  await expect(ask('When?', { store: true })).rejects.toThrow('store')
  await expect(ask('When?', { previous_response_id: 'resp_0' })).rejects.toThrow('previous_response_id')
  await expect(ask([{ role: 'user', content: 'When?' }, reasoning!, ...said, result])).resolves.toMatchObject({
    output_text: 'It is noon.',
  })
})

test('by default there is no such path', async () => {
  await using upstream = await strictUpstream()
  expect((await fetch(`${upstream.url}/v1/responses`, { method: 'POST', body: '{}' })).status).toBe(404)
})
