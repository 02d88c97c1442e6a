import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Visit } from '../../src/http/http.ts'
import { createServedResponses } from '../../src/responses/served.ts'
import { createUpstreamClient } from '../../src/upstream/call.ts'
import { upstreamsOf, type Upstream } from '../../src/upstream/upstream.ts'

interface Asked {
  readonly upstream: Upstream
  readonly count: () => number
  /** What it answers from now on. */
  status: number
}

async function answering(status: number): Promise<Asked> {
  let count = 0
  const server = createServer((request, response) => {
    count++
    request.resume().on('end', () => response.writeHead(asked.status, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const asked: Asked = {
    upstream: upstreamsOf([{ url: `http://127.0.0.1:${port}/v1` }]).all[0]!,
    count: () => count,
    status,
  }
  return asked
}

const services = { upstreamClient: createUpstreamClient() }
const visit = { request: { headers: { authorization: 'Bearer a' } }, caller: { shown: 'nothing' } } as unknown as Visit

describe('an upstream that answers an empty request with', () => {
  test.each([
    [400, true],
    [422, true],
    [404, false],
    [405, false],
    [501, false],
    [200, false],
    [302, false],
    [401, false],
    [429, false],
    [500, false],
  ])('%i serves responses: %o', async (status, expected) => {
    const { upstream } = await answering(status)
    expect(await createServedResponses().by(upstream, visit, services)).toBe(expected)
  })
})

test('it is asked again after a while, and if it does not say, the last answer counts', async () => {
  let now = 0
  const served = createServedResponses(() => now)
  const asked = await answering(400)
  const isServed = (): Promise<boolean> => served.by(asked.upstream, visit, services)
  expect(await Promise.all([isServed(), isServed(), isServed()])).toEqual([true, true, true])
  now += 59 * 60_000
  expect([await isServed(), asked.count()]).toEqual([true, 1])
  now += 2 * 60_000
  asked.status = 503
  expect([await isServed(), asked.count()]).toEqual([true, 2])
  asked.status = 404
  expect([await isServed(), await isServed(), asked.count()]).toEqual([false, false, 3])
  now += 61_000
  asked.status = 400
  expect([await isServed(), asked.count()]).toEqual([true, 4])
})

test('an upstream that cannot be reached does not serve them', async () => {
  const [upstream] = upstreamsOf([{ url: 'http://127.0.0.1:1' }]).all
  expect(await createServedResponses().by(upstream!, visit, services)).toBe(false)
})
