import fc from 'fast-check'
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { readRequest, type ChatRequest } from '../../src/gateway/request.ts'
import { ollama } from '../../src/protocol/ollama.ts'
import { openAi } from '../../src/protocol/openai.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const read = (protocol: typeof ollama, fields: object): ReturnType<typeof readRequest> =>
  readRequest(Buffer.from(JSON.stringify(fields)), protocol)

describe('what a chat asks for', () => {
  test.each<[string, typeof ollama, object, Partial<ChatRequest>]>([
    ['Ollama streams unless told', ollama, {}, { streams: true }],
    ['Ollama, whole', ollama, { stream: false }, { streams: false }],
    ['Ollama, null is not said', ollama, { stream: null }, { streams: true }],
    ['OpenAI is whole unless told', openAi, {}, { streams: false }],
    [
      'OpenAI streams',
      openAi,
      { stream: true, stream_options: { include_usage: true } },
      { streams: true, withUsage: true },
    ],
    [
      'a window',
      ollama,
      { options: { num_ctx: 2048, num_keep: 0, num_predict: 100 } },
      { numCtx: 2048, numKeep: 0, output: 100 },
    ],
    [
      'an answer without end',
      ollama,
      { options: { num_predict: -1, num_ctx: 0 } },
      { output: undefined, numCtx: undefined },
    ],
    ['options that are none', ollama, { options: 'many' }, { output: undefined }],
    ['an answer of some length', openAi, { max_tokens: 50 }, { output: 50 }],
    [
      'an answer of some length, by the newer name',
      openAi,
      { max_tokens: 50, max_completion_tokens: 60 },
      { output: 60 },
    ],
    ['tools', openAi, { tools: [{ type: 'function' }] }, { tools: [{ type: 'function' }] }],
    ['no tools', openAi, { tools: null }, { tools: [] }],
    [
      'roles in any letters',
      ollama,
      { messages: [{ role: 'USER', content: 'Hi' }] },
      { messages: [{ role: 'USER', content: 'Hi' }] },
    ],
  ])('%s', (_, protocol, fields, asked) => {
    expect(read(protocol, { model: 'm', messages, ...fields })).toMatchObject({
      kind: 'chat',
      request: { model: 'm', ...asked },
    })
  })

  test.each([
    [ollama, { messages: [] }, 'load'],
    [ollama, { messages: null }, 'load'],
    [ollama, {}, 'load'],
    [ollama, { messages: [], keep_alive: 0 }, 'load'],
    [ollama, { messages, _debug_render_only: true }, 'render'],
  ])('%#: is none, and is passed on', (protocol, fields, why) =>
    expect(read(protocol, { model: 'm', ...fields })).toEqual({ kind: 'pass', model: 'm', why }),
  )

  test('OpenAI has no chat without messages', () =>
    expect(read(openAi, { model: 'm', messages: [] })).toMatchObject({ kind: 'refused', refusal: { status: 400 } }))

  test('whatever the bytes, there is an answer', () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
      fc
        .record(
          {
            model: fc.jsonValue(),
            messages: fc.jsonValue(),
            tools: fc.jsonValue(),
            options: fc.jsonValue(),
            stream: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((body) => Buffer.from(JSON.stringify(body))),
      fc
        .array(
          fc.dictionary(
            fc.constantFrom('role', 'Role', 'content', 'images', 'tool_calls', '__proto__', 'constructor'),
            fc.oneof(fc.jsonValue(), fc.constantFrom('user', 'system', 'tool')),
          ),
        )
        .map((list) => Buffer.from(JSON.stringify({ model: 'm', messages: list }))),
    )
    fc.assert(
      fc.property(bodies, fc.constantFrom(ollama, openAi), (body, protocol) => {
        expect(['chat', 'pass', 'refused']).toContain(readRequest(body, protocol).kind)
      }),
    )
  })
})
