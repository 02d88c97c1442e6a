import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { paths, post } from '../gateway/support/post.ts'
import { gatewayBefore, gateway } from '../../../../tests/support/server/gateway.ts'
import { plainUpstream, raw } from '../../../../tests/support/server/raw.ts'
import { wires } from './support/conversation.ts'
import { decoy } from './support/decoy.ts'

/** Ways to write an address of this machine, some of which only some programs read as one. */
const forms: readonly ((port: number) => string)[] = [
  (port) => `http://127.0.0.1:${port}`,
  (port) => `http://localhost:${port}/v1`,
  (port) => `HTTP://LOCALHOST:${port}/`,
  (port) => `https://127.0.0.1:${port}/image.png`,
  (port) => `http://2130706433:${port}/`,
  (port) => `http://0x7f000001:${port}/`,
  (port) => `http://0177.0.0.1:${port}/`,
  (port) => `http://127.1:${port}/`,
  (port) => `http://0.0.0.0:${port}/`,
  (port) => `http://[::ffff:127.0.0.1]:${port}/`,
  (port) => `http://user:word@127.0.0.1:${port}/`,
  (port) => `http://example.com@127.0.0.1:${port}/`,
  (port) => `http://127.0.0.1:${port}#.example.com`,
  (port) => `//127.0.0.1:${port}/`,
  (port) => `http:\\\\127.0.0.1:${port}\\`,
  (port) => `gopher://127.0.0.1:${port}/_x`,
  (port) => `ws://127.0.0.1:${port}/`,
  (port) => `127.0.0.1:${port}`,
]

/** Where a request could hide one. */
const fields = [
  'api_base',
  'base_url',
  'baseURL',
  'url',
  'upstream',
  'upstreams',
  'host',
  'endpoint',
  'proxy',
  'target',
  'api_url',
  'webhook',
  'callback_url',
  'remote_host',
  'minutebook',
] as const
const headers = [
  'x-forwarded-host',
  'x-forwarded-for',
  'x-original-url',
  'x-rewrite-url',
  'x-base-url',
  'x-api-base',
  'x-upstream',
  'minutebook-upstream',
  'minutebook-url',
  'forwarded',
  'x-portkey-custom-host',
  'proxy-authorization',
  'referer',
] as const

const shapes: readonly (readonly [place: string, messages: (address: string) => object[]])[] = [
  [
    'an image of the user',
    (url) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  ],
  [
    'an image as a bare text',
    (url) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: url },
        ],
      },
    ],
  ],
  ['an image by its address in Ollama’s shape', (url) => [{ role: 'user', content: 'Look.', images: [url] }]],
  [
    'a file',
    (url) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          { type: 'input_file', file_url: url },
          { type: 'file', file: { file_id: url, filename: url } },
        ],
      },
    ],
  ],
  [
    'sound',
    (url) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hear.' },
          { type: 'input_audio', input_audio: { data: url, format: 'wav' } },
        ],
      },
    ],
  ],
  ['a picture in Markdown', (url) => [{ role: 'user', content: `![look](${url})` }]],
]

describe.each(wires)('A9: a chat of %s never chooses where we connect to', (wire) => {
  const chat = (more: object = {}): object => ({ model: 'strict', stream: false, messages: [user('Hello')], ...more })

  test('by its body, its headers, its model or its images, in whatever form', async () => {
    const { port, connections } = await decoy()
    const { upstream, running } = await gatewayBefore()
    const ask = async (body: object, more: Record<string, string> = {}): Promise<void> => {
      const before = upstream.requests.length
      const { status } = await post(running.url, paths[wire], body, more)
      expect([status === 200 ? upstream.requests.length > before : status >= 400]).toEqual([true])
    }
    for (const address of forms.map((form) => form(port))) {
      await ask(
        chat({
          ...Object.fromEntries(fields.map((field) => [field, address])),
          options: { host: address, url: address },
        }),
      )
      await ask(chat(), Object.fromEntries(headers.map((header) => [header, address])))
      await ask(chat({ model: address }))
      for (const [, messages] of shapes) await ask(chat({ messages: messages(address) }))
      await ask(
        chat({
          tools: [{ type: 'function', function: { name: 'look', parameters: { $ref: address, $schema: address } } }],
        }),
      )
    }
    await after(20)
    expect(connections()).toBe(0)
  })

  test('by a redirect of the upstream, which is the client’s to follow or not', async () => {
    const { port, connections } = await decoy()
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await plainUpstream((request, response) => {
        request.resume()
        response
          .writeHead(status, {
            location: `http://127.0.0.1:${port}${request.url}`,
            refresh: `0; url=http://127.0.0.1:${port}/`,
            link: `<http://127.0.0.1:${port}/>; rel=preload`,
          })
          .end()
      })
      const running = await gateway({ upstreams: [{ url, key: 'upstream-key' }] })
      expect((await post(running.url, paths[wire], chat())).status).toBe(status)
      for (const path of ['/', '/api/tags', '/v1/models', '/api/ps']) {
        const response = await fetch(running.url + path, { redirect: 'manual' })
        expect([response.status, response.headers.get('location')]).toEqual([status, `http://127.0.0.1:${port}${path}`])
      }
    }
    expect(connections()).toBe(0)
  })
})

test('A9: nor does any path, query, Host or request line', async () => {
  const { port, connections } = await decoy()
  const { upstream, running } = await gatewayBefore()
  const own = new URL(running.url).host
  const statuses = new Map<string, number>()
  for (const address of forms.map((form) => form(port))) {
    const lines: readonly (readonly [line: string, host: string])[] = [
      [`GET ${address} HTTP/1.1`, own],
      [`GET ${address}/api/tags HTTP/1.1`, own],
      [`POST ${address}/api/chat HTTP/1.1`, `127.0.0.1:${port}`],
      [`CONNECT 127.0.0.1:${port} HTTP/1.1`, own],
      [`GET /api/${address} HTTP/1.1`, own],
      [`GET /v1/${encodeURIComponent(address)} HTTP/1.1`, own],
      [`GET /v1/models/${encodeURIComponent(address)} HTTP/1.1`, own],
      [`GET /api/tags?url=${encodeURIComponent(address)}&host=127.0.0.1:${port} HTTP/1.1`, own],
      [`GET /api/tags HTTP/1.1`, `127.0.0.1:${port}`],
      [`GET /api/tags HTTP/1.1`, `user@127.0.0.1:${port}`],
      [`GET /api/tags HTTP/1.1`, `${own}@127.0.0.1:${port}`],
    ]
    for (const [line, host] of lines) {
      const answer = await raw(
        running.url,
        `${line}\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ).catch(() => ({ status: 0 }))
      statuses.set(`${line} ${host}`, answer.status)
    }
  }
  await after(20)
  expect(connections()).toBe(0)
  expect([...statuses.values()].filter((status) => status === 200).length).toBeGreaterThan(forms.length)
  expect(new Set(upstream.requests.map(({ headers: { host } }) => host))).toEqual(new Set([new URL(upstream.url).host]))
})
