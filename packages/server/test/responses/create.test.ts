import { describe, expect, test } from 'vitest'
import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses'
import type { StrictUpstreamOptions } from '@minutebook/testing/server'
import { body, given, seat } from './support/client.ts'

const now = {
  type: 'function',
  name: 'now',
  description: 'The time.',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
  strict: true,
} as const
const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false }
const difficult = 'Grüße, 世界 👩‍💻! "quoted" \\ and\nlines\u2028 end'
const dot = 'data:image/png;base64,iVBORw0KGgo='

interface Case {
  readonly name: string
  readonly params?: Partial<ResponseCreateParamsNonStreaming>
  readonly upstream?: StrictUpstreamOptions
  /** What the upstream is asked with beside the rest. */
  readonly asked?: object
  /** What the client is given. */
  readonly response?: object
  readonly text?: string
}

const cases: readonly Case[] = [
  {
    name: 'a text',
    text: 'ok',
    asked: { messages: [{ role: 'user', content: 'Hello' }] },
    response: { status: 'completed', error: null, incomplete_details: null },
  },
  {
    name: 'difficult letters',
    params: { input: difficult },
    upstream: { answer: difficult, split: 1 },
    text: difficult,
    asked: { messages: [{ role: 'user', content: difficult }] },
  },
  { name: 'a long answer', upstream: { answer: 'word '.repeat(300).trim() }, text: 'word '.repeat(300).trim() },
  { name: 'an answer of nothing', upstream: { answer: '' }, text: '', response: { status: 'completed' } },
  {
    name: 'instructions',
    params: { instructions: 'Be brief.' },
    asked: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    },
    response: { instructions: 'Be brief.' },
  },
  {
    name: 'messages of all roles',
    params: {
      input: [
        { role: 'developer', content: 'a' },
        { role: 'system', content: 'b' },
        { role: 'user', content: 'c' },
        { role: 'assistant', content: 'd' },
        { role: 'user', content: 'e' },
      ],
    },
    asked: {
      messages: [
        { role: 'system', content: 'a' },
        { role: 'system', content: 'b' },
        { role: 'user', content: 'c' },
        { role: 'assistant', content: 'd' },
        { role: 'user', content: 'e' },
      ],
    },
  },
  {
    name: 'content in parts',
    params: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_text', text: 'b' },
          ],
        },
      ],
    },
    asked: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
  },
  {
    name: 'one part',
    params: { input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }] },
    asked: { messages: [{ role: 'user', content: 'a' }] },
  },
  {
    name: 'an image',
    params: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What?' },
            { type: 'input_image', image_url: dot, detail: 'low' },
          ],
        },
      ],
    },
    asked: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url: dot, detail: 'low' } },
          ],
        },
      ],
    },
  },
  {
    name: 'an image by its address',
    params: {
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: 'https://example.test/a.png', detail: 'auto' }] },
      ],
    },
    asked: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://example.test/a.png', detail: 'auto' } }],
        },
      ],
    },
  },
  {
    name: 'an earlier answer with its parts',
    params: {
      input: [
        { role: 'user', content: 'a' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'b', annotations: [] }],
        },
        { role: 'user', content: 'c' },
      ],
    },
    asked: {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    },
  },
  {
    name: 'thoughts of before are left out',
    params: {
      input: [
        { role: 'user', content: 'a' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    },
    asked: {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    },
  },
  {
    name: 'calls and results in the input',
    params: {
      tools: [now],
      input: [
        { role: 'user', content: 'Time?' },
        { type: 'function_call', call_id: 'c1', name: 'now', arguments: '{"zone":"UTC"}' },
        { type: 'function_call', call_id: 'c2', name: 'now', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '12' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: '13' }] },
      ],
    },
    asked: {
      messages: [
        { role: 'user', content: 'Time?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'now', arguments: '{"zone":"UTC"}' } },
            { id: 'c2', type: 'function', function: { name: 'now', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '12' },
        { role: 'tool', tool_call_id: 'c2', content: '13' },
      ],
    },
  },
  {
    name: 'text and calls of one answer',
    params: {
      tools: [now],
      input: [
        { role: 'user', content: 'Time?' },
        { role: 'assistant', content: 'Let me see.' },
        { type: 'function_call', call_id: 'c1', name: 'now', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '12' },
      ],
    },
    asked: {
      messages: [
        { role: 'user', content: 'Time?' },
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '12' },
      ],
    },
  },
  {
    name: 'a function',
    params: { tools: [now] },
    asked: {
      tools: [
        {
          type: 'function',
          function: { name: 'now', description: 'The time.', parameters: now.parameters, strict: true },
        },
      ],
    },
    response: { tools: [now], tool_choice: 'auto' },
  },
  {
    name: 'a call',
    params: { tools: [now] },
    upstream: { answer: { calls: [{ id: 'a1', name: 'now', arguments: { zone: 'UTC' } }] } },
    text: '',
    response: {
      status: 'completed',
      output: [{ type: 'function_call', call_id: 'a1', name: 'now', arguments: '{"zone":"UTC"}', status: 'completed' }],
    },
  },
  {
    name: 'two calls with text',
    params: { tools: [now] },
    upstream: {
      answer: {
        text: 'Let me see.',
        calls: [
          { id: 'a1', name: 'now' },
          { id: 'a2', name: 'now', arguments: { zone: difficult } },
        ],
      },
    },
    text: 'Let me see.',
    response: {
      output: [
        { type: 'message' },
        { type: 'function_call', call_id: 'a1' },
        { type: 'function_call', call_id: 'a2', arguments: JSON.stringify({ zone: difficult }) },
      ],
    },
  },
  {
    name: 'calls under one id',
    params: { tools: [now] },
    upstream: {
      answer: {
        calls: [
          { id: 'same', name: 'now' },
          { id: 'same', name: 'now' },
        ],
      },
    },
    response: { output: [{ call_id: 'same' }, { call_id: expect.stringMatching(/^call_.{22}$/) }] },
  },
  {
    name: 'a choice of tools',
    params: { tools: [now], tool_choice: 'required', parallel_tool_calls: false },
    asked: { tool_choice: 'required', parallel_tool_calls: false },
    response: { tool_choice: 'required', parallel_tool_calls: false },
  },
  {
    name: 'the choice of one tool',
    params: { tools: [now], tool_choice: { type: 'function', name: 'now' } },
    asked: { tool_choice: { type: 'function', function: { name: 'now' } } },
  },
  {
    name: 'tools that are allowed',
    params: {
      tools: [now],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'now' }] },
    },
    asked: {
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'now' } }] },
      },
    },
  },
  {
    name: 'structured output',
    params: { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } },
    upstream: { answer: '{"a": 1}' },
    text: '{"a": 1}',
    asked: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } } },
    response: { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } },
  },
  {
    name: 'plain JSON',
    params: { text: { format: { type: 'json_object' } } },
    upstream: { answer: '{}' },
    asked: { response_format: { type: 'json_object' } },
  },
  {
    name: 'plain text with few words',
    params: { text: { format: { type: 'text' }, verbosity: 'low' } },
    asked: { verbosity: 'low' },
  },
  {
    name: 'thoughts',
    params: { reasoning: { effort: 'low' } },
    upstream: { answer: { reasoning: 'Hm, well.', text: 'Yes.' } },
    text: 'Yes.',
    asked: { reasoning_effort: 'low' },
    response: {
      reasoning: { effort: 'low' },
      output: [{ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm, well.' }] }, { type: 'message' }],
    },
  },
  {
    name: 'thoughts and a call',
    params: { tools: [now] },
    upstream: { answer: { reasoning: 'Hm.', calls: [{ name: 'now' }] } },
    response: { output: [{ type: 'reasoning' }, { type: 'function_call' }] },
  },
  {
    name: 'numbers of all kinds',
    params: { temperature: 0, top_p: 0.5, max_output_tokens: 99, user: 'u', service_tier: 'auto' },
    asked: { temperature: 0, top_p: 0.5, max_tokens: 99, user: 'u', service_tier: 'auto' },
    response: { temperature: 0, top_p: 0.5, max_output_tokens: 99 },
  },
  { name: 'metadata', params: { metadata: { a: '1', b: '' } }, response: { metadata: { a: '1', b: '' } } },
  {
    name: 'truncation, include and store',
    params: { truncation: 'auto', include: ['reasoning.encrypted_content'], store: true, background: false },
    response: { truncation: 'auto' },
  },
  {
    name: 'an answer that ran out of room',
    upstream: { answer: { text: 'And then', finish: 'length' } },
    text: 'And then',
    response: {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    },
  },
  {
    name: 'an answer that was filtered',
    upstream: { answer: { text: 'No', finish: 'filter' } },
    response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
  },
  {
    name: 'counts',
    upstream: { answer: { text: 'ok', usage: { prompt: 5, completion: 1, cached: 3 } } },
    response: {
      usage: { input_tokens: 5, input_tokens_details: { cached_tokens: 3 }, output_tokens: 1, total_tokens: 6 },
    },
  },
  { name: 'no counts', upstream: { usage: false }, response: { usage: null } },
  {
    name: 'a whole answer of an upstream that does not stream',
    upstream: { whole: true, answer: 'one two' },
    text: 'one two',
  },
]

describe.each([false, true])('the official client, streamed: %s', (streams) => {
  test.each(cases)('gets $name', async ({ params, upstream, asked = {}, response: expected = {}, text }) => {
    const at = await seat(upstream)
    const { response, events } = await given(at.client, { model: 'strict', input: 'Hello', ...params }, streams)
    expect(body(at)).toMatchObject({ model: 'strict', stream: streams, ...asked })
    expect(response).toMatchObject({ object: 'response', model: 'strict', ...expected })
    const { output_text: said, ...rest } = response
    if (text !== undefined) expect(said).toBe(text)
    // What was given is what is on record.
    const { output_text: kept, ...recorded } = await at.client.responses.retrieve(response.id)
    expect(recorded).toEqual(rest)
    expect(kept).toBe(textIn(response.output))
    if (streams) {
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
      expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
      const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []))
      expect(deltas.join('')).toBe(textIn(response.output))
    }
  })
})

function textIn(output: readonly object[]): string {
  return output
    .flatMap((item) =>
      'type' in item && item.type === 'message' && 'content' in item ? (item.content as { text: string }[]) : [],
    )
    .map(({ text }) => text)
    .join('')
}
