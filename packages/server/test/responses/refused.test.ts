import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { brief, clientOf, echo, failure, given, seat, sent, threadsOf } from './support/client.ts'

const model = 'strict'

describe('what is not done here is refused, and the field is named', () => {
  test.each([
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['truncation', { truncation: 'middle' }],
    ['include', { include: 'a' }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['tools', { tools: {} }],
    ['tool_choice', { tool_choice: { type: 'file_search' } }],
    ['tool_choice', { tool_choice: 'required', tools: [{ type: 'web_search' }] }],
    ['text.format.type', { text: { format: { type: 'grammar' } } }],
    ['text.format.name', { text: { format: { type: 'json_schema', schema: {} } } }],
    ['text.format.schema', { text: { format: { type: 'json_schema', name: 'a' } } }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['max_output_tokens', { max_output_tokens: 'many' }],
    ['metadata', { metadata: { a: 1 } }],
    ['instructions', { instructions: ['a'] }],
    ['conversation', { conversation: { name: 'a' } }],
    ['previous_response_id', { previous_response_id: 7 }],
    ['previous_response_id', { previous_response_id: 'resp_a', conversation: 'conv_a' }],
    ['input', { input: undefined }],
    ['input', { input: [] }],
    ['input', { input: { role: 'user' } }],
    ['input[0].type', { input: [{ type: 'computer_call_output' }] }],
    [
      'input[1].role',
      {
        input: [
          { role: 'user', content: 'a' },
          { role: 'narrator', content: 'b' },
        ],
      },
    ],
    ['input[0].content', { input: [{ role: 'user', content: 7 }] }],
    ['input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
    ['input[0].content[0].file_id', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }],
    ['input[0].content[0].image_url', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'a' }] }],
    ['input[0].arguments', { input: [{ type: 'function_call', call_id: 'a', name: 'b' }] }],
    ['input', { input: [{ type: 'function_call_output', call_id: 'a', output: 'b' }] }],
    ['model', { model: undefined }],
    ['model', { model: 7 }],
  ])('%s in %j', async (param, fields) => {
    const at = await seat()
    for (const stream of [false, true]) {
      const refused = await failure(at.client.responses.create({ model, input: 'Hello', stream, ...fields } as never))
      expect(refused).toMatchObject({ status: 400, param })
      expect(refused.message.length).toBeGreaterThan(30)
    }
    expect(at.upstream.requests.filter(({ path }) => path === '/v1/chat/completions')).toEqual([])
    expect(await threadsOf(at.running)).toEqual([])
  })

  test.each([
    ['client_metadata', { client_metadata: { session: 'a' } }],
    ['context_management', { context_management: [{ type: 'compaction' }] }],
    ['temprature', { temprature: 0 }],
    ['messages', { messages: [] }],
    ['include[1]', { include: ['reasoning.encrypted_content', 'code_interpreter_call.outputs'] }],
    ['ab', { 'a\nb': 1 }],
    [
      'tools[0]=web_search, tools[2]=custom',
      {
        tools: [
          { type: 'web_search' },
          { type: 'function', name: 'now', parameters: {}, strict: false },
          { type: 'custom', name: 'patch' },
        ],
      },
    ],
  ])('but %s is left out, and the header says so', async (named, fields) => {
    const at = await seat({ answer: echo })
    for (const stream of [false, true]) {
      const answer = await at.client.responses
        .create({ model, input: 'Hello', stream, ...fields } as never)
        .withResponse()
      expect(answer.response.headers.get('minutebook-ignored')).toBe(named)
      await answer.response.text().catch(() => '')
    }
    const chats = at.upstream.requests.filter(({ path }) => path === '/v1/chat/completions')
    expect(chats).toHaveLength(2)
    for (const { text } of chats) expect(text).not.toMatch(/session|compaction|temprature|search|patch/)
  })

  test('a body that is no JSON object, or says a thing twice', async () => {
    const { running } = await seat()
    for (const body of [
      '',
      'x',
      '[]',
      '{"model":"a","model":"b","input":"c"}',
      `{"input":${'['.repeat(300)}${']'.repeat(300)}}`,
    ]) {
      const response = await fetch(`${running.url}/v1/responses`, { method: 'POST', body })
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          error: {
            message: expect.any(String),
            type: 'invalid_request_error',
            param: expect.anything(),
            code: 'invalid_request',
          },
        },
      ])
    }
  })

  test('paths and methods that are not there', async () => {
    const { running } = await seat()
    for (const [method, path] of [
      ['GET', '/v1/responses'],
      ['PUT', '/v1/responses/resp_a'],
      ['GET', '/v1/responses/resp_a/other'],
      ['POST', '/v1/responses/compact'],
      ['GET', '/v1/conversations'],
      ['PATCH', '/v1/conversations/conv_a'],
      ['GET', '/v1/conversations/conv_a/items/b/c'],
    ] as const) {
      const response = await fetch(running.url + path, { method })
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ error: { type: 'not_found_error' } })
    }
  })

  test('a model that no upstream has', async () => {
    const at = await seat({ models: ['strict'] })
    expect(await failure(at.client.responses.create({ model: 'other', input: 'a' }))).toMatchObject({ status: 404 })
  })

  test('a question that no window can hold', async () => {
    const at = await seat({ window: 64 }, { models: { strict: { window: 64, reserve: 16 } } })
    expect(
      await failure(at.client.responses.create({ model, input: 'Hello', instructions: 'word '.repeat(500) })),
    ).toMatchObject({ status: 400, code: 'context_length_exceeded' })
  })

  test('the default model of the settings answers where none is named', async () => {
    const at = await seat({ answer: echo }, { defaultModel: 'strict' })
    expect(await at.client.responses.create({ input: 'a' })).toMatchObject({ model: 'strict', output_text: 'heard a' })
  })

  test('an upstream may answer by itself where the settings say so', async () => {
    const at = await seat({}, { responses: 'pass' })
    expect(await failure(at.client.responses.create({ model, input: 'a' }))).toMatchObject({ status: 404 })
    expect(at.upstream.requests.at(-1)).toMatchObject({ method: 'POST', path: '/v1/responses' })
  })
})

describe('whoever may not know of it', () => {
  const secret = (name: string): string => `mb_${name}`
  const keys = [
    ['one', 'left'],
    ['two', 'left'],
    ['three', 'right'],
  ].map(([name = '', tenant = '']) => ({
    name,
    tenant,
    scope: 'app' as const,
    sha256: createHash('sha256').update(secret(name)).digest('hex'),
  }))

  test.each([
    ['another key of the tenant', 'two'],
    ['another tenant', 'three'],
  ])('%s finds nothing', async (_, stranger) => {
    const at = await seat({ answer: echo }, { keys })
    const [mine, theirs] = [clientOf(at.running, secret('one')), clientOf(at.running, secret(stranger))]
    const { id: conversation } = await mine.conversations.create({
      metadata: { canary: 'quince?' },
      items: [{ role: 'user', content: 'canary quince?' }],
    })
    const { response } = await given(mine, { model, input: 'canary quince?', conversation }, true)
    const item = response.output[0]!.id!
    const tried = [
      () => theirs.responses.retrieve(response.id),
      () => theirs.responses.delete(response.id),
      () => theirs.responses.cancel(response.id),
      () => theirs.responses.inputItems.list(response.id),
      () => theirs.responses.create({ model, input: 'a', previous_response_id: response.id }),
      () => theirs.responses.create({ model, input: 'a', conversation }),
      () => theirs.conversations.retrieve(conversation),
      () => theirs.conversations.update(conversation, { metadata: {} }),
      () => theirs.conversations.delete(conversation),
      () => theirs.conversations.items.list(conversation),
      () => theirs.conversations.items.create(conversation, { items: [{ role: 'user', content: 'b' }] }),
      () => theirs.conversations.items.retrieve(item, { conversation_id: conversation }),
      () => theirs.conversations.items.delete(item, { conversation_id: conversation }),
    ]
    for (const ask of tried) {
      const refused = await failure(Promise.resolve(ask() as Promise<unknown>))
      expect(refused).toMatchObject(refused.param === 'previous_response_id' ? { status: 400 } : { status: 404 })
      expect(JSON.stringify(refused)).not.toContain('quince?')
    }
    expect((await mine.responses.retrieve(response.id)).output_text).toBe('heard canary quince?')
    expect((await mine.conversations.retrieve(conversation)).metadata).toEqual({ canary: 'quince?' })
  })

  test('a key that takes the place of a revoked one has its responses; in another tenant the name is worth nothing', async () => {
    const at = await seat({ answer: echo }, { keys })
    const { keyRing } = at.running.services
    const made = async (tenant: string): Promise<ReturnType<typeof clientOf>> =>
      clientOf(at.running, (await keyRing.create({ name: 'phone', tenant, scope: 'app' })).key)
    const old = await made('left')
    const { id } = await old.responses.create({ model, input: 'one' })
    await keyRing.revoke('phone')
    expect(await failure(old.responses.retrieve(id))).toMatchObject({ status: 401 })
    const next = await made('left')
    await next.responses.create({ model, input: 'two', previous_response_id: id })
    expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:two'])
    await keyRing.revoke('phone')
    expect(await failure((await made('right')).responses.retrieve(id))).toMatchObject({ status: 404 })
  })

  test('nobody without a key is let in, and no id of another shape is looked for', async () => {
    const at = await seat({}, { keys })
    expect(await failure(at.client.responses.create({ model, input: 'a' }))).toMatchObject({ status: 401 })
    expect(await failure(at.client.conversations.create())).toMatchObject({ status: 401 })
    const mine = clientOf(at.running, secret('one'))
    for (const id of [
      'resp_',
      'resp_a',
      'a',
      `resp_${'a'.repeat(22)}`,
      `resp_${'a'.repeat(22)}-minutebook`,
      `resp_${'a'.repeat(22)}_bWludXRlYm9vazprZXlz`,
      'x'.repeat(5000),
    ])
      expect(await failure(mine.responses.retrieve(id))).toMatchObject({ status: 404 })
  })
})
