import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRequestLog } from '../src/telemetry/request-log.ts'
import { gateway, gatewayBefore } from '../../../tests/support/server/gateway.ts'
import { rawGet } from '../../../tests/support/server/raw.ts'

/** Log lines, gathered. */
function gathering(): { readonly lines: string[]; readonly output: { write(line: string): void } } {
  const lines: string[] = []
  return { lines, output: { write: (line) => void lines.push(line) } }
}

// Its end is in no number and no hash.
const secret = 'wxyzqvkw'
const canary = `canary-${secret}`
const keys = [
  {
    name: 'app',
    sha256: createHash('sha256').update(canary).digest('hex'),
    tenant: 'default',
    scope: 'admin' as const,
  },
]

test('A16: no key, header, query, content or made-up path gets into log, metrics or answers', async () => {
  const { lines, output } = gathering()
  const { running } = await gatewayBefore({}, { keys }, { log: output })
  const gone = await gateway(
    { keys, upstreams: [{ url: 'http://127.0.0.1:1', key: canary }] },
    {
      log: output,
      chat: async () => {
        throw new Error(canary)
      },
    },
  )
  const answers: string[] = []
  for (const url of [running.url, gone.url]) {
    for (const path of [
      '/api/tags',
      `/api/tags?x=${canary}`,
      `/api/${canary}`,
      `/v1/models/${canary}`,
      `/${canary}`,
      '/api/chat',
      '/v1/chat/completions',
      '/minutebook/v1/x',
      '/metrics',
    ]) {
      for (const authorization of [`Bearer ${canary}`, `Bearer x${canary}`, `Basic ${canary}`]) {
        const options = { headers: { authorization, 'x-secret': canary, cookie: canary } }
        const method =
          path.endsWith('chat') || path.endsWith('completions')
            ? {
                method: 'POST',
                body: JSON.stringify({ model: 'strict', messages: [{ role: 'user', content: 'hi' }], note: canary }),
              }
            : {}
        const response = await fetch(url + path, { ...options, ...method })
        // The upstream may say what it was asked; that is between it and the client.
        if (url === gone.url || response.status === 401) answers.push(await response.text())
        else await response.arrayBuffer()
      }
    }
    answers.push(
      (await rawGet(url, `/api/%2e/${canary}`)).body,
      (await rawGet(url, '/api/tags', [`Host: ${canary}`])).body,
    )
    answers.push(await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${canary}` } })).text())
  }
  await after(50)
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.join('\n')).not.toContain(secret)
  expect(answers.join('\n')).not.toContain(secret)
  expect(lines.join('\n')).not.toContain(running.token)
})

test("A16: no key is in any file of the server: of keys it knows the hashes, and of upstreams' what its settings say", async () => {
  const { running } = await gatewayBefore({}, { keys })
  for (const authorization of [`Bearer ${canary}`, `Bearer x${canary}`, `Basic ${canary}`]) {
    for (const path of ['/api/chat', '/v1/chat/completions'])
      await fetch(running.url + path, {
        method: 'POST',
        headers: { authorization, cookie: canary, 'x-api-key': canary },
        body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'hi' }] }),
      }).then((response) => response.text())
  }
  const { data } = running.services.config
  const files = readdirSync(data)
  expect(files).toEqual(expect.arrayContaining(['minutebook.db', 'server.json']))
  for (const file of files) expect([file, readFileSync(join(data, file)).includes(canary)]).toEqual([file, false])
  expect(statSync(join(data, 'server.json')).mode & 0o777).toBe(0o600)
})

test('a log line holds the fields that are named and no other', () => {
  const { lines, output } = gathering()
  const forged = { content: canary, headers: { authorization: canary } }
  createRequestLog(output).request({
    method: 'POST',
    route: '/api/chat',
    status: 200,
    ms: 12.345,
    key: 'app',
    thread: 't',
    turn: 'u',
    mode: 'unchanged',
    tokens: 5,
    truncated: 'no',
    recorded: true,
    ...forged,
  })
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 30,
    time: expect.any(String),
    method: 'POST',
    route: '/api/chat',
    status: 200,
    ms: 12.3,
    key: 'app',
    thread: 't',
    turn: 'u',
    mode: 'unchanged',
    tokens: 5,
    truncated: 'no',
    recorded: true,
  })
})

test('what handlers tell is in the line of their request; who was cut off is marked', async () => {
  const { lines, output } = gathering()
  const { running } = await gatewayBefore(
    {},
    {},
    {
      log: output,
      chat: async (visit) => {
        visit.tell({ thread: 't', tokens: 7 })
        visit.tell({ truncated: 'unknown' })
        if (visit.query === '') visit.response.end('x')
        else visit.response.write('x', () => visit.response.destroy())
      },
    },
  )
  await (await fetch(`${running.url}/api/chat`, { method: 'POST' })).text()
  await fetch(`${running.url}/api/chat?cut`, { method: 'POST' })
    .then((response) => response.text())
    .catch(() => undefined)
  await after(20)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { route: '/api/chat', thread: 't', tokens: 7, truncated: 'unknown', status: 200 },
    { status: 200, code: 'cut_off' },
  ])
})

test('of an error that nobody foresaw the log has its code and its place, not what it says', () => {
  const { lines, output } = gathering()
  const log = createRequestLog(output)
  log.unforeseen(Object.assign(new Error(`${canary}\n    at ${canary}`), { code: 'E_ODD' }))
  log.unforeseen(new TypeError(canary, { cause: canary }))
  log.unforeseen(canary)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, code: 'E_ODD', at: expect.arrayContaining([expect.stringContaining('canary.test.ts')]) },
    { code: 'TypeError' },
    { code: 'unknown', at: [] },
  ])
  expect(lines.join('')).not.toContain(secret)
})
