// Finding 4: clients that leave before they are answered take memory, and places among the turns of their key, which
// nobody gives back.
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nativeServer } from '../../../../tests/support/server/native.ts'

test('whoever leaves before a stream begins leaves no memory and no place behind', async () => {
  const { operator, running } = await nativeServer({ delay: 5 }, { slots: 50, queueLimit: 1000 })
  const { memory, turnLimits, metrics } = running.services
  await operator.ask('POST', '/threads', { thread: 'garden' })
  const headers = {
    authorization: `Bearer ${running.token}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  }
  const body = JSON.stringify({ message: 'lemon '.repeat(5000) })
  const chat = JSON.stringify({ model: 'strict', messages: [{ role: 'user', content: 'Hello.' }] })
  await fetch(`${running.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'minutebook-thread': 'chat' },
    body: chat,
  })
  for (let count = 0; count < 60; count++) {
    const left = new AbortController()
    const path = count % 3 === 0 ? 'chat/relay' : 'garden/turns'
    const asking = fetch(`${running.url}/minutebook/v1/threads/${path}`, {
      method: 'POST',
      headers,
      body,
      signal: left.signal,
    }).catch(() => undefined)
    await after(count / 4)
    left.abort()
    await asking
  }
  await expect.poll(() => metrics.inFlight).toBe(0)
  await expect.poll(() => [memory.bodies.held, memory.threads.held, turnLimits.waiting]).toEqual([0, 0, 0])
})
