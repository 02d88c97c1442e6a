import fc from 'fast-check'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.ts'
import { gatewayBefore } from './support/gateway.ts'
import { openSocket } from './support/raw.ts'

const line = fc.oneof(
  fc.constantFrom('GET / HTTP/1.1', 'POST /api/chat HTTP/1.1', 'POST /v1/embeddings HTTP/1.1', 'OPTIONS * HTTP/1.1', 'CONNECT x:1 HTTP/1.1', 'GET http://[::1 HTTP/1.1', 'HEAD /api/tags HTTP/1.0', 'PRI * HTTP/2.0'),
  fc.constantFrom('Host: localhost', 'Host:', 'Host: x', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99999999999', 'Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Connection: upgrade', 'Upgrade: websocket', 'Expect: 100-continue', 'Expect: x', 'Origin: null', 'Authorization: Bearer', 'Access-Control-Request-Method: x', 'Trailer: host', ''),
  fc.constantFrom('5', 'ffffffffffffffff', '{"model":"x"}', '0'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

test('whatever is written to it, the server goes on', async () => {
  const { running } = await gatewayBefore()
  await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean(), async (lines, isCut) => {
    const socket = openSocket(running.url)
    const text = `${lines.join('\r\n')}\r\n\r\n`
    socket.write(isCut ? text.slice(0, text.length >> 1) : text)
    await after(1)
    socket.destroy()
  }), { numRuns: Math.min(runs, 500) })
  expect((await fetch(`${running.url}/api/tags`)).status).toBe(200)
  await expect.poll(() => running.services.metrics.inFlight).toBe(0)
  expect(await (await fetch(`${running.url}/metrics`)).text()).toContain('minutebook_requests_in_flight 1\n')
})
