import { user } from '@minutebook/testing'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { oddUpstream } from './support/odd-upstream.ts'
import { within } from '../../../../tests/support/patience.ts'

const error = {
  code: 'context_length_exceeded',
  message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
}
const created = { type: 'response.created', sequence_number: 0, response: { id: 'r', status: 'in_progress' } }
const failed = { type: 'response.failed', sequence_number: 1, response: { id: 'r', status: 'failed', error } }

test.each([
  ['/v1/chat/completions', { messages: [user('Hello')] }, `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`],
  ['/v1/responses', { input: 'Hello' }, [created, failed].map(eventOf).join('')],
])('a stream of %s that says that the prompt is too long, and names no window, ends', async (path, fields, said) => {
  const url = await oddUpstream((response, { url: asked, headers }) => {
    // Asked with an empty body, it says by its status whether it serves Responses.
    if (asked !== path) return void response.writeHead(404).end('{}')
    if (headers['content-length'] === '2') return void response.writeHead(400).end('{"error":{"message":"model?"}}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(said)
    // The end of the body comes in a later packet.
    void setTimeout(50).then(() => response.end())
  })
  const running = await gateway({ upstreams: [{ url, protocol: 'openai' }] })
  const response = await fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'strict', stream: true, ...fields }),
    signal: AbortSignal.timeout(within(5000)),
  })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('exceeds the context window')
})

function eventOf(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
