import { expect, test } from 'vitest'
import type { Config } from '../../src/index.ts'
import { readConfig } from '../../src/index.ts'
import { gatewayBefore, temporaryFolder } from '../../../../tests/support/server/gateway.ts'
import { raw } from '../../../../tests/support/server/raw.ts'
import { bearer, keyOf } from './support/keys.ts'

const settings: Partial<Config> = {
  allowHosts: ['gateway.example'],
  allowOrigins: ['https://app.example', 'vscode-webview://*'],
}

/** Names by which a browser may have found us; the second half by a name that somebody pointed at this machine. */
const hosts: readonly (readonly [host: string, isOurs: boolean])[] = [
  ['localhost:11435', true],
  ['127.0.0.1', true],
  ['[::1]:1', true],
  ['gateway.example', true],
  ['attacker.example:11435', false],
  ['localhost.attacker.example', false],
  ['127.0.0.1.nip.example', false],
  ['gateway.example.attacker.example', false],
  ['0.0.0.0:11435', false],
  ['192.168.0.7:11435', false],
  ['localhost@attacker.example', false],
]

/** Pages that may have sent a browser here; without one, no browser did. */
const origins: readonly (readonly [origin: string | undefined, isOurs: boolean])[] = [
  [undefined, true],
  ['https://app.example', true],
  ['vscode-webview://0a1b', true],
  ['null', false],
  ['http://attacker.example', false],
  ['https://app.example.attacker.example', false],
  ['http://localhost:3000.attacker.example', false],
  ['http://app.example', false],
  ['chrome-extension://abc', false],
]

const body = '{"model":"strict","stream":false,"messages":[{"role":"user","content":"hi"}]}'

/** All that there is to ask for, with the kinds of body that a page can send without asking first. */
const routes: readonly (readonly [name: string, line: string, type: string])[] = [
  ['a chat of Ollama', 'POST /api/chat', 'text/plain'],
  ['a chat of OpenAI', 'POST /v1/chat/completions', 'application/x-www-form-urlencoded'],
  ['what is passed on', 'GET /api/tags', ''],
  ['what changes the upstream', 'POST /api/pull', 'text/plain'],
  ['the record', 'GET /minutebook/v1/threads', ''],
  ['the counts', 'GET /metrics', ''],
  ['nothing', 'GET /nowhere', ''],
]

/**
 * Pages of other servers on this machine: they may chat, as they may with the model server; the record is not theirs.
 */
const neighbour = 'http://localhost:3000'

test.each(routes)(
  'A14: %s is for our own names and pages, for no other name and no other page',
  async (_, line, type) => {
    const { upstream, running } = await gatewayBefore({}, settings)
    for (const [host, isOurHost] of hosts) {
      for (const [origin, isOurPage] of [...origins, [neighbour, !isRecord(line)] as const]) {
        const before = upstream.requests.length
        const sent = type === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]
        const head = [
          `${line} HTTP/1.1`,
          `Host: ${host}`,
          ...(origin === undefined ? [] : [`Origin: ${origin}`]),
          `Authorization: Bearer ${running.token}`,
          ...sent,
          'Connection: close',
          '',
          '',
        ]
        const answer = await raw(running.url, head.join('\r\n') + (type === '' ? '' : body))
        expect([host, origin, answer.status === 403]).toEqual([host, origin, !(isOurHost && isOurPage)])
        if (answer.status !== 403) continue
        expect([upstream.requests.length, answer.head.toLowerCase().includes('access-control-allow')]).toEqual([
          before,
          false,
        ])
        expect(answer.body).toMatch(/allowHosts|allowOrigins/)
      }
    }
  },
)

function isRecord(line: string): boolean {
  return /\/minutebook\/v1|\/metrics/.test(line)
}

test('A14: a browser that asks first is told no, whatever the page would send', async () => {
  const { running } = await gatewayBefore({}, settings)
  for (const [origin, isOurs] of [...origins, [neighbour, true] as const]) {
    if (origin === undefined) continue
    for (const path of ['/api/chat', '/v1/chat/completions', '/minutebook/v1/threads', '/api/delete']) {
      const isOurPage = isOurs && !(origin === neighbour && isRecord(path))
      const response = await fetch(running.url + path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'DELETE',
          'access-control-request-headers': 'authorization',
          'access-control-request-private-network': 'true',
        },
      })
      expect([origin, response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        origin,
        isOurPage ? 204 : 403,
        isOurPage ? origin : null,
      ])
      expect(response.headers.get('access-control-allow-private-network')).toBe(isOurPage ? 'true' : null)
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  }
})

test('A14: whoever watches the process may call it by any name, and learns nothing of what is in it', async () => {
  const { running } = await gatewayBefore({}, settings)
  for (const path of ['/livez', '/readyz']) {
    const answer = await raw(
      running.url,
      `GET ${path} HTTP/1.1\r\nHost: 10.0.0.7\r\nOrigin: https://attacker.example\r\nConnection: close\r\n\r\n`,
    )
    expect([answer.status, answer.head.includes('access-control')]).toEqual([200, false])
    expect(answer.body).not.toContain(running.token)
  }
})

test('A14: without a word it listens to this machine alone, and to others only where it has keys', async () => {
  const read = (flags: Partial<Config>): string =>
    readConfig({ folder: temporaryFolder(), environment: {}, flags }).host
  expect(read({})).toBe('127.0.0.1')
  for (const host of ['0.0.0.0', '::', '192.168.0.7', 'gateway.example']) {
    expect(() => read({ host })).toThrow(/no keys/)
    expect(read({ host, keys: [keyOf('app')] })).toBe(host)
  }
  const { running } = await gatewayBefore({}, { keys: [keyOf('app')] })
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${running.url}/api/tags`, { headers })).status
  expect([await status({}), await status(bearer('other')), await status(bearer('app'))]).toEqual([401, 401, 200])
})
