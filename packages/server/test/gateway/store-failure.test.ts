import { assistant, user } from '@minutebook/testing'
import { expect, test } from 'vitest'
import type { Config } from '../../src/index.ts'
import { relayChat } from '../../src/gateway/gateway.ts'
import { busy } from '../../src/http/memory.ts'
import { refusalError } from '../../src/http/reply.ts'
import type { ChatHandler } from '../../src/services.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'

const body = { model: 'strict', messages: [user('Hello')] }
const settings: readonly Config['onStoreFailure'][] = ['refuse', 'pass']

/** A handler of chats without memory for threads that are read. */
function withoutMemory(): ChatHandler {
  const chat = relayChat()
  return (visit, protocol, services) => {
    const hold = { ...visit.hold, thread: () => Promise.reject(refusalError(busy)) }
    return chat({ ...visit, hold }, protocol, services)
  }
}

test.each(settings)(
  'a chat that there is no memory for is refused, whatever onStoreFailure is: %s',
  async (setting) => {
    const { upstream, running } = await gatewayBefore({}, { onStoreFailure: setting }, { chat: withoutMemory() })
    await post(running.url, paths.openai, body)
    const asked = upstream.requests.length
    const more = { ...body, messages: [user('Hello'), assistant('ok'), user('And?')] }
    const { status, json } = await post(running.url, paths.openai, more)
    expect([status, json]).toMatchObject([503, { error: { code: 'overloaded' } }])
    expect(upstream.requests.length).toBe(asked)
  },
)
