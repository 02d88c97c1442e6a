import type { ResponseInput } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { messageItems } from '../../src/responses/item-messages.ts'
import { failure, given, seat, threadsOf, type Seat } from './support/client.ts'

const window = 4096
const counter = gptTokenizer()
const models = { strict: { window, reserve: 512, counter: 'o200k' } }
const include: 'reasoning.encrypted_content'[] = ['reasoning.encrypted_content']
const tools = [{ type: 'function' as const, name: 'look', parameters: {}, strict: null }]
const instructions = 'You are a lighthouse keeper.'

function inputs({ upstream }: Pick<Seat, 'upstream'>): readonly (readonly Readonly<Record<string, unknown>>[])[] {
  return upstream.requests
    .filter(({ path, text, status }) => path === '/v1/responses' && text !== '{}' && status === 200)
    .map(({ json }) => (json as { input: Readonly<Record<string, unknown>>[] }).input)
}

/** Each question leads to reasoning and a call, and its result to an answer. */
function keeper(): (request: { readonly messages: readonly { readonly role: string }[] }) => object {
  let number = 0
  return ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { reasoning: 'That is enough.', text: `Lamp ${number}. ${'The lamp is lit and the sea is calm. '.repeat(12)}` }
      : { reasoning: 'I must look.', calls: [{ name: 'look', id: `look_${number++}` }] }
}

test('30 turns with sealed reasoning and tools by previous_response_id alone, in a window of 4096: none is refused', async () => {
  const at = await seat({ responses: true, window, counter, answer: keeper() }, { models })
  let previous: string | undefined
  for (let turn = 0; turn < 30; turn++) {
    const params = { model: 'strict', instructions, tools, include }
    const chain = (id: string | undefined): object => (id === undefined ? {} : { previous_response_id: id })
    const text = `question ${turn}. ${'The keeper wrote down what the ships said that night. '.repeat(6)}`
    const { response } = await given(at.client, { ...params, input: text, ...chain(previous) }, turn % 2 === 0)
    const call = response.output.find(({ type }) => type === 'function_call')
    const output = { type: 'function_call_output', call_id: `look_${turn}`, output: `ship ${turn}` } as const
    expect(call).toMatchObject({ call_id: output.call_id })
    const next = await given(at.client, { ...params, input: [output], ...chain(response.id) }, turn % 2 === 1)
    expect(next.response).toMatchObject({ status: 'completed', output_text: expect.stringMatching(/^Lamp /) })
    const sent = inputs(at).at(-1)!
    expect(sent.slice(-3)).toEqual([...response.output, output].slice(-3))
    expect(JSON.stringify(sent)).toContain('question 0.')
    previous = next.response.id
  }
  const refused = at.upstream.requests.filter(({ text, status }) => text !== '{}' && status >= 400)
  expect(refused.map(({ path }) => path).filter((path) => path === '/v1/responses')).toEqual([])
  expect(inputs(at).at(-1)!.length).toBeLessThan(60)
  for (const { json } of at.upstream.requests.filter(({ path, text }) => path === '/v1/responses' && text !== '{}'))
    expect(json).toMatchObject({ instructions, tools, include, store: false })
  const [thread] = await threadsOf(at.running)
  const opened = at.running.services.stores.of('default').book.thread(thread!, { counter })
  expect(await opened.verify()).toMatchObject({ ok: true })
  const receipts = await opened.receipts()
  const dumped = (await opened.dump({ receipt: receipts.at(-1)!.id })).messages
  const isInstructions = ({ role, content }: { role: string; content?: unknown }): boolean =>
    role === 'system' && content === instructions
  expect(messageItems(dumped.filter((message) => !isInstructions(message)))).toEqual(inputs(at).at(-1))
})

describe('a client that sends everything itself', () => {
  const long = Array.from({ length: 80 }, (_, turn): ResponseInput => [
    { role: 'user', content: `question ${turn}. ${'The keeper wrote it down. '.repeat(10)}` },
    { role: 'assistant', content: `Lamp ${turn}. ${'It is lit. '.repeat(10)}` },
  ]).flat()
  const input: ResponseInput = [...long, { role: 'user', content: 'And now?' }]

  test.each([true, false])('gets an answer if its input does not fit, as a stream: %o', async (streams) => {
    const at = await seat({ responses: true, window, counter }, { models })
    const { response } = await given(at.client, { model: 'strict', instructions, input, store: false }, streams)
    expect(response.output_text).toBe('ok')
    const [sent] = inputs(at)
    expect(sent!.length).toBeLessThan(input.length)
    expect(sent!.at(-1)).toEqual({ role: 'user', content: 'And now?' })
    const raw = await at.client.responses.create({ model: 'strict', input }).withResponse()
    expect(Number(raw.response.headers.get('minutebook-omitted'))).toBeGreaterThan(0)
    expect(raw.response.headers.get('minutebook-window')).toBe(`${window}; source="configuration"`)
  })

  test('does not see a refusal after which a shorter prompt fits', async () => {
    const at = await seat({ responses: true, window, counter, claims: 1_000_000 })
    const { response } = await given(at.client, { model: 'strict', input }, true)
    expect(response.output_text).toBe('ok')
    const statuses = at.upstream.requests
      .filter(({ path, text }) => path === '/v1/responses' && text !== '{}')
      .map(({ status }) => status)
    expect(statuses).toEqual([400, 200])
    await given(at.client, { model: 'strict', input }, false)
    expect(at.upstream.requests.filter(({ text, status }) => text.length > 2 && status === 400)).toHaveLength(1)
  })

  test('does not see one that comes as an event either', async () => {
    const at = await seat({ responses: true, counter, claims: 1_000_000 })
    at.upstream.next({ errorAfter: 2, errorText: `This model's maximum context length is ${window} tokens.` })
    const { response, events } = await given(at.client, { model: 'strict', input }, true)
    expect(response.output_text).toBe('ok')
    expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1)
    const [first, second] = inputs(at)
    expect(first).toHaveLength(input.length)
    expect(second!.length).toBeLessThan(input.length)
  })

  test('is refused in the words of OpenAI if nothing fits', async () => {
    const at = await seat({ responses: true, window: 200 }, { models: { strict: { window: 200, reserve: 50 } } })
    const schema = { type: 'object', properties: { where: { description: 'a harbour and its lamp '.repeat(200) } } }
    const huge = [{ ...tools[0]!, parameters: schema }]
    const refused = await failure(at.client.responses.create({ model: 'strict', tools: huge, input: 'Is it lit?' }))
    expect(refused).toMatchObject({ status: 400, code: 'context_length_exceeded' })
    expect(refused.message).toMatch(/maximum context length is 200 tokens. However, your messages resulted in \d+/)
  })
})
