import { randomBytes } from 'node:crypto'
import type { Database } from '../src/connection/connection.ts'
import { expect, test } from 'vitest'
import { openChannels, type Address } from '../src/turns/channels.ts'
import type { Listener } from '../src/turns/listener.ts'

const addresses = Array.from({ length: 2500 }, (_, number): Address => ['feed', `instance ${number}`])

test('of more addresses than are remembered, each is heard on a channel of its own', async () => {
  const { channels, notify } = await instance(randomBytes(32))
  const heard: unknown[] = []
  for (const [number, address] of addresses.entries())
    await channels.listen(address, (message) => heard.push([number, message]))
  const sent = [...addresses.entries()].map(([number, address]) => channels.sealed(address, { number }))
  expect(new Set(sent.map(([channel]) => channel)).size).toBe(addresses.length)
  for (const [channel, payload] of sent) notify(channel, payload)
  expect(heard).toEqual(addresses.map((_, number) => [number, { number }]))
})

test('instances with the same secret have the same channels, and none hears what was sealed for another channel', async () => {
  const secret = randomBytes(32)
  const [one, two, foreign] = [await instance(secret), await instance(secret), await instance(randomBytes(32))]
  const heard: unknown[] = []
  const [here, there] = [addresses[0]!, addresses[1]!]
  await two.channels.listen(here, (message) => heard.push(message))
  const [channel, payload] = one.channels.sealed(here, 'for here')
  const [elsewhere, other] = one.channels.sealed(there, 'for there')
  two.notify(channel, other)
  two.notify(elsewhere, payload)
  two.notify(channel, foreign.channels.sealed(here, 'forged')[1])
  two.notify(channel, payload)
  expect(heard).toEqual(['for here'])
})

/** An instance whose database has this secret, and how it is notified. */
async function instance(secret: Buffer): Promise<{
  readonly channels: Awaited<ReturnType<typeof openChannels>>
  readonly notify: (channel: string, payload: string) => void
}> {
  const hearers = new Map<string, (payload: string) => void>()
  const database = { query: async () => ({ rows: [{ value: secret }] }) } as unknown as Database
  const listener: Pick<Listener, 'listen'> = {
    listen: async (channel, hear) => {
      hearers.set(channel, hear)
      return async () => void hearers.delete(channel)
    },
  }
  return {
    channels: await openChannels(database, listener as Listener),
    notify: (channel, payload) => hearers.get(channel)?.(payload),
  }
}
