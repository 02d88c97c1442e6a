import { openBook, memoryStore, defineTool, type ModelOptions } from 'minutebook'
import { fieldsOf, ollamaOptions, openAiOptions } from 'minutebook/wire'
import { ollamaModel } from 'minutebook/ollama'
import { openAiModel } from 'minutebook/openai'
import { user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { listen, requestOf, wires } from '../../../../tests/support/wires.ts'

const closed = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false }
const options: ModelOptions = { temperature: 0, seed: 7, stop: ['END'], output: closed }
const sent = {
  openai: {
    temperature: 0,
    seed: 7,
    stop: ['END'],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: closed, strict: true } },
  },
  ollama: { format: closed, options: { temperature: 0, seed: 7, stop: ['END'], num_ctx: 4096 } },
}

describe.each(wires)('what is asked of an answer by $wire', ({ wire, connect }) => {
  test('is what the server gets', async () => {
    await using upstream = await strictUpstream()
    const heard = await listen(connect(upstream.url)(requestOf([user('a')], { options })))
    expect(heard.error).toBeUndefined()
    expect(upstream.requests[0]?.json).toMatchObject(sent[wire])
    expect(upstream.requests[0]?.json).not.toHaveProperty('tool_choice')
  })

  test('is nothing if nobody asks', async () => {
    await using upstream = await strictUpstream()
    await listen(connect(upstream.url)(requestOf([user('a')])))
    const json = upstream.requests[0]?.json
    for (const field of ['temperature', 'seed', 'stop', 'format', 'response_format', 'tool_choice'])
      expect(json).not.toHaveProperty(field)
  })

  test('with tools: the form goes out with a call that cannot use them', async () => {
    await using upstream = await strictUpstream({ answer: ['One.', '{"a":1}'] })
    const look = defineTool({ name: 'look', run: () => 'seen' })
    const book = openBook({ store: memoryStore(), model: connect(upstream.url), window: 4096, tools: [look] })
    expect(await book.thread('t').ask('Which?', { output: z.object({ a: z.number() }) })).toEqual({ a: 1 })
    const [free, bound] = upstream.requests.filter(({ path }) => path.endsWith('chat') || path.endsWith('completions'))
    const form = wire === 'ollama' ? 'format' : 'response_format'
    expect(free?.json).not.toHaveProperty(form)
    expect(bound?.json).toHaveProperty(form)
    expect(bound?.tools).toEqual(free?.tools)
    expect(fieldsOf(bound?.json)['tool_choice']).toBe(wire === 'ollama' ? undefined : 'none')
  })
})

describe('what a model was made with', () => {
  test('stays, if the message asks nothing else', async () => {
    await using upstream = await strictUpstream()
    const openai = openAiModel(new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1` }), {
      model: 'm',
      temperature: 1,
      extra: { seed: 1 },
    })
    await listen(openai(requestOf([user('a')], { options: { temperature: 0 } })))
    expect(upstream.requests[0]?.json).toMatchObject({ temperature: 0, seed: 1 })
    const ollama = ollamaModel(new Ollama({ host: upstream.url }), {
      model: 'm',
      format: 'json',
      options: { temperature: 1, top_k: 5 },
      extra: { options: { seed: 1 } },
    })
    await listen(ollama(requestOf([user('a')], { options: { temperature: 0, seed: 2 } })))
    expect(upstream.requests[1]?.json).toMatchObject({ format: 'json', options: { temperature: 0, top_k: 5, seed: 2 } })
  })
})

describe('a schema that OpenAI would refuse as strict', () => {
  const open = { type: 'object', properties: {} }
  test.each([
    [open],
    [{ ...closed, required: [] }],
    [{ ...closed, properties: { a: open } }],
    [{ ...closed, properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }, open] } } } }],
    [{ ...closed, $defs: { b: open } }],
  ])('is not sent as such: %j', (output) => {
    expect(openAiOptions({ options: { output } })).toMatchObject({
      response_format: { json_schema: { schema: output, strict: false } },
    })
  })

  test('is not one that is closed to the last object', () => {
    const output = { ...closed, properties: { a: { type: ['array', 'null'], items: closed } } }
    expect(openAiOptions({ options: { output } })).toMatchObject({ response_format: { json_schema: { strict: true } } })
    expect(ollamaOptions({ options: { output } })).toEqual({
      body: { format: output },
      options: {},
    })
  })
})
