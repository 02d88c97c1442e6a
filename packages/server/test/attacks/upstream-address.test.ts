// Finding 20: an app learns from a 502 where the operator's model server is.
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const key = 'key-of-an-app'
const keys = [
  { name: 'app', tenant: 'default', scope: 'app', sha256: createHash('sha256').update(key).digest('hex') },
] as const

test.each([
  ['is not there', 'cannot be reached', async () => 'http://127.0.0.1:1/inner-4711'],
  [
    'hangs up',
    'broke off',
    async () => `${(await plainUpstream((request) => request.socket.destroy())).url}/inner-4711`,
  ],
])(
  'of an upstream that %s an app learns no address, and the operator does from the log',
  async (_, words, addressOf) => {
    const url = await addressOf()
    let log = ''
    const running = await gateway(
      { keys, upstreams: [{ url }], defaultModel: 'm' },
      { log: new Writable({ write: (piece: Buffer, __, done) => ((log += piece.toString('utf8')), done()) }) },
    )
    const told: string[] = []
    const chat = { model: 'm', messages: [{ role: 'user', content: 'x' }] }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const [path, body] of [
      ['/api/chat', chat],
      ['/v1/chat/completions', { ...chat, stream: true }],
      ['/v1/responses', { model: 'm', input: 'x' }],
      ['/api/generate', { model: 'm' }],
      ['/v1/models', undefined],
      ['/api/tags', undefined],
    ] as const) {
      const response = await fetch(running.url + path, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await response.text()
      expect([path, response.status, text]).toEqual([path, 502, expect.stringContaining(words)])
      told.push(text, JSON.stringify([...response.headers]))
    }
    const app = native(running.url, key)
    await app.ask('POST', '/threads', { thread: 'garden' })
    told.push(JSON.stringify(await app.stream('POST', '/threads/garden/turns', { body: { message: 'Hello?' } })))
    for (const path of ['', '/threads/garden', '/threads/garden/entries', '/threads', '/runs'])
      told.push(JSON.stringify((await app.ask('GET', path)).body))
    expect(told.join('\n')).not.toMatch(new RegExp(`4711|${new URL(url).host}`))
    expect(log).toContain(`The upstream ${url} ${words}`)
    expect(log.split('The upstream ').length).toBeLessThan(4)
  },
)
