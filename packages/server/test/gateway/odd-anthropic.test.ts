import { user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import type { Running } from '../../src/serve.ts'
import { answersOf, gatewayBeforeOdd, writeInPieces } from './support/odd-upstream.ts'
import { paths, post } from './support/post.ts'

const sse = 'text/event-stream'
const json = 'application/json'

const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const message = {
  id: 'm1',
  type: 'message',
  role: 'assistant',
  content: [] as object[],
  stop_reason: null as string | null,
}
const start = event('message_start', { message: { ...message, usage: { input_tokens: 5, output_tokens: 1 } } })
const block = (content_block: object = { type: 'text', text: '' }, index: unknown = 0): string =>
  event('content_block_start', { index, content_block })
const delta = (given: object, index: unknown = 0): string => event('content_block_delta', { index, delta: given })
const says = (text: string, index: unknown = 0): string => delta({ type: 'text_delta', text }, index)
const stop = (index = 0): string => event('content_block_stop', { index })
const finish = event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } })
const end = event('message_stop')
const ping = event('ping')
/** What the gateway adds if the upstream breaks off. */
const brokeOff = event('error', {
  error: {
    type: 'api_error',
    message:
      'The upstream ended its answer without saying that the answer is complete. Look into the log of the upstream, and ask again.',
    code: 'upstream_broke_off',
  },
})
const whole = start + block() + says('Hi') + stop() + finish + end

/** Streams as no server should send them, and as some do. `sent`: what the client gets, if that is not all. */
const streams: readonly (readonly [name: string, text: string, answer: string, sent?: string])[] = [
  ['nothing odd', whole, 'complete: Hi'],
  [
    'pings everywhere',
    ping + start + ping + block() + ping + says('Hi') + ping + stop() + finish + ping + end + ping,
    'complete: Hi',
  ],
  ['line ends of two characters', whole.replaceAll('\n', '\r\n'), 'complete: Hi'],
  ['data without names of events', whole.replaceAll(/event: .*\n/g, ''), 'complete: Hi'],
  ['comments and a byte order mark', `\ufeff: hi\n\nretry: 5\n${whole}: bye\n\n`, 'complete: Hi'],
  ['no line end at the end', whole.trimEnd(), 'complete: Hi'],
  [
    'events and deltas of tomorrow',
    start +
      event('mood', { index: 0 }) +
      block() +
      delta({ type: 'mood_delta', mood: 'calm' }) +
      says('Hi') +
      delta({ type: 'text_delta' }) +
      stop() +
      finish +
      end,
    'complete: Hi',
  ],
  [
    'blocks of tomorrow',
    start +
      block({ type: 'mood', mood: 'calm' }) +
      stop() +
      block(undefined, 1) +
      says('Hi', 1) +
      stop(1) +
      finish +
      end,
    'complete: Hi',
  ],
  ['no message_stop', start + block() + says('Hi') + stop() + finish, 'complete: Hi'],
  [
    'no finish',
    start + block() + says('Hi') + stop() + end,
    'failed: Hi',
    start + block() + says('Hi') + stop() + end + brokeOff,
  ],
  [
    'no finish and no end',
    start + block() + says('Hi') + stop(),
    'failed: Hi',
    start + block() + says('Hi') + stop() + brokeOff,
  ],
  [
    'an event that is cut off',
    `${start}${block()}${says('Hi')}event: content_block_delta\ndata: {"type":"cont`,
    'failed: Hi',
    start + block() + says('Hi') + brokeOff,
  ],
  [
    'a finish that is cut off',
    (start + block() + says('Hi') + stop() + finish).slice(0, -9),
    'failed: Hi',
    start + block() + says('Hi') + stop() + brokeOff,
  ],
  ['garbage between events', `${start}${block()}data: {"ty\n\n${says('Hi')}${stop()}${finish}${end}`, 'complete: Hi'],
  [
    'an error after deltas',
    start + block() + says('Hi') + event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    'failed: Hi',
  ],
  ['an error behind the end', whole + event('error', { error: { type: 'api_error', message: 'no' } }), 'complete: Hi'],
  [
    'an error before the end',
    start + block() + says('Hi') + stop() + finish + event('error', { error: { message: 'no' } }),
    'failed: Hi',
  ],
  ['text behind the end', whole + says(' Ho'), 'complete: Hi'],
  ['a delta before its block', start + says('Hi') + block() + stop() + finish + end, 'complete: '],
  ['a delta of no block', start + says('Hi') + finish + end, 'complete: Hi'],
  ['a finish before the text', start + finish + block() + says('Hi') + stop() + end, 'complete: Hi'],
  ['no beginning', block() + says('Hi') + stop() + finish + end, 'complete: Hi'],
  [
    'blocks in another order',
    start + block(undefined, 1) + says('!', 1) + block() + says('Hi') + stop(1) + stop() + finish + end,
    'complete: Hi!',
  ],
  ['a block twice', start + block() + says('Ho') + block() + says('Hi') + stop() + finish + end, 'complete: Hi'],
  ['places without a number', start + block(undefined, null) + says('Hi', null) + finish + end, 'complete: Hi'],
  ['places that no list has', start + block(undefined, -1) + says('Hi', 1e9) + finish + end, 'complete: Hi'],
  [
    'text in the beginning of a block',
    start + block({ type: 'text', text: 'H' }) + says('i') + stop() + finish + end,
    'complete: Hi',
  ],
  ['two answers', whole + whole.replaceAll('Hi', 'Ho'), 'complete: Hi'],
]

const table = streams.map(([name, text, answer, sent = text]) => ({ name, text, answer, sent }))

describe.each(table)('a stream with $name', ({ text, answer, sent }) => {
  test.each([text.length * 2, 3, 1])('in pieces of %i bytes reaches the client byte for byte', async (split) => {
    const running = await before(sse, text, split)
    const seen = await post(running.url, paths.anthropic, body(true))
    expect([seen.text, seen.headers['content-type']]).toEqual([sent, sse])
    expect(await answersOf(running)).toEqual([answer])
  })
})

const answered = JSON.stringify({ ...message, content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' })

test.each([
  ['a whole response to who asked for a stream', json, answered, true, ['complete: Hi']],
  ['a stream to who asked for a whole response', sse, whole, false, ['complete: Hi']],
  ['a stream that is called a whole response', json, whole, true, []],
  ['a whole response that is cut off', json, answered.slice(0, -5), false, []],
  ['a whole response without an end', json, answered.replace('"end_turn"', 'null'), false, ['failed: Hi']],
  ['an error as a whole response', json, '{"type":"error","error":{"type":"api_error","message":"no"}}', false, []],
  ['a whole response without content', json, answered.replace(/\[.*\]/, 'null'), false, ['complete: ']],
])('%s is passed on as it came', async (_, type, text, streams, answers) => {
  const running = await before(type, text, 7)
  const seen = await post(running.url, paths.anthropic, body(streams))
  expect([seen.text, seen.headers['content-type']]).toEqual([text, type])
  expect(await answersOf(running)).toEqual(answers)
})

function body(stream: boolean): object {
  return { model: 'm', stream, max_tokens: 100, messages: [user('Hello')] }
}

/** A gateway before an upstream that answers with this text, in pieces of so many bytes. */
async function before(type: string, text: string, split: number): Promise<Running> {
  return gatewayBeforeOdd((response) => {
    response.writeHead(200, { 'content-type': type })
    writeInPieces(response, text, split)
  })
}
