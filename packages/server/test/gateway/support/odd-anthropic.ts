/** Requests and answers of Anthropic's Messages protocol in any spelling. */
import type { Dice } from '../../../../../tests/support/dice.ts'
import type { AnthropicChat } from '../../../../../tests/support/anthropic-chat.ts'
import { lineBlank, numerals, oddValue, spelled } from './spelling.ts'

/** A request with whatever clients put into one next to the chat. */
export function oddAnthropic(chat: AnthropicChat, dice: Dice): string {
  const members = [
    ...Object.entries(chat),
    ['model', 'strict'],
    ['stream', dice.pick([true, false, undefined])],
    ['temperature', dice.isLucky(0.3) ? dice.pick(numerals) : undefined],
    ['metadata', dice.isLucky(0.3) ? { user_id: 'u', own: oddValue(dice) } : undefined],
    ['stop_sequences', dice.isLucky(0.2) ? ['</b>', '\u2028'] : undefined],
    ['x_own', dice.isLucky(0.3) ? oddValue(dice) : undefined],
  ] as const
  return spelled(Object.fromEntries(members.toSorted(() => dice.roll() - 0.5)), dice)
}

/** What an answer says, and how. */
export interface Said {
  readonly said: readonly string[]
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: object }[]
  readonly usage: boolean
  readonly streams: boolean
  readonly dice: Dice
}

/** An answer, with events and fields of tomorrow. */
export function anthropicText({ said, calls, usage, streams, dice }: Said): string {
  const thoughts = dice.isLucky(0.3) ? [{ type: 'thinking', thinking: 'hm', signature: 'c2ln/+==' }] : []
  const texts = said.length > 0 ? [{ type: 'text', text: said.join('') }] : []
  const unknown = dice.isLucky(0.1) ? [{ type: 'kind_of_tomorrow', own: oddValue(dice) }] : []
  const uses = calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }))
  const read = {
    input_tokens: 10,
    ...(dice.isLucky(0.7) && { cache_creation_input_tokens: 0, cache_read_input_tokens: 30 }),
    output_tokens: 1,
    ...(dice.isLucky(0.2) && { own: oddValue(dice) }),
  }
  const head = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'strict',
    ...(dice.isLucky(0.2) && { x_own: oddValue(dice) }),
  }
  const end = { stop_reason: uses.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  const content = [...thoughts, ...texts, ...unknown, ...uses]
  if (!streams) return spelled({ ...head, content, ...end, ...(usage && { usage: read }) }, dice)
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, ...(usage && { usage: read }) }
  return written(
    [
      { type: 'message_start', message: start },
      ...content.flatMap((block, index) => [
        ...blockEvents(block, index, said, dice),
        ...(dice.isLucky(0.2) ? [{ type: 'ping' }] : []),
        ...(dice.isLucky(0.1) ? [{ type: 'event_of_tomorrow', own: oddValue(dice) }] : []),
      ]),
      { type: 'message_delta', delta: end, ...(usage && { usage: { output_tokens: 4 } }) },
      { type: 'message_stop' },
    ],
    dice,
  )
}

interface WireEvent {
  readonly type: string
  readonly [field: string]: unknown
}

function blockEvents(block: WireEvent, index: number, said: readonly string[], dice: Dice): readonly WireEvent[] {
  const openings: Readonly<Record<string, object>> = {
    thinking: { thinking: '', signature: '' },
    text: { text: '' },
    tool_use: { input: {} },
  }
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...openings[block.type] } },
    ...deltas(block, said, dice).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function deltas(block: WireEvent, said: readonly string[], dice: Dice): readonly object[] {
  switch (block.type) {
    case 'thinking':
      return [
        ...['h', 'm'].map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block['signature'] },
      ]
    case 'text':
      return said.map((text) => ({ type: 'text_delta', text }))
    case 'tool_use': {
      const json = spelled(block['input'], dice)
      const middle = dice.below(json.length)
      return ['', json.slice(0, middle), json.slice(middle)].map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      }))
    }
    default:
      return []
  }
}

function written(events: readonly WireEvent[], dice: Dice): string {
  const end = dice.pick(['\n', '\n', '\r\n'])
  const blank = dice.pick([' ', ' ', ''])
  return events
    .map((each) => {
      const name = dice.isLucky(0.95) ? `event:${blank}${each.type}${end}` : ''
      const comment = dice.isLucky(0.1) ? `: comment${end}${end}` : ''
      return `${comment}${name}data:${blank}${spelled(each, dice, lineBlank)}${end}${end}`
    })
    .join('')
}
