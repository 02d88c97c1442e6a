import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from '../gateway/support/post.ts'

const user = (content: string): object => ({ role: 'user', content })
const assistant = (content: string): object => ({ role: 'assistant', content })

test.each([
  ['an edited first message', [user('EDITED'), assistant('a'), user('q1'), assistant('a'), user('q2')]],
  ['a summary of the beginning', [user('SUMMARY'), user('q1'), assistant('a'), user('q2')]],
])('%s is a branch of the thread that the client names', async (_, messages) => {
  const { upstream, running } = await gatewayBefore({ answer: 'a' })
  const say = async (...said: readonly object[]): Promise<void> => {
    const headers = { 'minutebook-thread': 'talk' }
    const { status } = await post(running.url, paths.openai, { model: 'strict', messages: said }, headers)
    expect(status).toBe(200)
  }
  await say(user('q0'))
  await say(user('q0'), assistant('a'), user('q1'))
  await say(...messages)
  expect(upstream.requests.at(-1)?.messages).toEqual(messages)
  await say(...messages, assistant('a'), user('q3'))
  expect(upstream.requests.at(-1)?.messages).toEqual([...messages, assistant('a'), user('q3')])
  await say(user('only what is new'))
  expect(upstream.requests.at(-1)?.messages).toEqual([
    ...messages,
    assistant('a'),
    user('q3'),
    assistant('a'),
    user('only what is new'),
  ])
})
