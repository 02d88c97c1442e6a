import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { gateway } from '../../../tests/support/server/gateway.ts'
import { keyNameOf, withAgentKey } from '../src/wrap/key.ts'
import { testTerminal } from './support/terminal.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('no agent gets the key of an app that may approve calls', async () => {
  const { url } = await gateway({
    keys: [
      { name: 'app', tenant: 'default', scope: 'app', sha256: sha256('app') },
      { name: 'desk', tenant: 'default', scope: 'app', decide: true, sha256: sha256('desk') },
    ],
  })
  const given: (string | undefined)[] = []
  const wrapped = (key: string): Promise<number> =>
    withAgentKey(testTerminal().terminal, { url, key }, async (each) => given.push(each))
  await wrapped('app')
  await expect(wrapped('desk')).rejects.toMatchObject({
    code: 'key_approves',
    fix: expect.stringContaining('without "decide"') as string,
  })
  expect(given).toEqual(['app'])
})

/** A server that knows one admin, and leaves it to the test to answer about keys. */
async function slowServer(asked: (method: string, response: ServerResponse, url: string) => void): Promise<string> {
  const server = createServer(({ method = '', url = '' }, response) => {
    if (url.startsWith('/minutebook/v1/keys')) return asked(method, response, url)
    response.end('{"scope":"admin","tenant":"default","approves":true}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Limits of time that end when the test says so. */
function limits(): { readonly end: () => void } {
  const ending: AbortController[] = []
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const each = new AbortController()
    ending.push(each)
    return each.signal
  })
  onTestFinished(() => spy.mockRestore())
  return { end: () => ending.forEach((each) => each.abort(new DOMException('', 'TimeoutError'))) }
}

const made = JSON.stringify({ key: 'mb_made', expires: '2026-11-26T12:00:00.000Z' })

test('a server that does not answer about keys holds up neither the start nor the end', async () => {
  const late = limits()
  const { terminal, errors } = testTerminal()
  const silent = await slowServer(() => late.end())
  await expect(withAgentKey(terminal, { url: silent, key: 'boss' }, async () => 0)).rejects.toMatchObject({
    code: 'server_gone',
    message: expect.stringContaining('no answer in time') as string,
  })
  const halting = await slowServer((method, response) => (method === 'POST' ? response.end(made) : late.end()))
  expect(await withAgentKey(terminal, { url: halting, key: 'boss' }, async () => 7)).toBe(7)
  expect(errors()).toMatch(/The key of this run was not revoked .*keys revoke wrap-\S+ --sha256 [0-9a-f]{64}/)
})

test('a signal that comes before the key is remembered: no agent starts, and the key is revoked', async () => {
  const asked: string[] = []
  const url = await slowServer((method, response) => {
    asked.push(method)
    if (method === 'POST') process.emit('SIGHUP', 'SIGHUP')
    response.end(made)
  })
  const use = vi.fn(async () => 0)
  expect(await withAgentKey(testTerminal().terminal, { url, key: 'boss' }, use)).toBe(129)
  expect([asked, use.mock.calls]).toEqual([['POST', 'DELETE'], []])
})

test('runs in one folder of two machines have keys of two names', () => {
  const [one, again, two] = ['one', 'one', 'two'].map((machine) => keyNameOf('root', machine, '/workspace'))
  expect([again === one, two === one]).toEqual([true, false])
})
