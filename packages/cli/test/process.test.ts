import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder, gardenFolder, longFolder } from './support/data-folder.ts'
import { runProcess, spawnCommand } from './support/process.ts'

/** The text with what differs from run to run put into words. */
function steady(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((so, [name, value]) => so.replaceAll(value, `{${name}}`), text)
}

test('serve in one terminal, explain in another: a first hour', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns and hostas.', window: 4096 })
  const serving = spawnCommand(['serve', '--port', '0', '--upstream', upstream.url], data.path)
  const started = await serving.shows('To stop: Ctrl-C.')
  const url = /Ollama clients\s+(\S+)/.exec(started)?.[1] ?? ''
  await expect(steady(started, { url, data: data.path, upstream: upstream.url })).toMatchFileSnapshot(
    'golden/serve.txt',
  )
  const file = join(data.path, 'server.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const chat = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'strict', messages: [{ role: 'user', content: 'What grows in the shade?' }] }),
  })
  expect(await chat.text()).toContain('"done":true')
  const [explained, again, looked, denied] = await Promise.all([
    runProcess(['explain'], data.path),
    runProcess(['serve'], data.path),
    runProcess(['console'], data.path),
    fetch(`${url}/minutebook/v1/keys`),
  ])
  expect(looked).toMatchObject({
    code: 0,
    output: expect.stringMatching(new RegExp(`^${url}/console#login=[\\w-]{32}\n$`)) as string,
  })
  expect(explained).toMatchObject({ code: 0, output: expect.stringContaining('✓ exactly what was sent') as string })
  expect(again.code).toBe(1)
  expect(again.errors).toContain(`already running on this data folder, at ${url}`)
  expect(denied.status).toBe(403)

  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  expect(existsSync(file)).toBe(false)
  expect(await runProcess(['threads'], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('What grows in the shade?') as string,
  })
})

test.each([
  [[], 'are refused until you name the host or address that they call: --allow-host <name>'],
  [['--allow-host', 'garden.example'], 'http://garden.example:{port}'],
])('serve that listens for other machines says what they can call: %j', async (words, says) => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ window: 4096 })
  const keys = JSON.stringify([{ name: 'phone', sha256: 'a'.repeat(64), scope: 'app' }])
  const serving = spawnCommand(
    ['serve', '--host', '0.0.0.0', '--port', '0', '--upstream', upstream.url, ...words],
    data.path,
    { MINUTEBOOK_KEYS: keys },
  )
  const started = await serving.shows('To stop: Ctrl-C.')
  const port = /Ollama clients\s+http:\/\/127\.0\.0\.1:(\d+)/.exec(started)?.[1] ?? ''
  expect(started).toContain(`Other machines     ${says.replace('{port}', port)}`)
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

test('serve says that an upstream answers, although it lists no models without a key', async () => {
  using data = dataFolder()
  const closed = createHttpServer((_, response) => void response.writeHead(401).end('{}'))
  await new Promise<void>((resolve) => void closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  const serving = spawnCommand(['serve', '--port', '0', '--upstream', `http://127.0.0.1:${port}`], data.path)
  expect(await serving.shows('To stop: Ctrl-C.')).toContain(
    `127.0.0.1:${port} answers, but needs a key to list its models (status 401); fine if clients send their own`,
  )
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  closed.close()
})

test('a server that is stopped before it has printed anything ends well', async () => {
  using data = dataFolder()
  const silent = createHttpServer(() => undefined)
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const serving = spawnCommand(['serve', '--port', '0', '--upstream', `http://127.0.0.1:${port}`], data.path)
  // It listens, and waits for what the upstream says of itself.
  await once(silent, 'connection')
  expect(serving.output()).toBe('')
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  silent.close()
  silent.closeAllConnections()
})

test('a server that was killed is noticed, its address removed, and the store read without it', async () => {
  using data = await gardenFolder()
  const serving = spawnCommand(['serve', '--port', '0', '--json'], data.path, {
    MINUTEBOOK_UPSTREAMS: 'http://127.0.0.1:9',
  })
  const { url } = JSON.parse(await serving.shows('\n')) as { url: string }
  serving.child.kill('SIGKILL')
  await serving.ended
  expect(readFileSync(join(data.path, 'server.json'), 'utf8')).toContain(url)
  const first = await runProcess(['threads'], data.path)
  expect(first).toMatchObject({
    code: 0,
    output: expect.stringContaining('garden') as string,
    errors: expect.stringContaining(`${url} is no longer running`) as string,
  })
  expect(existsSync(join(data.path, 'server.json'))).toBe(false)
  expect((await runProcess(['threads'], data.path)).errors).toBe('')
})

test('a port that another program has is told, with what to do', async () => {
  using data = dataFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, errors } = await runProcess(['serve', '--port', port], data.path)
  other.close()
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(new RegExp(`^✗ Another program already uses port ${port}.*--port`)) as string,
  })
})

test('who reads from us may stop at any time', async () => {
  using data = await longFolder()
  const exporting = spawnCommand(['export'], data.path)
  exporting.child.stdout?.destroy()
  expect(await exporting.ended).toBe(0)
  expect(exporting.errors()).toBe('')
})

test('Ctrl-C ends a chat that is piped in, and its gateway with it', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'word '.repeat(2000), delay: 10, window: 8192 })
  const chat = spawnCommand(['chat', '--upstream', upstream.url, 'go on'], data.path)
  await chat.shows('word word')
  chat.child.kill('SIGINT')
  expect(await chat.ended).toBe(1)
  expect(chat.errors()).toContain('(stopped)')
  expect(existsSync(join(data.path, 'server.json'))).toBe(false)
  expect((await runProcess(['show'], data.path)).output).toMatch(/model {7}word word[\s\S]*\(cancelled\)/)
})
