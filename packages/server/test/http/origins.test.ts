import { expect, test } from 'vitest'
import { createOriginCheck } from '../../src/http/origins.ts'

const guard = createOriginCheck({
  allowHosts: ['gateway.example', 'host.docker.internal', 'fd00::2'],
  allowOrigins: ['https://app.example', 'vscode-webview://*'],
})

const passed = { kind: 'pass', name: '/api/*' } as const

function status(host: string | readonly string[] | undefined, origin?: string, authority?: string): number {
  const hosts = host === undefined ? [] : typeof host === 'string' ? [host] : host
  const headers = { ...(hosts[0] !== undefined && { host: hosts[0] }), ...(origin !== undefined && { origin }) }
  return (
    guard.check({ headers, rawHeaders: hosts.flatMap((one) => ['Host', one]) }, { authority, route: passed })?.status ??
    200
  )
}

test.each([
  ['localhost', 200],
  ['localhost:11435', 200],
  ['LocalHost:1', 200],
  ['127.0.0.1', 200],
  ['127.0.0.1:65535', 200],
  ['127.8.9.10:80', 200],
  ['[::1]', 200],
  ['[::1]:11435', 200],
  ['gateway.example', 200],
  ['GATEWAY.example:443', 200],
  ['host.docker.internal:11435', 200],
  ['[fd00::2]:11435', 200],
  ['localhost:', 200],
  ['attacker.example', 403],
  ['attacker.example:11435', 403],
  ['localhost.attacker.example', 403],
  ['127.0.0.1.attacker.example', 403],
  ['attacker.example#localhost', 403],
  ['localhost.', 403],
  ['gateway.example.', 403],
  ['sub.gateway.example', 403],
  ['user@localhost', 403],
  ['localhost:80@attacker.example', 403],
  ['localhost:port', 403],
  ['localhost:123456', 403],
  ['localhost, attacker.example', 403],
  ['localhost attacker.example', 403],
  ['[::1', 403],
  ['::1', 403],
  ['[::1].attacker.example', 403],
  ['[::ffff:10.0.0.1]', 403],
  ['0.0.0.0', 403],
  ['0.0.0.0:11435', 403],
  ['10.0.0.1', 403],
  ['127.1', 403],
  ['127.0.0.256', 403],
  ['0127.0.0.1', 403],
  ['2130706433', 403],
  ['0x7f000001', 403],
  ['', 403],
  [' ', 403],
  ['localhost/', 403],
  ['localhost\u0000', 403],
  ['ⓛocalhost', 403],
])('Host %j is %i', (host, expected) => {
  expect(status(host)).toBe(expected)
})

test.each([
  ['http://localhost', 200],
  ['http://localhost:3000', 200],
  ['https://localhost:3000', 200],
  ['http://127.0.0.1:8080', 200],
  ['http://[::1]:3000', 200],
  ['https://gateway.example', 200],
  ['https://app.example', 200],
  ['vscode-webview://0a1b', 200],
  ['null', 403],
  ['', 403],
  ['http://app.example', 403],
  ['https://app.example:444', 403],
  ['https://app.example.attacker.example', 403],
  ['https://attacker.example', 403],
  ['http://localhost.attacker.example', 403],
  ['http://localhost@attacker.example', 403],
  ['http://attacker.example?localhost', 403],
  ['http://localhost/', 403],
  ['http://localhost, http://attacker.example', 403],
  ['file://', 403],
  ['app://localhost', 403],
  ['chrome-extension://abc', 403],
  ['https://*', 403],
])('Origin %j is %i', (origin, expected) => {
  expect(status('localhost:11435', origin)).toBe(expected)
})

test('a page that is let in does not make a foreign host ours, nor the other way round', () => {
  expect(status('attacker.example', 'https://app.example')).toBe(403)
  expect(status('localhost', 'http://attacker.example')).toBe(403)
})

test('a request line that names a host names it for good', () => {
  expect(status('localhost', undefined, 'localhost:11435')).toBe(200)
  expect(status('localhost', undefined, 'attacker.example')).toBe(403)
  expect(status('attacker.example', undefined, 'localhost')).toBe(403)
  expect(status('localhost', undefined, 'user@localhost')).toBe(403)
})

test('there is exactly one Host', () => {
  expect(status(undefined)).toBe(400)
  expect(status(['localhost', 'localhost'])).toBe(400)
  expect(status(['localhost', 'attacker.example'])).toBe(400)
})

test('null can be let in by name', () => {
  const open = createOriginCheck({ allowHosts: [], allowOrigins: ['null'] })
  expect(
    open.check(
      { headers: { host: 'localhost', origin: 'null' }, rawHeaders: ['host', 'localhost'] },
      { route: passed },
    ),
  ).toBeUndefined()
})

test('a refusal names the setting', () => {
  const refusal = guard.check({ headers: { host: 'x.example' }, rawHeaders: ['host', 'x.example'] }, { route: passed })
  expect(refusal?.fix).toMatch(/allowHosts.*--host 0\.0\.0\.0, which needs a key.*--allow-host host\.docker\.internal/s)
  const other = guard.check(
    { headers: { host: 'localhost', origin: 'https://x.example' }, rawHeaders: ['host', 'localhost'] },
    { route: passed },
  )
  expect(other?.fix).toContain('allowOrigins')
})

const record = { kind: 'api', name: '/minutebook/v1/*' } as const
const page = { kind: 'console', name: '/console' } as const
const front = { kind: 'pass', name: '/' } as const
const near = 'http://localhost:3000'

test.each([
  [
    'a page of ours asks for the record',
    record,
    { origin: 'http://localhost:11435', 'sec-fetch-site': 'same-origin' },
    undefined,
  ],
  [
    'a page of ours behind a proxy that changes the name',
    record,
    { origin: 'https://gateway.example', 'sec-fetch-site': 'same-origin' },
    undefined,
  ],
  ['a browser that tells no site, from a page of ours', record, { origin: 'http://localhost:11435' }, undefined],
  ['no browser at all', record, {}, undefined],
  [
    'a page that the settings name',
    record,
    { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    undefined,
  ],
  ['a page of another port', record, { origin: near, 'sec-fetch-site': 'same-site' }, 'foreign_origin'],
  ['a page of another port, in a browser that tells no site', record, { origin: near }, 'foreign_origin'],
  [
    'a picture in a page of another site',
    record,
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    'foreign_origin',
  ],
  [
    'a page of another port chats',
    passed,
    { origin: near, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' },
    undefined,
  ],
  [
    'a page of another site that wants no answer',
    passed,
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' },
    'foreign_origin',
  ],
  ['a link to what is passed on', passed, { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }, 'not_a_page'],
  [
    'a form of a page that the settings name',
    passed,
    { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    'not_a_page',
  ],
  ['a service worker', passed, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'serviceworker' }, 'not_a_page'],
  ['a link to the console', page, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, undefined],
  ['a link to the address itself', front, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, undefined],
  [
    'the address itself in a frame',
    front,
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' },
    'not_a_page',
  ],
])('%s', (_, route, headers, code) => {
  expect(
    guard.check(
      { headers: { host: 'localhost:11435', ...headers }, rawHeaders: ['host', 'localhost:11435'] },
      { route },
    )?.code,
  ).toBe(code)
})
