// Finding 9: two tenants, or two runs, use the same names, so that a tool that keeps things by thread takes one for the
// other.
import { expect, test } from 'vitest'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { keyOf, secretOf } from '../abuse/support/keys.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native, type Native } from '../../../../tests/support/server/native.ts'
import { toolServer } from '../../../../tests/support/server/raw.ts'

const tenants = ['alpha', 'beta'] as const
const keys = tenants.map((tenant) => keyOf(tenant, { tenant }))
const database = testDatabase()
/** The participant is called as the thread of somebody else is. */
const experiment =
  'name: talk\nparticipants: { customer_17: { model: strict, tools: [keep] } }\nlimits: { rounds: 1 }\n'

interface Told {
  readonly tenant?: string
  readonly thread: string
}

test.each([
  ['files', () => ({})],
  ['Postgres', () => ({ database: database.url })],
] as const)('in %s, tenant and thread together tell every place from every other', async (_, settings) => {
  // It keeps what it was last told by whatever it was told of the place, as the documentation says.
  const tool = await toolServer<Told>('kept')
  const { running } = await gatewayBefore(
    { answer: ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Kept.' : { calls: [{ name: 'keep' }] }) },
    {
      keys,
      defaultModel: 'strict',
      tools: [{ name: 'keep', parameters: { type: 'object', properties: {} }, url: tool.url }],
      ...settings(),
    },
  )
  const clients: readonly Native[] = tenants.map((tenant) => native(running.url, secretOf(tenant)))
  for (const client of clients) {
    expect(await client.ask('POST', '/threads', { thread: 'customer_17', setup: { tools: ['keep'] } })).toMatchObject({
      status: 201,
    })
    await client.stream('POST', '/threads/customer_17/turns', { body: { message: 'Keep this.' } })
    for (const run of ['first', 'second']) {
      expect(await client.ask('POST', '/runs', { definition: experiment, run })).toMatchObject({ status: 201 })
      await client.stream('GET', `/runs/${run}/events`)
    }
  }
  const places = tool.told.map(({ tenant, thread }) => `${tenant} ${thread}`)
  expect(places.toSorted()).toEqual(
    tenants.flatMap((tenant) => [
      `${tenant} customer_17`,
      `${tenant} run/first/customer_17`,
      `${tenant} run/second/customer_17`,
    ]),
  )
})
