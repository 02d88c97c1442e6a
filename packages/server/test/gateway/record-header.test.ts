import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'

const chat = { model: 'strict', messages: [{ role: 'user', content: 'Hello' }] }

test.each([
  ['yes', 'yes'],
  [' On ', 'yes'],
  ['no', 'no'],
  ['OFF', 'no'],
])('minutebook-record: %s', async (value, recorded) => {
  const { running } = await gatewayBefore()
  const response = await fetch(`${running.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'minutebook-record': value },
    body: JSON.stringify(chat),
  })
  expect([response.status, response.headers.get('minutebook-recorded')]).toEqual([200, recorded])
})

test.each([
  ['/v1/chat/completions', chat],
  ['/v1/responses', { model: 'strict', input: 'Hello' }],
])('%s is refused if the header is neither yes nor no, and no model is asked', async (path, body) => {
  const { upstream, running } = await gatewayBefore()
  const response = await fetch(running.url + path, {
    method: 'POST',
    headers: { 'minutebook-record': 'maybe' },
    body: JSON.stringify(body),
  })
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }])
  expect(upstream.requests.filter(({ path: asked }) => asked === '/v1/chat/completions')).toEqual([])
})
