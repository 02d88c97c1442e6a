// Finding M3: half-sent requests of clients without a key use up the file handles of the server, which then answers
// nobody.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { gatewayCommand } from '../../../../tests/endurance/server/kill/command.ts'
import { startChild, type Child } from '../../../../tests/support/process/child.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { openSocket } from '../../../../tests/support/server/raw.ts'
import { within } from '../../../../tests/support/patience.ts'

const key = 'mb_garden'
const keys = ['garden', 'kitchen'].map((name) => ({
  name,
  tenant: 'default',
  scope: 'app' as const,
  sha256: createHash('sha256').update(`mb_${name}`).digest('hex'),
}))

/** It may have 256 file handles. */
let server: Child
const folder = mkdtempSync(join(tmpdir(), 'minutebook-half-sent-'))
beforeAll(async () => {
  server = await startChild({
    command: ['/bin/sh', '-c', 'ulimit -n 256 && exec "$@"', 'sh', ...gatewayCommand()],
    folder,
    environment: { MINUTEBOOK_KEYS: JSON.stringify(keys) },
  })
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens connections one after the other, and sends the same on each. */
async function flood(url: string, count: number, text: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (let index = 0; index < count; index++)
    await new Promise<void>((resolve) => {
      const socket: Socket = connect(Number(port), hostname, () => socket.write(text, () => resolve()))
      socket.on('error', () => resolve())
      onTestFinished(() => void socket.destroy())
    })
}

const halfLogin =
  'POST /console/session HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 100\r\n\r\n{"key":'

test.each([
  ['logins', halfLogin],
  ['chats without a key', 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{'],
  ['headers', 'POST /console/session HTTP/1.1\r\nHost: loc'],
  ['connections', ''],
])('400 half-sent %s leave handles for everybody else', async (_, text) => {
  const { url } = server
  await flood(url, 400, text)
  const answers = await Promise.all(
    ['/livez', '/readyz', '/minutebook/v1/threads'].map((path) =>
      fetch(url + path, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(within(5000)),
      }).then(
        ({ status }) => status,
        (error: unknown) => error,
      ),
    ),
  )
  expect(answers).toEqual([200, 200, 200])
})

test('400 half-sent chats with one key leave connections for other keys', async () => {
  const { url } = server
  const half = `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{`
  await flood(url, 400, half)
  const statusWith = async (bearer: string): Promise<unknown> =>
    fetch(`${url}/minutebook/v1/threads`, {
      headers: { authorization: `Bearer ${bearer}`, connection: 'close' },
      signal: AbortSignal.timeout(within(5000)),
    }).then(
      ({ status }) => status,
      (error: unknown) => error,
    )
  expect([await statusWith('mb_kitchen'), await statusWith(key)]).toEqual([200, 429])
})

test('a login that drips is refused with what to do, and closed', async () => {
  const { url, services } = await gateway({ keys })
  const socket = openSocket(url)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.write(halfLogin)
  await expect.poll(() => services.metrics.inFlight).toBe(1)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000)
  onTestFinished(() => later.mockRestore())
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: 'body_too_slow' } })
})
