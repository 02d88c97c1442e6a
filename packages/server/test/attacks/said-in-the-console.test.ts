// Finding 18: any client marks a thread as spoken to from the console, by an id that begins with `console:`.
import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'

test.each(['console:1', 'console:', 'console', 'Console:1', ' console:1'])(
  'the id %j of a chat marks nothing',
  async (id) => {
    const { running } = await gatewayBefore({ answer: 'ok' }, {})
    const response = await fetch(`${running.url}/api/chat`, {
      method: 'POST',
      headers: { 'minutebook-thread': 'ship', 'idempotency-key': id },
      body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'Where to?' }] }),
    })
    expect(response.status).toBe(200)
    await response.text()
    const operator = native(running.url, running.token)
    expect((await operator.ask('GET', '/threads/ship')).body).toMatchObject({ marks: [] })
    expect(JSON.stringify((await operator.ask('GET', '/threads/ship/entries')).body)).not.toContain('"console":true')
  },
)
