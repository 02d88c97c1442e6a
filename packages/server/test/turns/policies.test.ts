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
