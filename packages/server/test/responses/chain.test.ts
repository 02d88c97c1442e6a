import { describe, expect, test } from 'vitest'
import { history } from 'minutebook'
import { brief, clientOf, echo, failure, given, seat, sent, threadsOf } from './support/client.ts'

const model = 'strict'
const now = { type: 'function', name: 'now', parameters: null, strict: null } as const

describe('by previous_response_id', () => {
  test.each([false, true])('a conversation goes on without being sent again, streamed: %s', async (streams) => {
    const at = await seat({ answer: echo })
    let previous: string | undefined
    for (const input of ['one', 'two', 'three']) {
      const { response } = await given(
        at.client,
        { model, input, ...(previous !== undefined && { previous_response_id: previous }) },
        streams,
      )
      expect(response.previous_response_id).toBe(previous ?? null)
      previous = response.id
    }
    expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:two', 'a:heard two', 'u:three'])
    expect(await threadsOf(at.running)).toHaveLength(1)
  })

  test('an earlier response is the beginning of a branch, and each branch goes on by itself', async () => {
    const at = await seat({ answer: echo })
    const ask = async (input: string, previous?: string): Promise<string> =>
      (
        await at.client.responses.create({
          model,
          input,
          ...(previous !== undefined && { previous_response_id: previous }),
        })
      ).id
    const root = await ask('root')
    const left = await ask('left', root)
    const right = await ask('right', root)
    await ask('left again', left)
    expect(brief(sent(at))).toEqual(['u:root', 'a:heard root', 'u:left', 'a:heard left', 'u:left again'])
    await ask('right again', right)
    expect(brief(sent(at))).toEqual(['u:root', 'a:heard root', 'u:right', 'a:heard right', 'u:right again'])
    expect(await threadsOf(at.running)).toHaveLength(1)
  })

  test('the same question twice has two answers, and each can be gone on from', async () => {
    let count = 0
    const at = await seat({ answer: () => `answer ${++count}` })
    const first = await at.client.responses.create({ model, input: 'root' })
    const twice = [
      await at.client.responses.create({ model, input: 'same', previous_response_id: first.id }),
      await at.client.responses.create({ model, input: 'same', previous_response_id: first.id }),
    ]
    expect(twice.map(({ output_text: text }) => text)).toEqual(['answer 2', 'answer 3'])
    for (const [index, { id }] of twice.entries()) {
      await at.client.responses.create({ model, input: `on ${index}`, previous_response_id: id })
      expect(brief(sent(at))).toEqual(['u:root', 'a:answer 1', 'u:same', `a:answer ${index + 2}`, `u:on ${index}`])
      expect((await at.client.responses.retrieve(id)).output_text).toBe(`answer ${index + 2}`)
    }
  })

  test('the same question with the same answer is two responses all the same', async () => {
    const at = await seat()
    const first = await at.client.responses.create({ model, input: 'root' })
    const twice = [
      await at.client.responses.create({ model, input: 'same', previous_response_id: first.id }),
      await at.client.responses.create({ model, input: 'same', previous_response_id: first.id }),
    ]
    expect(twice[0]?.id).not.toBe(twice[1]?.id)
    for (const response of twice) expect(await at.client.responses.retrieve(response.id)).toEqual(response)
  })

  test('many at once from one response are as many branches', async () => {
    const at = await seat({ answer: echo, delay: 2 })
    const { id: root } = await at.client.responses.create({ model, input: 'root' })
    const asked = Array.from({ length: 8 }, (_, index) => `branch ${index}`)
    const answered = await Promise.all(
      asked.map((input, index) =>
        given(
          at.client,
          { model, input, previous_response_id: root, ...(index % 2 === 0 && { instructions: `as ${index}` }) },
          index % 3 === 0,
        ),
      ),
    )
    expect(answered.map(({ response }) => response.output_text)).toEqual(asked.map((input) => `heard ${input}`))
    const prompts = at.upstream.requests
      .filter(({ messages }) => messages.length > 1)
      .map(({ messages }) => brief(messages).filter((each) => !each.startsWith('s:')))
    expect(new Set(prompts.map((prompt) => prompt.join()))).toEqual(
      new Set(asked.map((input) => ['u:root', 'a:heard root', `u:${input}`].join())),
    )
    const [thread] = await threadsOf(at.running)
    const opened = at.running.services.stores.of('default').book.thread(thread!)
    expect([(await opened.branches()).length, await opened.verify()]).toMatchObject([8, { ok: true }])
  })

  test('instructions hold for their own response alone', async () => {
    const at = await seat({ answer: echo })
    const first = await at.client.responses.create({ model, input: 'one', instructions: 'Speak French.' })
    expect(brief(sent(at))).toEqual(['s:Speak French.', 'u:one'])
    const second = await at.client.responses.create({
      model,
      input: 'two',
      instructions: 'Speak Dutch.',
      previous_response_id: first.id,
    })
    expect(brief(sent(at))).toEqual(['s:Speak Dutch.', 'u:one', 'a:heard one', 'u:two'])
    const third = await at.client.responses.create({ model, input: 'three', previous_response_id: second.id })
    expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:two', 'a:heard two', 'u:three'])
    await at.client.responses.create({
      model,
      input: 'four',
      instructions: 'Speak Dutch.',
      previous_response_id: third.id,
    })
    expect(brief(sent(at))[0]).toBe('s:Speak Dutch.')
    expect(brief(sent(at))).toHaveLength(8)
  })

  test.each([false, true])('tools are called and answered, streamed: %s', async (streams) => {
    const at = await seat({
      answer: [
        {
          text: 'Let me see.',
          calls: [
            { id: 'c1', name: 'now' },
            { id: 'c2', name: 'now', arguments: { zone: 'UTC' } },
          ],
        },
        'Noon.',
        'You are welcome.',
      ],
    })
    const { response: called } = await given(
      at.client,
      { model, input: 'Time?', tools: [now], instructions: 'Be exact.' },
      streams,
    )
    const outputs = called.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: `at ${item.arguments}` }]
        : [],
    )
    const { response: answered } = await given(
      at.client,
      { model, input: outputs.toReversed(), tools: [now], previous_response_id: called.id },
      streams,
    )
    expect(answered.output_text).toBe('Noon.')
    expect(brief(sent(at))).toEqual(['u:Time?', 'a:Let me see.+2', 't:at {"zone":"UTC"}', 't:at {}'])
    await given(at.client, { model, input: 'Thanks', tools: [now], previous_response_id: answered.id }, streams)
    expect(brief(sent(at))).toEqual([
      'u:Time?',
      'a:Let me see.+2',
      't:at {"zone":"UTC"}',
      't:at {}',
      'a:Noon.',
      'u:Thanks',
    ])
  })

  test('a question where results are due is answered too: the calls count as interrupted', async () => {
    const at = await seat({ answer: [{ calls: [{ id: 'c1', name: 'now' }] }, 'Never mind.'] })
    const called = await at.client.responses.create({ model, input: 'Time?', tools: [now] })
    const next = await at.client.responses.create({
      model,
      input: 'Leave it.',
      previous_response_id: called.id,
      tools: [now],
    })
    expect(next.output_text).toBe('Never mind.')
    expect(brief(sent(at)).map((each) => each[0])).toEqual(['u', 'a', 't', 'u'])
  })

  test('a result that answers no call is refused, and nothing is asked', async () => {
    const at = await seat()
    const first = await at.client.responses.create({ model, input: 'one' })
    const asked = at.upstream.requests.length
    expect(
      await failure(
        at.client.responses.create({
          model,
          input: [{ type: 'function_call_output', call_id: 'nobody', output: 'x' }],
          previous_response_id: first.id,
        }),
      ),
    ).toMatchObject({ status: 400, param: 'input' })
    expect(at.upstream.requests).toHaveLength(asked)
  })

  test('images of before are in the prompt', async () => {
    const at = await seat()
    const image = 'data:image/png;base64,iVBORw0KGgo='
    const first = await at.client.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What?' },
            { type: 'input_image', image_url: image, detail: 'auto' },
          ],
        },
      ],
    })
    await at.client.responses.create({ model, input: 'Sure?', previous_response_id: first.id })
    expect(sent(at)[0]?.content).toEqual([
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: image, detail: 'auto' } },
    ])
  })
})

describe('what is kept', () => {
  test('store: false leaves nothing, not even of what it goes on from', async () => {
    const at = await seat({ answer: echo })
    const { store } = at.running.services.stores.of('default')
    const alone = await at.client.responses.create({ model, input: 'alone', store: false })
    expect([await threadsOf(at.running), alone.output_text]).toEqual([[], 'heard alone'])
    expect(await failure(at.client.responses.retrieve(alone.id))).toMatchObject({
      status: 404,
      code: 'response_not_found',
    })
    expect(
      await failure(at.client.responses.create({ model, input: 'on', previous_response_id: alone.id })),
    ).toMatchObject({ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' })
    const kept = await at.client.responses.create({ model, input: 'kept', instructions: 'Old.' })
    const [thread] = await threadsOf(at.running)
    const { length } = await store.standing(thread!)
    for (const streams of [false, true]) {
      const { response } = await given(
        at.client,
        { model, input: 'off the record', instructions: 'New.', previous_response_id: kept.id, store: false },
        streams,
      )
      expect(brief(sent(at))).toEqual(['s:New.', 'u:kept', 'a:heard kept', 'u:off the record'])
      expect(response).toMatchObject({ status: 'completed', store: false })
    }
    expect((await store.standing(thread!)).length).toBe(length)
    expect(JSON.stringify(await store.read(thread!))).not.toContain('off the record')
  })

  test('a delete erases what a response said and was told, and nothing else', async () => {
    const at = await seat({ answer: echo })
    const { store } = at.running.services.stores.of('default')
    const first = await at.client.responses.create({ model, input: 'first' })
    const second = await at.client.responses.create({
      model,
      input: 'the secret',
      previous_response_id: first.id,
      instructions: 'hush',
    })
    const third = await at.client.responses.create({ model, input: 'third', previous_response_id: second.id })
    expect(await at.client.responses.delete(second.id)).toMatchObject({ id: second.id, deleted: true })
    expect(await failure(at.client.responses.retrieve(second.id))).toMatchObject({ status: 404 })
    expect(await failure(at.client.responses.delete(second.id))).toMatchObject({ status: 404 })
    const [thread] = await threadsOf(at.running)
    expect(JSON.stringify(await store.read(thread!))).not.toMatch(/the secret|hush/)
    expect((await at.client.responses.retrieve(third.id)).output_text).toBe('heard third')
    await at.client.responses.create({ model, input: 'fourth', previous_response_id: third.id })
    expect(JSON.stringify(sent(at))).not.toContain('secret')
    expect(brief(sent(at)).slice(-3)).toEqual(['u:third', 'a:heard third', 'u:fourth'])
    expect(await at.running.services.stores.of('default').book.thread(thread!).verify()).toMatchObject({ ok: true })
  })

  test.each([null, 'Be short'])('after a delete, its place can be used for any words: %s', async (instructions) => {
    const at = await seat({ answer: echo })
    const { book, store } = at.running.services.stores.of('default')
    const first = await at.client.responses.create({ model, input: 'root', instructions })
    for (const input of ['old', 'new', 'old', 'old', 'new']) {
      const next = await at.client.responses.create({ model, input, previous_response_id: first.id })
      expect(next.output_text).toBe(`heard ${input}`)
      expect(brief(sent(at))).toEqual(['u:root', 'a:heard root', `u:${input}`])
      expect((await at.client.responses.inputItems.list(next.id)).data).toHaveLength(1)
      await at.client.responses.delete(next.id)
    }
    const [thread] = await threadsOf(at.running)
    expect(JSON.stringify(await store.read(thread!))).not.toMatch(/old|new/)
    expect(await book.thread(thread!).verify()).toMatchObject({ ok: true })
  })

  test('after a delete, several inputs with other instructions can be said again', async () => {
    const at = await seat({ answer: echo })
    const first = await at.client.responses.create({ model, input: 'root' })
    const ask = (): Promise<{ readonly id: string }> =>
      at.client.responses.create({
        model,
        instructions: 'Hush',
        input: [
          { role: 'user', content: 'one' },
          { role: 'user', content: 'two' },
        ],
        previous_response_id: first.id,
      })
    await at.client.responses.delete((await ask()).id)
    const again = await ask()
    expect(brief(sent(at))).toEqual(['s:Hush', 'u:root', 'a:heard root', 'u:one', 'u:two'])
    const next = await at.client.responses.create({ model, input: 'three', previous_response_id: again.id })
    expect(brief(sent(at)).slice(-3)).toEqual(['u:two', 'a:heard two', 'u:three'])
    expect(next.output_text).toBe('heard three')
  })

  test('after a delete, the results of calls can be sent again', async () => {
    const at = await seat({ answer: [{ calls: [{ id: 'c1', name: 'now' }] }, 'Noon.', 'Midday.', 'Bye.'] })
    const called = await at.client.responses.create({ model, input: 'Time?', tools: [now] })
    const ask = (): Promise<{ readonly id: string }> =>
      at.client.responses.create({
        model,
        tools: [now],
        input: [{ type: 'function_call_output', call_id: 'c1', output: '12' }],
        previous_response_id: called.id,
      })
    await at.client.responses.delete((await ask()).id)
    const again = await ask()
    expect(brief(sent(at))).toEqual(['u:Time?', 'a:+1', 't:12'])
    await at.client.responses.create({ model, input: 'Thanks', previous_response_id: again.id })
    expect(brief(sent(at))).toEqual(['u:Time?', 'a:+1', 't:12', 'a:Midday.', 'u:Thanks'])
  })

  test('after a delete, the first question can be asked again', async () => {
    const at = await seat({ answer: echo })
    for (let count = 0; count < 3; count++) {
      const first = await at.client.responses.create({ model, input: 'root', instructions: 'Be short' })
      expect(brief(sent(at))).toEqual(['s:Be short', 'u:root'])
      expect(first.output_text).toBe('heard root')
      await at.client.responses.delete(first.id)
    }
  })

  test('a question that two responses share stays while one of them is there', async () => {
    let count = 0
    const at = await seat({ answer: () => `answer ${++count}` })
    const first = await at.client.responses.create({ model, input: 'root' })
    const [one, other] = [
      await at.client.responses.create({ model, input: 'same', previous_response_id: first.id }),
      await at.client.responses.create({ model, input: 'same', previous_response_id: first.id }),
    ]
    await at.client.responses.delete(one.id)
    expect(await at.client.responses.retrieve(other.id)).toEqual(other)
    await at.client.responses.create({ model, input: 'on', previous_response_id: other.id })
    expect(brief(sent(at))).toEqual(['u:root', 'a:answer 1', 'u:same', 'a:answer 3', 'u:on'])
    await at.client.responses.delete(other.id)
    const [thread] = await threadsOf(at.running)
    expect(JSON.stringify(await at.running.services.stores.of('default').store.read(thread!))).not.toContain('same')
  })

  test('input items are those of the response, in pages', async () => {
    const at = await seat()
    const first = await at.client.responses.create({
      model,
      input: [
        { role: 'developer', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: 'c' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'd' },
            { type: 'input_image', image_url: 'https://example.test/a.png', detail: 'auto' },
          ],
        },
      ],
      instructions: 'not an item',
    })
    const second = await at.client.responses.create({ model, input: 'e', previous_response_id: first.id })
    const texts = async (id: string, query: object): Promise<string[]> => {
      const found: string[] = []
      for await (const item of at.client.responses.inputItems.list(id, query))
        found.push(
          item.type === 'message'
            ? `${item.role}:${(item.content as { text?: string }[]).map(({ text }) => text ?? 'image').join('+')}`
            : item.type,
        )
      return found
    }
    for (const limit of [1, 2, 20])
      expect(await texts(first.id, { order: 'asc', limit })).toEqual([
        'system:a',
        'user:b',
        'assistant:c',
        'user:d+image',
      ])
    expect(await texts(first.id, {})).toEqual(['user:d+image', 'assistant:c', 'user:b', 'system:a'])
    expect(await texts(second.id, {})).toEqual(['user:e'])
    for (const query of [{ limit: 0 }, { limit: 101 }, { order: 'up' }, { after: 'msg_nobody' }])
      expect(await failure(texts(first.id, query))).toMatchObject({ status: 400, param: Object.keys(query)[0] })
  })

  test('a response that is over can be streamed again, from any event on', async () => {
    const at = await seat({ answer: { reasoning: 'Hm.', text: 'one two', calls: [{ id: 'c', name: 'now' }] } })
    const { response, events } = await given(at.client, { model, input: 'Hello', tools: [now] }, true)
    const again = await at.client.responses.stream({ response_id: response.id }).finalResponse()
    expect(again.output.map(({ id, type }) => [id, type])).toEqual(response.output.map(({ id, type }) => [id, type]))
    const late = []
    for await (const event of await at.client.responses.retrieve(response.id, { stream: true, starting_after: 5 }))
      late.push(event)
    expect(late[0]?.sequence_number).toBe(6)
    expect(late.at(-1)).toMatchObject({ type: 'response.completed', response: { id: response.id } })
    expect(events.at(-1)?.type).toBe('response.completed')
  })

  test('a cancel of what was not in the background is refused', async () => {
    const at = await seat()
    const { id } = await at.client.responses.create({ model, input: 'Hello' })
    expect(await failure(at.client.responses.cancel(id))).toMatchObject({ status: 400 })
    expect(await failure(at.client.responses.cancel('resp_nobody'))).toMatchObject({ status: 404 })
  })

  test('every prompt can be shown and every entry holds, in a thread of many branches', async () => {
    const at = await seat({ answer: echo })
    const ids: string[] = []
    for (let turn = 0; turn < 12; turn++)
      ids.push(
        (
          await at.client.responses.create({
            model,
            input: `turn ${turn}`,
            ...(turn > 0 && { previous_response_id: ids[(turn * 7) % turn]! }),
            ...(turn % 3 === 0 && { instructions: `as of ${turn}` }),
          })
        ).id,
      )
    const [thread] = await threadsOf(at.running)
    const { book, store } = at.running.services.stores.of('default')
    expect(await book.thread(thread!).verify()).toMatchObject({ ok: true })
    expect(history(await store.read(thread!)).length).toBeGreaterThan(0)
  })
})

describe('a client that keeps its own history', () => {
  test('may name what was put out before by its id alone', async () => {
    const at = await seat({
      answer: [{ reasoning: 'Hm.', text: 'Let me see.', calls: [{ id: 'c1', name: 'now' }] }, 'Noon.'],
    })
    const { output } = await at.client.responses.create({ model, input: 'Time?', tools: [now] })
    const named = output.map(({ id }) => ({ type: 'item_reference' as const, id: id! }))
    const { output_text: text } = await at.client.responses.create({
      model,
      input: [
        { role: 'user', content: 'Time?' },
        ...named,
        { type: 'function_call_output', call_id: 'c1', output: '12' },
      ],
      tools: [now],
    })
    expect([text, brief(sent(at)), await threadsOf(at.running)]).toEqual([
      'Noon.',
      ['u:Time?', 'a:Let me see.+1', 't:12'],
      [expect.any(String)],
    ])
    for (const id of ['msg_1', `msg_${'a'.repeat(22)}000-nowhere`, named[0]!.id.replace('000', '001')])
      expect(
        await failure(at.client.responses.create({ model, input: [{ type: 'item_reference', id }] })),
      ).toMatchObject({ status: 404, param: 'input[0].id' })
  })

  test('has one thread, and its calls are paired', async () => {
    const at = await seat({ answer: [{ calls: [{ id: 'c1', name: 'now' }] }, 'Noon.', 'Bye.'] })
    const input: object[] = [{ role: 'user', content: 'Time?' }]
    for (const more of [
      { type: 'function_call_output', call_id: 'c1', output: '12' },
      { role: 'user', content: 'Thanks' },
      undefined,
    ]) {
      const { output } = await at.client.responses.create({
        model,
        input: input as never,
        tools: [now],
        instructions: 'Be exact.',
      })
      input.push(...output, ...(more ? [more] : []))
    }
    expect(await threadsOf(at.running)).toHaveLength(1)
    expect(brief(sent(at))).toEqual(['s:Be exact.', 'u:Time?', 'a:+1', 't:12', 'a:Noon.', 'u:Thanks'])
  })
})

describe('a request that is sent again', () => {
  test('under one Idempotency-Key is answered once, whole or streamed', async () => {
    let count = 0
    const at = await seat({ answer: () => `answer ${++count}` })
    const client = clientOf(at.running, 'none', { 'idempotency-key': 'k-1' })
    const first = await client.responses.create({ model, input: 'Hello' })
    expect(await client.responses.create({ model, input: 'Hello' })).toEqual(first)
    const { response } = await given(client, { model, input: 'Hello' }, true)
    expect([response.id, response.output_text, count]).toEqual([first.id, 'answer 1', 1])
    const other = await client.responses.create({ model, input: 'Another thing' })
    expect([other.id === first.id, other.output_text]).toEqual([false, 'answer 2'])
    const instructed = { model, input: 'Hello', instructions: 'Be brief.' }
    const brief = await client.responses.create(instructed)
    expect([brief.id === first.id, brief.instructions, brief.output_text]).toEqual([false, 'Be brief.', 'answer 3'])
    expect(await client.responses.create(instructed)).toEqual(brief)
    expect(await client.responses.create({ model, input: 'Hello' })).toEqual(first)
  })

  test('after a failure is one question', async () => {
    const at = await seat({ answer: echo })
    const retrying = clientOf(at.running)
    retrying.maxRetries = 2
    const conversation = await retrying.conversations.create()
    const first = await retrying.responses.create({ model, input: 'one', conversation: conversation.id })
    at.upstream.next({ failWith: 503 })
    await retrying.responses.create({ model, input: 'two', conversation: conversation.id })
    expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:two'])
    at.upstream.next({ failWith: 500 })
    await retrying.responses.create({ model, input: 'again', previous_response_id: first.id })
    expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:again'])
    at.upstream.next({ failWith: 500 })
    await retrying.responses.create({ model, input: 'alone' })
    expect(await threadsOf(at.running)).toHaveLength(2)
  })
})
