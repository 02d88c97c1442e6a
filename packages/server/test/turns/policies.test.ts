import { memoryStore } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { policiesOf, type Policies } from '../../src/stores/policies.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'

const configured = { policies: { Brief: { preset: 'lastMessages', messages: 4 } } } as const

describe('policies by name', () => {
  test.each([
    ['tiered', { preset: 'tiered' }],
    ['FirstAndRecent', { preset: 'firstAndRecent' }],
    ['brief', { preset: 'lastMessages', messages: 4 }],
    ['own', { preset: 'tiered', verbatim: 1 }],
    ['Own', undefined],
    ['clever', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%j', async (name, policy) => {
    const policies = policiesOf(configured, memoryStore())
    await policies.put('own', { preset: 'tiered', verbatim: 1 })
    expect((await policies.find(name))?.policy).toEqual(policy)
  })

  test('the newest one of a name counts, also where it says what an older one said', async () => {
    const policies = policiesOf(configured, memoryStore())
    const kept = async (of: Policies): Promise<unknown> => (await of.find('own'))?.policy
    for (const verbatim of [1, 2, 1]) {
      await policies.put('own', { preset: 'tiered', verbatim })
      expect(await kept(policies)).toEqual({ preset: 'tiered', verbatim })
    }
    expect(await policies.remove('own')).toBe(true)
    expect(await kept(policies)).toBeUndefined()
    expect(await policies.remove('own')).toBe(false)
    await policies.put('own', { preset: 'tiered', verbatim: 1 })
    expect((await policies.list()).map(({ name, source }) => `${name} ${source}`)).toEqual([
      'default preset',
      'lastMessages preset',
      'tiered preset',
      'firstAndRecent preset',
      'Brief configured',
      'own recorded',
    ])
  })
})

test('setups, turns and the header of a chat name policies on record', async () => {
  const { operator, running, upstream } = await nativeServer({ answer: 'ok' }, {}, 'openai')
  await operator.ask('PUT', '/policies/two', { preset: 'lastMessages', messages: 2 })
  await operator.ask('POST', '/threads', { thread: 'garden', setup: { policy: 'two' } })
  for (const message of ['One', 'Two', 'Three'])
    await operator.stream('POST', '/threads/garden/turns', { body: { message } })
  const { body } = await operator.ask('GET', '/threads/garden/explain')
  expect(body['plan']).toMatchObject({ policy: 'lastMessages(2)' })
  const chats = upstream.requests.filter(({ path }) => path === '/v1/chat/completions')
  expect(chats.at(-1)?.messages.map(({ content }) => content)).toEqual(['Three'])
  const chat = (policy: string): Promise<Response> =>
    fetch(`${running.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'minutebook-policy': policy },
      body: JSON.stringify({ model: 'strict', messages: [{ role: 'user', content: 'Hi' }] }),
    })
  expect((await chat('two')).status).toBe(200)
  expect((await chat('three')).status).toBe(400)
})

test('the length of digests and their share are those that a recorded policy says', async () => {
  const { operator } = await nativeServer({ answer: 'ok' }, {}, 'openai')
  const policy = { preset: 'tiered', verbatim: 1, line: 96, share: 0.4 }
  expect(await operator.ask('PUT', '/policies/long', policy)).toMatchObject({ status: 200, body: { policy } })
  await operator.ask('POST', '/threads', { thread: 'garden', setup: { policy: 'long' } })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'One' } })
  const { body } = await operator.ask('GET', '/threads/garden/explain')
  expect(body['plan']).toMatchObject({ policy: 'tiered(1, line 96, outline 40%)' })
  for (const wrong of [{ line: 0 }, { line: 1.5 }, { share: 2 }])
    expect(await operator.ask('PUT', '/policies/long', { ...policy, ...wrong })).toMatchObject({ status: 400 })
})

describe('a policy with a digester', () => {
  const program = JSON.stringify({
    name: 'storm',
    steps: Array(5).fill({ pattern: 'pulse', color: '#1A1A2E', why: 'as a storm does over the hills, far away' }),
  })
  const line = `storm: ${Array(5).fill('pulse(#1A1A2E)').join(' → ')}`
  const lamp = {
    preset: 'tiered',
    verbatim: 0,
    digesters: [
      { id: 'lamp@1', line: 128, template: '{name}: {steps}', each: { steps: '{pattern}({color})' }, join: ' → ' },
    ],
  }
  const inLastPrompt = (
    requests: readonly { readonly messages?: readonly { readonly content?: unknown }[] }[],
  ): number => JSON.stringify(requests.findLast(({ messages }) => messages)?.messages).split(line).length - 1

  test('shortens the JSON answers of a thread, and its prompts can be derived from the record alone', async () => {
    const { operator, upstream } = await nativeServer({ answer: program, window: 900 }, {}, 'openai')
    expect(await operator.ask('PUT', '/policies/lamp', lamp)).toMatchObject({ status: 200, body: { policy: lamp } })
    await operator.ask('POST', '/threads', { thread: 'lamp', setup: { policy: 'lamp', window: 900 } })
    for (let wish = 0; wish < 7; wish++)
      await operator.stream('POST', '/threads/lamp/turns', { body: { message: `Wish ${wish}` } })
    expect(inLastPrompt(upstream.requests)).toBeGreaterThan(1)
    const { body } = await operator.ask('GET', '/threads/lamp/verify')
    expect(body).toMatchObject({ problems: [] })
  })

  test('may be in the setup of a thread itself, and is recorded there', async () => {
    const { operator, upstream } = await nativeServer({ answer: program, window: 900 }, {}, 'openai')
    const setup = { policy: lamp, window: 900 }
    expect(await operator.ask('POST', '/threads', { thread: 'lamp', setup })).toMatchObject({ status: 201 })
    for (let wish = 0; wish < 7; wish++)
      await operator.stream('POST', '/threads/lamp/turns', { body: { message: `Wish ${wish}` } })
    expect(inLastPrompt(upstream.requests)).toBeGreaterThan(1)
    expect((await operator.ask('GET', '/threads/lamp/verify')).body).toMatchObject({ problems: [] })
    expect((await operator.ask('GET', '/threads/lamp')).body).toMatchObject({ setup })
    // A turn names a policy, which replaces it.
    await operator.stream('POST', '/threads/lamp/turns', { body: { message: 'Another', policy: 'firstAndRecent' } })
    expect(inLastPrompt(upstream.requests)).toBe(0)
    expect((await operator.ask('GET', '/threads/lamp')).body).toMatchObject({ setup: { policy: 'firstAndRecent' } })
    expect(await operator.ask('POST', '/threads/lamp/turns', { message: 'Once more', policy: lamp })).toMatchObject({
      status: 400,
    })
  })

  test.each([
    ['a template that cannot be read', { ...lamp, digesters: [{ id: 'x@1', template: '{a' }] }, /Write \{\{ or \}\}/],
    ['a field that there is not', { preset: 'tiered', verbtim: 2 }, /setup\.policy has no field "verbtim"/],
    ['a preset that there is not', { preset: 'clever' }, /field body\.setup\.policy\.preset is wrong/],
    ['a line without tokens', { preset: 'tiered', line: 0 }, /field body\.setup\.policy\.line is wrong/],
    ['no preset', {}, /field body\.setup\.policy\.preset is missing/],
    ['a number', 7, /field body\.setup\.policy is wrong/],
  ])('in a setup, %s is refused', async (_, policy, said) => {
    const { operator } = await nativeServer({ answer: 'ok' })
    const { status, body } = await operator.ask('POST', '/threads', { thread: 'lamp', setup: { policy } })
    expect([status, body['error']]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(said) })])
    expect((await operator.ask('GET', '/threads/lamp')).status).toBe(404)
  })

  test('is refused if the library could not use it, with what to do', async () => {
    const { operator } = await nativeServer({ answer: 'ok' })
    const { status, body } = await operator.ask('PUT', '/policies/lamp', {
      preset: 'tiered',
      digesters: [{ id: 'lamp@1', template: '{name' }],
    })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Write {{ or }} for a brace itself.')])
  })
})
