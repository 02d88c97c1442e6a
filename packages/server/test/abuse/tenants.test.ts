import { expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { segmentOf, type Running } from '../../src/index.ts'
import { paths, post } from '../gateway/support/post.ts'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { wires } from './support/conversation.ts'
import { bearer, keyOf } from './support/keys.ts'
import { entriesIn, storeOf, threadsIn } from './support/record.ts'

const tenants = ['garden', 'harbour'] as const
const keys = tenants.flatMap((tenant) => [
  keyOf(tenant, { tenant }),
  keyOf(`${tenant}-desk`, { tenant, scope: 'admin' }),
])
const database = testDatabase()

/** Below a thread. */
const routes = ['', '/receipts', '/dump', '/explain', '/verify', '/export'] as const

const stores = [
  ['files', () => ({})],
  ['Postgres', () => ({ database: database.url })],
] as const

test.each(stores)('A8: in %s, no route of one tenant tells of a thread of another', async (_, settings) => {
  const { running } = await gatewayBefore({}, { keys, ...settings() })
  const read = async (tenant: string, path: string): Promise<readonly [number, string]> => {
    const response = await fetch(`${running.url}/minutebook/v1${path}`, { headers: bearer(`${tenant}-desk`) })
    return [response.status, await response.text()]
  }
  for (const tenant of tenants)
    await post(running.url, paths.openai, { model: 'strict', messages: [user(`canary of ${tenant}`)] }, bearer(tenant))
  for (const [tenant, other] of [tenants, tenants.toReversed()] as const) {
    const [thread] = await threadsIn(storeOf(running, tenant))
    for (const route of routes) {
      const place = `/threads/${segmentOf(thread!)}${route}`
      expect([route, (await read(tenant!, place))[0]]).toEqual([route, 200])
      const [status, text] = await read(other!, place)
      expect([route, status, text.includes('canary')]).toEqual([route, 404, false])
    }
    for (const path of ['', '/threads', '/threads?limit=1000'])
      expect((await read(other!, path))[1]).not.toContain(`canary of ${tenant}`)
  }
})

test.each(stores)('A8: in %s, two tenants who say the same at once never meet', async (_, settings) => {
  const { upstream, running } = await gatewayBefore(
    { answer: ({ messages }) => `re: ${String(messages.at(-1)?.content)}` },
    { keys, ...settings() },
  )
  const talk = async (client: number): Promise<void> => {
    const tenant = tenants[client % 2]!
    const messages: Message[] = [user('Hello')]
    for (let turn = 0; turn < turns; turn++) {
      const named = client % 3 === 0 ? { 'minutebook-thread': 'ours' } : {}
      const id = { 'idempotency-key': `${Math.floor(client / 2)} ${turn}` }
      const { status, text } = await post(
        running.url,
        paths[wires[client % 4 > 1 ? 1 : 0]!],
        { model: 'strict', stream: false, messages },
        { ...bearer(tenant), ...named, ...id },
      )
      expect([status, text.includes(tenants[(client + 1) % 2]!)]).toEqual([200, false])
      messages.push(assistant(`re: ${String(messages.at(-1)?.content)}`), user(`word of ${tenant} ${client} ${turn}`))
    }
  }
  await Promise.all(Array.from({ length: clients }, (__, client) => talk(client)))
  for (const [index, tenant] of tenants.entries()) {
    const said = JSON.stringify(await entriesIn(storeOf(running, tenant)))
    expect([said.includes(`word of ${tenant}`), said.includes(tenants[1 - index]!)]).toEqual([true, false])
  }
  expect(upstream.requests.some(({ text }) => tenants.every((tenant) => text.includes(tenant)))).toBe(false)
  await verified(running)
})

/** REQUESTS=1000 for a longer look; a tenth of them at once. */
const [clients, turns] = [Number(process.env['REQUESTS'] ?? 240) / 10, 10]

async function verified({ services }: Running): Promise<void> {
  for (const tenant of tenants) {
    const { store, book } = services.stores.of(tenant)
    for (const thread of (await threadsIn(store)).slice(0, 5))
      expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
  }
}
