import { dot, ollamaPicture, picture } from '@minutebook/testing'
import type { Message } from 'minutebook'
import type { Dice } from '../../../../../tests/support/dice.ts'
import { anthropicText, type Said } from './odd-anthropic.ts'
import { anyBlank, lineBlank, numerals, oddValue, oddWords, spelled } from './spelling.ts'
import type { WireName } from './wire.ts'

/** What an upstream answers, byte for byte, in the pieces in which it is sent. */
export interface OddAnswer {
  readonly status: number
  readonly type: string
  readonly pieces: readonly Buffer[]
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'now',
      description: 'The time.',
      parameters: { type: 'object', properties: { zone: { type: 'string', maxLength: numerals[0] } } },
    },
  },
]

/** A chat request with whatever clients put into one, in any spelling. */
export function oddRequest(messages: readonly Message[], wire: WireName, dice: Dice): string {
  const pictured = dice.isLucky(0.3)
    ? [...messages, wire === 'openai' ? picture('What is this?', dot) : ollamaPicture('What is this?', dot)]
    : messages
  const marked = pictured.map((message) =>
    dice.isLucky(0.1) ? { ...message, [dice.pick(['x_own', 'timestamp', 'cache_control'])]: oddValue(dice) } : message,
  )
  const members = [
    ['model', 'strict'],
    ['messages', marked],
    ['stream', dice.pick([true, false, undefined])],
    ['tools', dice.isLucky(0.3) ? tools : undefined],
    ['x_own', dice.isLucky(0.3) ? oddValue(dice) : undefined],
    ['seed', dice.isLucky(0.3) ? dice.pick(numerals) : undefined],
    wire === 'ollama'
      ? [
          'options',
          dice.isLucky(0.3) ? { temperature: numerals[2], seed: numerals[0], own: oddValue(dice) } : undefined,
        ]
      : ['stream_options', dice.isLucky(0.3) ? { include_usage: true } : undefined],
    wire === 'ollama'
      ? ['keep_alive', dice.isLucky(0.2) ? '5m' : undefined]
      : ['temperature', dice.isLucky(0.3) ? numerals[2] : undefined],
  ] as const
  return spelled(Object.fromEntries(members.toSorted(() => dice.roll() - 0.5)), dice)
}

/**
 * An answer as servers give them, or as they could: any spelling, comments, other ends of lines, members that nobody
 * knows.
 */
export function oddAnswer(wire: WireName | 'anthropic', streams: boolean, dice: Dice): OddAnswer {
  if (dice.isLucky(0.05))
    return {
      status: dice.pick([400, 404, 429, 500, 503]),
      type: 'application/json',
      pieces: [Buffer.from(spelled(errors[wire], dice))],
    }
  const said = Array.from({ length: dice.below(6) }, () => dice.pick(oddWords))
  const calls = dice.isLucky(0.25)
    ? [{ id: 'c1', name: 'now', arguments: { zone: dice.pick(oddWords), at: numerals[0] } }]
    : []
  const usage = dice.isLucky(0.8)
  const text = writers[wire]({ said, calls, usage, streams, dice })
  return { status: 200, type: streams ? types[wire] : 'application/json', pieces: cut(Buffer.from(text), dice) }
}

const types = {
  ollama: 'application/x-ndjson',
  openai: 'text/event-stream; charset=utf-8',
  anthropic: 'text/event-stream; charset=utf-8',
} as const
const errors = {
  ollama: { error: 'no' },
  openai: { error: { message: 'no', code: null } },
  anthropic: { type: 'error', error: { type: 'api_error', message: 'no' }, request_id: null },
} as const
const writers = { ollama: ollamaText, openai: openAiText, anthropic: anthropicText } as const

function ollamaText({ said, calls, usage, streams, dice }: Said): string {
  const made = calls.map(({ name, arguments: given }) => ({ function: { name, arguments: given } }))
  const last = {
    done: true,
    done_reason: 'stop',
    total_duration: numerals[0],
    ...(usage && { prompt_eval_count: 40, eval_count: 4 }),
  }
  const chunk = (message: object, more: object = { done: false }): object => ({
    model: 'strict',
    created_at: '2026-01-01T00:00:00.123456789Z',
    message: { role: 'assistant', ...message },
    ...(dice.isLucky(0.2) && { x_own: oddValue(dice) }),
    ...more,
  })
  if (!streams)
    return spelled(
      chunk({ content: said.join(''), ...(made.length > 0 && { tool_calls: made }) }, last),
      dice,
      anyBlank,
    )
  const chunks = [
    ...said.map((content) => chunk({ content, ...(dice.isLucky(0.2) && { thinking: 'hm' }) })),
    ...made.map((call) => chunk({ content: '', tool_calls: [call] })),
    chunk({ content: '' }, last),
  ]
  const end = dice.pick(['\n', '\n', '\r\n'])
  return chunks.map((each) => `${spelled(each, dice, lineBlank)}${end}${dice.isLucky(0.05) ? end : ''}`).join('')
}

function openAiText({ said, calls, usage, streams, dice }: Said): string {
  const made = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: spelled(given, dice) },
  }))
  const counts = {
    prompt_tokens: 40,
    completion_tokens: 4,
    total_tokens: 44,
    ...(dice.isLucky(0.5) && { prompt_tokens_details: { cached_tokens: 30 } }),
  }
  const finish = made.length > 0 ? 'tool_calls' : 'stop'
  const head = { id: 'chatcmpl-1', created: 1_767_225_600, model: 'strict', x_own: oddValue(dice) }
  if (!streams)
    return spelled(
      {
        ...head,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: said.join(''), ...(made.length > 0 && { tool_calls: made }) },
            finish_reason: finish,
            logprobs: null,
          },
        ],
        ...(usage && { usage: counts }),
      },
      dice,
    )
  const chunk = (delta: object, reason: string | null = null): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...said.map((content) => chunk({ content })),
    ...made.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, finish),
    ...(usage ? [{ ...head, choices: [], usage: counts }] : []),
  ]
  const [end, begin] = [dice.pick(['\n', '\n', '\r\n']), dice.pick(['data: ', 'data: ', 'data:'])]
  return [...chunks.map((each) => spelled(each, dice, lineBlank)), '[DONE]']
    .map((each) => `${dice.isLucky(0.1) ? `: ping${end}${end}` : ''}${begin}${each}${end}${end}`)
    .join('')
}

/** Anywhere, also in the middle of a character. */
function cut(bytes: Buffer, dice: Dice): readonly Buffer[] {
  const pieces: Buffer[] = []
  const usual = dice.pick([7, 200, 4000])
  for (let from = 0; from < bytes.length;) {
    const size = 1 + dice.below(usual)
    pieces.push(bytes.subarray(from, from + size))
    from += size
  }
  return pieces
}
