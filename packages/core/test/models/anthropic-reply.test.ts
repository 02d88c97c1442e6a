import type { ModelEvent } from 'minutebook'
import { expect, test } from 'vitest'
import { anthropicReply } from '../../src/models/anthropic-reply.ts'
import { toAnthropic } from '../../src/models/anthropic-wire.ts'
import type { EndEvent } from '../../src/models/wire.ts'

const whole = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmVk' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 't1', name: 'look', input: { at: 'sky', times: 2 } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 17 },
}

const { usage } = whole
const stream: readonly object[] = [
  {
    type: 'message_start',
    message: { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Let me' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: ' see.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'look.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't1', name: 'look', input: {} } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"at":"sk' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: 'y","times":2}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 17 } },
  { type: 'message_stop' },
]

function heard(chunks: readonly unknown[]): { readonly events: ModelEvent[]; readonly end: EndEvent } {
  const reply = anthropicReply()
  const events = chunks.flatMap((chunk) => reply.push(chunk))
  expect(reply.done).toBe(true)
  return { events, end: reply.end() }
}

test('a stream and a whole answer say the same', () => {
  const streamed = heard(stream)
  expect(streamed.end).toEqual(heard([whole]).end)
  expect(streamed.end).toMatchObject({ finish: 'calls', usage: { prompt: 123, cached: 100, completion: 17 } })
  expect(toAnthropic([streamed.end.message])).toEqual([{ role: 'assistant', content: whole.content }])
  expect(streamed.events).toEqual([
    { type: 'reasoning', text: 'Let me' },
    { type: 'reasoning', text: ' see.' },
    { type: 'text', text: 'I ' },
    { type: 'text', text: 'look.' },
  ])
})

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'filter'],
  ['pause_turn', 'unknown'],
])('%s means %s', (reason, finish) => {
  const content = [{ type: 'text', text: 'Well.' }]
  expect(heard([{ ...whole, content, stop_reason: reason }]).end.finish).toBe(finish)
})

test('an answer that broke off is no answer', () => {
  const reply = anthropicReply()
  for (const chunk of stream.slice(0, -2)) reply.push(chunk)
  expect(reply.done).toBe(false)
  expect(() => reply.end()).toThrow(expect.objectContaining({ code: 'model_cut' }))
})

test('an error of the server is one, in the middle of a stream, too', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  expect(() => anthropicReply().push(error)).toThrow(expect.objectContaining({ code: 'model_error' }))
})

test('arguments that were cut off stay as their text', () => {
  const cut = [...stream.slice(0, 14), { type: 'message_delta', delta: { stop_reason: 'max_tokens' } }, stream.at(-1)]
  const { end } = heard(cut)
  expect(end.finish).toBe('length')
  expect(JSON.stringify(end.message)).toContain(JSON.stringify('{"at":"sk'))
})

test('blocks of a kind that is not known, and citations, are kept', () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }
  const { end } = heard([
    { type: 'content_block_start', index: 0, content_block: search },
    { type: 'content_block_start', index: 5, content_block: { type: 'text', text: 'Found', citations: [] } },
    { type: 'content_block_delta', index: 5, delta: { type: 'citations_delta', citation: { title: 'A page' } } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ])
  expect(end.message.content).toEqual([search, { type: 'text', text: 'Found', citations: [{ title: 'A page' }] }])
})
