import { describe, expect, test } from 'vitest'
import type OpenAI from 'openai'
import { brief, echo, failure, given, seat, sent, threadsOf } from './support/client.ts'

const model = 'strict'
const now = { type: 'function', name: 'now', parameters: null, strict: null } as const

/** All items, oldest first: their kind and what they say. */
async function listed(client: OpenAI, id: string, limit = 20): Promise<string[]> {
  const found: string[] = []
  for await (const item of client.conversations.items.list(id, { order: 'asc', limit })) found.push(said(item))
  return found
}

function said(item: object): string {
  const {
    type,
    role,
    content = [],
    call_id: call,
    output,
  } = item as { type: string; role?: string; content?: { text?: string }[]; call_id?: string; output?: unknown }
  if (type === 'message') return `${role}:${content.map(({ text }) => text ?? 'image').join('+')}`
  return type === 'function_call_output'
    ? `${call}=${String(output)}`
    : `${type}${call === undefined ? '' : ` ${call}`}`
}

describe('conversations', () => {
  test('have the metadata of their thread', async () => {
    const { client, running } = await seat()
    const { id } = await client.conversations.create({
      metadata: { owner: 'ann', title: 'Garden' },
      items: [{ role: 'user', content: 'Hello' }],
    })
    const { book } = running.services.stores.of('default')
    const { threads } = await book.threads({ metadata: { owner: 'ann' } })
    expect(threads).toMatchObject([{ title: 'Garden', metadata: { owner: 'ann', title: 'Garden' } }])
    await book.thread(threads[0]!.id).setMetadata({ title: 'Ferns' })
    expect(await client.conversations.retrieve(id)).toMatchObject({ metadata: { owner: 'ann', title: 'Ferns' } })
  })

  test('are made, read, changed and deleted', async () => {
    const { client } = await seat()
    const made = await client.conversations.create({ metadata: { topic: 'a' } })
    expect(made).toEqual({
      id: expect.stringMatching(/^conv_[\w-]{22}$/),
      object: 'conversation',
      created_at: expect.any(Number),
      metadata: { topic: 'a' },
    })
    expect(await client.conversations.retrieve(made.id)).toEqual(made)
    for (const topic of ['b', 'a', 'b', 'c'])
      expect(await client.conversations.update(made.id, { metadata: { topic } })).toEqual({
        ...made,
        metadata: { topic },
      })
    expect(await client.conversations.retrieve(made.id)).toEqual({ ...made, metadata: { topic: 'c' } })
    expect(await client.conversations.update(made.id, { metadata: { other: 'd' } })).toEqual({
      ...made,
      metadata: { other: 'd' },
    })
    expect(await client.conversations.retrieve(made.id)).toEqual({ ...made, metadata: { other: 'd' } })
    expect(await client.conversations.delete(made.id)).toEqual({
      id: made.id,
      object: 'conversation.deleted',
      deleted: true,
    })
    const gone = [
      () => client.conversations.retrieve(made.id),
      () => client.conversations.delete(made.id),
      () => client.conversations.update(made.id, { metadata: {} }),
      () => client.conversations.items.list(made.id),
      () => client.conversations.items.create(made.id, { items: [{ role: 'user', content: 'a' }] }),
      () => client.responses.create({ model, input: 'a', conversation: made.id }),
    ]
    for (const ask of gone) {
      expect(await failure(Promise.resolve(ask()))).toMatchObject({ status: 404, code: 'conversation_not_found' })
    }
  })

  test('can be made with nothing at all', async () => {
    const { client } = await seat()
    const { id, metadata } = await client.conversations.create()
    expect(metadata).toEqual({})
    expect(await listed(client, id)).toEqual([])
  })

  test.each([false, true])('gather what is asked and answered in them, streamed: %s', async (streams) => {
    const at = await seat({ answer: echo })
    const { id } = await at.client.conversations.create({
      items: [
        { type: 'message', role: 'developer', content: 'Be kind.' },
        { type: 'message', role: 'user', content: 'zero' },
        { type: 'message', role: 'assistant', content: 'heard zero' },
      ],
    })
    for (const [index, input] of ['one', 'two'].entries()) {
      const { response } = await given(at.client, { model, input, conversation: index === 0 ? id : { id } }, streams)
      expect(response.conversation).toEqual({ id })
      expect((await at.client.responses.retrieve(response.id)).conversation).toEqual({ id })
    }
    expect(brief(sent(at))).toEqual(['s:Be kind.', 'u:zero', 'a:heard zero', 'u:one', 'a:heard one', 'u:two'])
    const all = [
      'system:Be kind.',
      'user:zero',
      'assistant:heard zero',
      'user:one',
      'assistant:heard one',
      'user:two',
      'assistant:heard two',
    ]
    for (const limit of [1, 3, 100]) expect(await listed(at.client, id, limit)).toEqual(all)
    expect(await threadsOf(at.running)).toEqual([id])
  })

  test('take items, give them back, and forget them', async () => {
    const at = await seat({ answer: echo })
    const { id } = await at.client.conversations.create()
    const added = await at.client.conversations.items.create(id, {
      items: [
        { role: 'user', content: 'one' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'two' },
            { type: 'input_image', image_url: 'https://example.test/a.png', detail: 'auto' },
          ],
        },
      ],
    })
    expect(added).toMatchObject({
      object: 'list',
      has_more: false,
      first_id: added.data[0]?.id,
      last_id: added.data[1]?.id,
    })
    for (const item of added.data)
      expect(await at.client.conversations.items.retrieve(item.id!, { conversation_id: id })).toEqual(item)
    const answer = await at.client.responses.create({ model, input: 'three', conversation: id })
    expect(brief(sent(at)).at(-1)).toBe('u:three')
    const [output] = answer.output
    expect(await at.client.conversations.items.retrieve(output!.id!, { conversation_id: id })).toEqual(output)
    expect(await at.client.conversations.items.delete(added.data[0]!.id!, { conversation_id: id })).toMatchObject({
      id,
      object: 'conversation',
    })
    expect(await listed(at.client, id)).toEqual(['user:two+image', 'user:three', 'assistant:heard three'])
    expect(
      await failure(at.client.conversations.items.retrieve(added.data[0]!.id!, { conversation_id: id })),
    ).toMatchObject({ status: 404, code: 'item_not_found' })
    await at.client.responses.create({ model, input: 'four', conversation: id })
    expect(JSON.stringify(sent(at))).not.toContain('one')
  })

  test('hold calls and their results, asked for and added', async () => {
    const at = await seat({
      answer: [
        {
          calls: [
            { id: 'c1', name: 'now' },
            { id: 'c2', name: 'now' },
          ],
        },
        'Noon.',
      ],
    })
    const { id } = await at.client.conversations.create()
    await at.client.responses.create({ model, input: 'Time?', tools: [now], conversation: id })
    await at.client.conversations.items.create(id, {
      items: [{ type: 'function_call_output', call_id: 'c1', output: '12' }],
    })
    await at.client.responses.create({
      model,
      input: [{ type: 'function_call_output', call_id: 'c2', output: '13' }],
      tools: [now],
      conversation: id,
    })
    expect(brief(sent(at))).toEqual(['u:Time?', 'a:+2', 't:12', 't:13'])
    expect(await listed(at.client, id)).toEqual([
      'user:Time?',
      'function_call c1',
      'function_call c2',
      'c1=12',
      'c2=13',
      'assistant:Noon.',
    ])
  })

  test('a text and its calls are deleted together, and only if the client says so', async () => {
    const calls = ['c1', 'c2'].map((id) => ({ id, name: 'now' }))
    const at = await seat({ answer: [{ text: 'I look.', calls }] })
    const { id } = await at.client.conversations.create()
    const { output } = await at.client.responses.create({ model, input: 'Time?', tools: [now], conversation: id })
    const all = ['user:Time?', 'assistant:I look.', 'function_call c1', 'function_call c2']
    for (const item of output) {
      const refused = await failure(at.client.conversations.items.delete(item.id!, { conversation_id: id }))
      expect(refused).toMatchObject({ status: 409, code: 'items_together', param: 'item_id' })
      for (const other of output) expect(refused.message).toContain(other.id)
    }
    expect(await listed(at.client, id)).toEqual(all)
    const query = { together: 'true' }
    await at.client.conversations.items.delete(output[1]!.id!, { conversation_id: id }, { query })
    expect(await listed(at.client, id)).toEqual(['user:Time?'])
  })

  test('instructions are no items', async () => {
    const at = await seat({ answer: echo })
    const { id } = await at.client.conversations.create()
    await at.client.responses.create({ model, input: 'one', instructions: 'Speak French.', conversation: id })
    await at.client.responses.create({ model, input: 'two', conversation: id })
    expect(await listed(at.client, id)).toEqual(['user:one', 'assistant:heard one', 'user:two', 'assistant:heard two'])
    expect(brief(sent(at))[0]).toBe('u:one')
  })

  test('are one line, however many ask at once', async () => {
    const at = await seat({ answer: echo, delay: 5 })
    const { id } = await at.client.conversations.create()
    const asked = Array.from({ length: 6 }, (_, index) => `question ${index}`)
    await Promise.all(
      asked.map((input, index) => given(at.client, { model, input, conversation: id }, index % 2 === 0)),
    )
    const items = await listed(at.client, id)
    expect(items).toHaveLength(12)
    for (const input of asked) expect(items[items.indexOf(`user:${input}`) + 1]).toBe(`assistant:heard ${input}`)
  })

  test('a response with store: false leaves nothing in them', async () => {
    const at = await seat({ answer: echo })
    const { id } = await at.client.conversations.create({ items: [{ role: 'user', content: 'zero' }] })
    await at.client.responses.create({ model, input: 'one', conversation: id, store: false })
    expect(brief(sent(at))).toEqual(['u:zero', 'u:one'])
    expect(await listed(at.client, id)).toEqual(['user:zero'])
  })

  test('a deleted response takes its own items with it, and no others', async () => {
    const at = await seat({ answer: echo })
    const { id } = await at.client.conversations.create({ items: [{ role: 'user', content: 'zero' }] })
    const { id: one } = await at.client.responses.create({ model, input: 'one', conversation: id })
    await at.client.responses.create({ model, input: 'two', conversation: id })
    await at.client.responses.delete(one)
    expect(await listed(at.client, id)).toEqual(['user:zero', 'user:two', 'assistant:heard two'])
  })

  test('previous_response_id may leave a conversation, which then goes on with that branch', async () => {
    const at = await seat({ answer: echo })
    const { id } = await at.client.conversations.create()
    const one = await at.client.responses.create({ model, input: 'one', conversation: id })
    await at.client.responses.create({ model, input: 'two', conversation: id })
    await at.client.responses.create({ model, input: 'other', previous_response_id: one.id })
    expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:other'])
    expect(await listed(at.client, id)).toEqual([
      'user:one',
      'assistant:heard one',
      'user:other',
      'assistant:heard other',
    ])
  })

  test.each([
    { name: 'items that are no list', body: { items: 'a' }, param: 'items' },
    { name: 'an item of an unknown kind', body: { items: [{ type: 'web_search_call' }] }, param: 'items[0].type' },
    { name: 'metadata that is no text', body: { metadata: { a: 1 } }, param: 'metadata' },
    {
      name: 'too much metadata',
      body: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) },
      param: 'metadata',
    },
    { name: 'a long name in metadata', body: { metadata: { ['k'.repeat(65)]: 'v' } }, param: 'metadata' },
    { name: 'a long text in metadata', body: { metadata: { k: 'v'.repeat(513) } }, param: 'metadata' },
  ])('are not made with $name', async ({ body, param }) => {
    const at = await seat()
    expect(await failure(at.client.conversations.create(body as never))).toMatchObject({ status: 400, param })
    expect(await threadsOf(at.running)).toEqual([])
  })
})
