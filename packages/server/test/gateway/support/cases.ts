import { assistant, system, user } from '@minutebook/testing'
import { omittedThinking, type StrictUpstreamOptions } from '@minutebook/testing/server'
import type { Message } from 'minutebook'
import { format, talk, tools, withNow, withPicture, withTools } from './talks.ts'
import type { Ask, ClientName } from './wire.ts'

/** One thing that clients do. What they see through the gateway must be what they see without it. */
export interface ChatCase {
  readonly name: string
  readonly wires?: readonly ClientName[]
  readonly streams?: readonly boolean[]
  readonly upstream?: StrictUpstreamOptions
  readonly messages?: readonly Message[] | ((wire: ClientName) => readonly Message[])
  readonly fields?: object | ((wire: ClientName) => object)
  readonly ask?: Partial<Ask>
  /** What the record says of the answers, in their order; [] where there is none. */
  readonly answers?: readonly string[] | ((wire: ClientName) => readonly string[])
  /** Through the gateway the client sees another error, since an end that is none must not look like one. */
  readonly differs?: 'error'
  /** How often the upstream is asked. */
  readonly requests?: number
  readonly recorded?: false
}

const both: readonly ClientName[] = ['ollama', 'openai']
const difficult = 'Grüße, 世界 👩‍💻! "quoted" \\ and\nlines\u2028 end'
/** Chunks of a stream that say nothing yet. */
const silent = { ollama: 0, openai: 1, anthropic: 3 } as const
/** What a stream of words has said after so many chunks. */
const shown = (wire: ClientName, chunks: number): string =>
  ['one ', 'two ', 'three '].slice(0, Math.max(0, chunks - silent[wire])).join('')
const partly = (status: string, wire: ClientName, chunks: number): string[] =>
  shown(wire, chunks) === '' ? [] : [`${status}: ${shown(wire, chunks)}`]

export const cases: readonly ChatCase[] = [
  { name: 'one question', upstream: { answer: 'Hello to you.' }, answers: ['complete: Hello to you.'] },
  { name: 'a conversation', messages: talk, answers: ['complete: ok'] },
  {
    name: 'difficult letters',
    messages: [user(difficult)],
    upstream: { answer: difficult },
    answers: [`complete: ${difficult}`],
  },
  { name: 'letters that are split', upstream: { answer: difficult, split: 1 }, answers: [`complete: ${difficult}`] },
  {
    name: 'packets of seven bytes',
    upstream: { answer: 'one two three', split: 7 },
    answers: ['complete: one two three'],
  },
  {
    name: 'a long answer',
    upstream: { answer: 'word '.repeat(300).trim() },
    answers: [`complete: ${'word '.repeat(300).trim()}`],
  },
  { name: 'an answer of nothing', upstream: { answer: '' }, answers: ['complete: '] },
  { name: 'several system messages', messages: [system('a'), system('b'), user('c')], answers: ['complete: ok'] },
  {
    name: 'a developer message',
    wires: ['openai'],
    messages: [{ role: 'developer', content: 'Be brief.' }, user('Hi')],
    answers: ['complete: ok'],
  },
  {
    name: 'content in parts',
    wires: ['openai'],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    answers: ['complete: ok'],
  },
  { name: 'the beginning of an answer', messages: [user('Say it'), assistant('It is')], answers: ['complete: ok'] },
  {
    name: 'a call',
    fields: withNow,
    upstream: { answer: { calls: [{ name: 'now', arguments: { zone: 'UTC' } }] } },
    answers: ['complete:  now'],
  },
  {
    name: 'two calls with text and ids',
    fields: withNow,
    upstream: {
      answer: {
        text: 'Let me see.',
        calls: [
          { id: 'a1', name: 'now' },
          { id: 'a2', name: 'now', arguments: { zone: difficult } },
        ],
      },
    },
    answers: ['complete: Let me see. now now'],
  },
  {
    name: 'results of calls',
    messages: withTools,
    fields: withNow,
    upstream: { answer: 'Noon.' },
    answers: ['complete: Noon.'],
  },
  {
    name: 'a choice of tools',
    wires: ['openai'],
    fields: { tools, tool_choice: 'auto', parallel_tool_calls: false },
    answers: ['complete: ok'],
  },
  { name: 'a picture', messages: withPicture, answers: ['complete: ok'] },
  {
    name: 'thoughts',
    upstream: { answer: { reasoning: 'Hm, well.', text: 'Yes.' } },
    fields: (wire) =>
      ({
        ollama: { think: true },
        openai: { reasoning_effort: 'low' },
        anthropic: { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2048 },
      })[wire],
    answers: ['complete: Yes.'],
  },
  {
    name: 'thoughts and a call',
    fields: withNow,
    upstream: { answer: { reasoning: 'Hm.', calls: [{ name: 'now' }] } },
    answers: ['complete:  now'],
  },
  { name: 'structured output', fields: format, upstream: { answer: '{"a": 1}' }, answers: ['complete: {"a": 1}'] },
  {
    name: 'plain JSON',
    wires: both,
    fields: (wire) => (wire === 'ollama' ? { format: 'json' } : { response_format: { type: 'json_object' } }),
    upstream: { answer: '{}' },
    answers: ['complete: {}'],
  },
  {
    name: 'options of all kinds',
    fields: (wire) =>
      ({
        ollama: { options: { temperature: 0, seed: 7, num_predict: 9, stop: ['x'] }, keep_alive: '5m' },
        openai: { temperature: 0, seed: 7, max_tokens: 9, stop: ['x'], user: 'u', logit_bias: {} },
        anthropic: { temperature: 0, top_k: 7, max_tokens: 9, stop_sequences: ['x'], metadata: { user_id: 'u' } },
      })[wire],
    answers: ['complete: ok'],
  },
  {
    name: 'fields that nobody knows',
    fields: { own: { a: [1, null, 1.5e300] }, __proto: 1 },
    answers: ['complete: ok'],
  },
  {
    name: 'an answer that ran out of room',
    upstream: { answer: { text: 'And then', finish: 'length' } },
    answers: ['partial: And then'],
  },
  {
    name: 'an answer that was filtered',
    wires: ['openai', 'anthropic'],
    upstream: { answer: { text: 'No', finish: 'filter' } },
    answers: ['complete: No'],
  },
  { name: 'no counts', upstream: { usage: false }, answers: ['complete: ok'] },
  {
    name: 'counts in a stream',
    wires: ['openai'],
    streams: [true],
    fields: { stream_options: { include_usage: true } },
    answers: ['complete: ok'],
  },
  {
    name: 'counts of what was cached',
    upstream: { answer: { text: 'ok', usage: { prompt: 5, completion: 1, cached: 3 } } },
    answers: ['complete: ok'],
  },
  {
    name: 'a whole response where a stream was asked for',
    streams: [true],
    wires: ['ollama'],
    upstream: { whole: true },
    answers: ['complete: ok'],
  },
  { name: 'a model that is not there', upstream: { models: ['other'] }, answers: [] },
  {
    name: 'a request that is refused',
    wires: both,
    messages: [user('a'), { role: 'tool', content: 'b', tool_call_id: 'nobody', tool_name: 'x' }],
    answers: [],
  },
  {
    name: 'a request that is refused',
    wires: ['anthropic'],
    messages: [user('a'), { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'b' }] }],
    answers: [],
  },
  {
    name: 'thoughts without their text, marks for the cache and blocks that nobody knows',
    wires: ['anthropic'],
    messages: [
      { role: 'user', content: [{ type: 'kind_of_tomorrow', own: 1 }] },
      { role: 'assistant', content: [omittedThinking('Hm.'), { type: 'text', text: 'a' }] },
      { role: 'user', content: [{ type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    ],
    fields: { thinking: { type: 'adaptive', display: 'omitted' }, cache_control: { type: 'ephemeral' } },
    upstream: { answer: { reasoning: 'Hm, well.', text: 'Yes.' } },
    answers: ['complete: Yes.'],
  },
  ...[400, 401, 403, 404, 422, 429, 500, 502, 503].map((status): ChatCase => ({
    name: `status ${status}`,
    upstream: { failWith: status },
    answers: [],
  })),
  {
    name: 'a failure that is tried three times',
    wires: ['openai', 'anthropic'],
    streams: [false],
    upstream: { failWith: 503 },
    ask: { retries: 2 },
    answers: [],
    requests: 3,
  },
  {
    name: 'an error in mid-stream',
    streams: [true],
    wires: both,
    upstream: { answer: 'one two three', errorAfter: 2 },
    answers: (wire) => [`failed: ${shown(wire, 2)}`],
  },
  {
    name: 'an error at the very beginning of a stream',
    streams: [true],
    upstream: { answer: 'one two three', errorAfter: 0 },
    answers: [],
  },
  {
    name: 'an error just before the end',
    streams: [true],
    wires: ['ollama'],
    upstream: { answer: 'one two', errorAfter: 2 },
    answers: ['failed: one two'],
  },
  {
    name: 'an error in mid-stream',
    streams: [true],
    wires: ['anthropic'],
    upstream: { answer: 'one two three', errorAfter: 5 },
    answers: ['failed: one two '],
  },
  ...[1, 2, 3, 4, 5].map((count): ChatCase => ({
    name: `a connection that breaks after ${count} chunks`,
    streams: [true],
    wires: count > 3 ? ['anthropic'] : [...both, 'anthropic'],
    upstream: { answer: 'one two three four', abortAfter: count },
    differs: 'error',
    answers: (wire) => partly('failed', wire, count),
  })),
  ...[1, 2, 3, 4, 5].map((count): ChatCase => ({
    name: `an early end after ${count} chunks`,
    streams: [true],
    wires: count > 3 ? ['anthropic'] : [...both, 'anthropic'],
    upstream: { answer: 'one two three four', endAfter: count },
    differs: 'error',
    answers: (wire) => partly('failed', wire, count),
  })),
  { name: 'a connection that breaks before an answer', upstream: { abortAfter: 0 }, differs: 'error', answers: [] },
  ...[1, 4, 5].map((count): ChatCase => ({
    name: `a client that leaves after ${count} chunks`,
    streams: [true],
    wires: ['anthropic'],
    upstream: { answer: 'one two three four five', stallAfter: count },
    // The client does not show the ping.
    ask: { leaveAfter: count > 2 ? count - 1 : count },
    answers: (wire) => partly('cancelled', wire, count),
  })),
  ...[1, 2, 3].map((count): ChatCase => ({
    name: `a client that leaves after ${count} chunks`,
    streams: [true],
    wires: both,
    upstream: { answer: 'one two three four five', stallAfter: count },
    ask: { leaveAfter: count },
    answers: (wire) => partly('cancelled', wire, count),
  })),
  { name: 'a chat that loads a model', wires: ['ollama'], messages: [], recorded: false, answers: [] },
  { name: 'a role that nobody knows', messages: [{ role: 'narrator', content: 'a' }], recorded: false, answers: [] },
  { name: 'content that nobody knows', messages: [{ role: 'user', content: { a: 1 } }], recorded: false, answers: [] },
  { name: 'a bypass', ask: { headers: { 'minutebook-bypass': '1' } }, recorded: false, answers: [] },
  { name: 'a wish not to be recorded', ask: { headers: { 'minutebook-record': 'no' } }, recorded: false, answers: [] },
]
