import fc from 'fast-check'
import { readMessage, toOpenAi } from 'minutebook/wire'
import { describe, expect, test } from 'vitest'
import type { Message } from 'minutebook'
import { itemMessages, messageItems, sendable } from '../../src/responses/item-messages.ts'
import { items, type Item } from './support/random-items.ts'

const list = items({ maxLength: 12 })

/** The messages as a prompt has them. */
function prompted(messages: readonly Message[]): Message[] {
  return toOpenAi(messages).map((message, index) => {
    const { items: kept } = messages[index] as { readonly items?: unknown }
    return (kept === undefined ? message : { ...message, items: kept }) as Message
  })
}

describe('items as messages', () => {
  test('are the same items again, in the same order, also in the shape in which a prompt has them', () => {
    fc.assert(
      fc.property(list, (given) => {
        const messages = JSON.parse(JSON.stringify(itemMessages(given))) as Message[]
        expect(messageItems(messages)).toEqual(sendable(given))
        expect(messageItems(prompted(messages))).toEqual(sendable(given))
      }),
    )
  })

  test('of other words have no reasoning, no ids that need it, and every call and result', () => {
    fc.assert(
      fc.property(list, (given) => {
        const changed = itemMessages(given).map((message) =>
          typeof message.content === 'string' ? { ...message, content: `${message.content} …` } : message,
        )
        const written = messageItems(changed)
        const called = (all: readonly Item[]): unknown[] =>
          all.map(({ call_id: id, type }) => id !== undefined && [type, id]).filter(Boolean)
        expect(called(written)).toEqual(called(given))
        const texts = changed.filter(({ role, content }) => role === 'assistant' && typeof content === 'string')
        if (texts.length === changed.filter(({ role }) => role === 'assistant').length)
          expect(written.filter(({ type }) => type === 'reasoning')).toEqual([])
      }),
    )
  })

  test('that a model said in a row are one message', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] }
    const sealed = { ...reasoning, encrypted_content: 'abc' }
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'now', arguments: '{}' }
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] }
    const given = [sealed, search, said, call]
    expect(itemMessages(given)).toEqual([
      {
        role: 'assistant',
        content: 'Wait.',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'now', arguments: '{}' } }],
        items: given,
      },
    ])
    const plain = [
      { role: 'user', content: 'a' },
      { type: 'function_call_output', call_id: 'c', output: '12:00' },
    ]
    expect(itemMessages(plain)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'tool', tool_call_id: 'c', content: '12:00' },
    ])
    expect(sendable([reasoning, said, call])).toEqual([
      { ...said, id: undefined },
      { ...call, id: undefined },
    ])
    expect(sendable([said, sealed])).toEqual([said])
  })

  test('without their reasoning have no ids that need it', () => {
    const said = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'abc' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'look', input: 'up' },
    ]
    const [message] = itemMessages(said)
    expect(readMessage(message!).sealed).toBe(3)
    const sent = messageItems(
      prompted([{ ...message!, items: [{ type: 'reasoning', summary: [] }, said[1]] } as Message]),
    )
    expect(sent).toEqual([{ type: 'custom_tool_call', call_id: 'c1', name: 'look', input: 'up' }])
  })

  test('of types that nobody knows are kept as they are', () => {
    const given = [
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' },
      {
        role: 'user',
        content: [
          { type: 'input_file', file_id: 'file_1' },
          { type: 'input_text', text: 'Read it.' },
        ],
      },
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'pay', arguments: '{}', server_label: 'bank' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      { type: 'computer_call', id: 'cc', call_id: 'k', action: { type: 'click', x: 1, y: 2 } },
      { type: 'computer_call_output', call_id: 'k', output: { type: 'computer_screenshot', image_url: 'data:,' } },
      { type: 'riddle', answer: 42 },
    ]
    const messages = itemMessages(given)
    expect(messages.map(({ role }) => role)).toEqual([
      'developer',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
    expect(messageItems(prompted(messages))).toEqual(given)
  })
})
