// Finding H1: limits that count before a request is converted let blocks of other names escape. One request with 24,000
// calls and their results, as blocks of Anthropic's protocol, kept everybody waiting for 13 seconds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../../../tests/endurance/server/complexity/kinds.ts'
import {
  measuredServer,
  type Answered,
  type MeasuredServer,
} from '../../../../tests/endurance/server/complexity/measured-server.ts'

let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer()
})
afterAll(() => server[Symbol.asyncDispose]())

let count = 0
const send = (name: string, size: number): Promise<Answered> => {
  const kind = kinds.find((each) => each.name === name)
  if (!kind) throw new Error(`There is no kind ${name}.`)
  return server.send(kind.request(size, `unique${count++}`))
}

/** What is told of a refusal, in the dialect of each protocol. */
function told(path: string, text: string): unknown {
  const { error, type } = JSON.parse(text) as { readonly error: unknown; readonly type?: string }
  if (path === '/api/chat') return { message: error, code: 'invalid_request' }
  if (path.startsWith('/v1/messages') && type !== 'error') throw new Error(text)
  return error
}

const items = /contains a message with more than 1000 parts, images or tool calls\. Send fewer/
const values = /contains a message with more than 50000 values\. Send nested data as/
const tools = /^tools contains more than (1000 tools|50000 values)\. Send fewer/

describe('more of one kind than a request may have is refused, with the reason, by', () => {
  test.each([
    ['/v1/messages: text', 1100, items],
    ['/v1/messages: image', 1100, items],
    ['/v1/messages: document', 1100, items],
    ['/v1/messages: unknown', 1100, items],
    ['/v1/messages: thinking', 1100, items],
    ['/v1/messages: redacted_thinking', 1100, items],
    ['/v1/messages: tool_use', 1100, items],
    ['/v1/messages: tool_use and tool_result', 2200, items],
    ['/v1/messages: tool_result without a call', 20_100, /contains more than 20000 messages\. Send fewer/],
    ['/v1/messages: images in a tool_result', 1100, items],
    ['/v1/messages: blocks of system', 1100, items],
    ['/v1/messages: fields of a tool', 17_000, tools],
    ['/v1/messages/count_tokens: image', 1100, items],
    ['/v1/messages/count_tokens: tool_use and tool_result', 2200, items],
    ['/v1/messages/count_tokens: fields of a tool', 17_000, tools],
    ['/v1/chat/completions: text parts', 1100, items],
    ['/v1/chat/completions: image parts', 1100, items],
    ['/v1/chat/completions: unknown parts', 1100, items],
    ['/v1/chat/completions: calls', 1100, items],
    ['/v1/chat/completions: custom calls', 1100, items],
    ['/v1/chat/completions: system messages', 1100, /contains more than 1000 system messages/],
    ['/v1/chat/completions: arguments with many values', 50_100, values],
    ['/v1/chat/completions: messages with other fields', 50_100, values],
    ['/v1/chat/completions: fields of a tool', 17_000, tools],
    ['/v1/chat/completions: tools', 1100, tools],
    ['/api/chat: images', 1100, items],
    ['/api/chat: calls', 1100, items],
    ['/api/chat: values in arguments', 26_000, values],
    ['/api/chat: fields of a tool', 17_000, tools],
    ['/v1/responses: items function_call', 1100, items],
    ['/v1/responses: parts input_image', 1100, items],
    ['/v1/responses: parts of an output', 1100, items],
    ['/v1/responses: tools', 1100, tools],
    ['/v1/responses: fields of a tool', 17_000, tools],
    ['/v1/conversations: items function_call', 1100, items],
    ['/v1/conversations: parts input_image', 1100, items],
  ])('%s', async (name, size, reason) => {
    const { status, text } = await send(name, size)
    expect(status, text.slice(0, 300)).toBe(400)
    expect(told(name.split(':')[0]!, text)).toMatchObject({
      message: expect.stringMatching(reason) as unknown,
      code: 'invalid_request',
    })
  })
})

test("as much of each kind as a message may have is answered, in Anthropic's protocol", async () => {
  for (const { name } of kinds.filter((each) => each.name.startsWith('/v1/messages:'))) {
    const { status, text } = await send(name, 1000)
    expect.soft(status, `${name}: ${text.slice(0, 300)}`).toBe(200)
  }
}, 120_000)
