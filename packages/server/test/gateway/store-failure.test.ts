import { assistant, user } from '@minutebook/testing'
import { MinutebookError, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
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

describe('a chat that names a policy while the store is away', () => {
  const headers = { 'minutebook-policy': 'short' }
  const before = (onStoreFailure: Config['onStoreFailure'], code: string): ReturnType<typeof gatewayBefore> =>
    gatewayBefore({}, { onStoreFailure }, { chat: withoutPolicies(code) })

  test.each(['store_unreachable', 'store_full'])('is refused like others, and says why: %s', async (code) => {
    const { running } = await before('refuse', code)
    const { status, json } = await post(running.url, paths.openai, body, headers)
    expect([status, json]).toMatchObject([503, { error: { code } }])
  })

  test.each([
    ['if the settings say so', 'pass', {}, 'store_unreachable'],
    ['if the settings say so, with a full disk', 'pass', {}, 'store_full'],
    ['if it asks for that itself', 'refuse', { 'minutebook-bypass': 'yes' }, 'store_unreachable'],
  ] as const)('is passed on unrecorded, %s', async (_, setting, more, code) => {
    const { running } = await before(setting, code)
    const passed = await post(running.url, paths.openai, body, { ...headers, ...more })
    expect([passed.status, passed.headers['minutebook-recorded']]).toEqual([200, 'no'])
  })
})

/** A handler of chats whose store does not find records. */
function withoutPolicies(code: string): ChatHandler {
  const chat = relayChat()
  const find = (): Promise<never> => Promise.reject(new MinutebookError(code, 'It is away.', 'Wait.'))
  return (visit, protocol, services) => {
    const opened = services.stores.of(visit.caller.tenant)
    const store: Store = Object.assign(Object.create(opened.store) as Store, {
      records: { ...opened.store.records, find },
    })
    return chat(visit, protocol, { ...services, stores: { ...services.stores, of: () => ({ ...opened, store }) } })
  }
}
