// Finding 15: whoever reads the log of a container finds a code in it that lets them in as the operator.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder } from '../support/data-folder.ts'
import { command, runProcess, spawnCommand } from '../support/process.ts'

test('a server that writes to no terminal prints no code, and says how to get one', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({})
  const serving = spawnCommand(['serve', '--port', '0', '--upstream', upstream.url], data.path)
  await serving.shows('To stop: Ctrl-C.')
  const { url, token } = JSON.parse(readFileSync(join(data.path, 'server.json'), 'utf8')) as {
    readonly url: string
    readonly token: string
  }
  const link = await runProcess(['console'], data.path)
  expect(link.output).toMatch(/#login=[\w-]{32}\n$/)
  serving.child.kill('SIGTERM')
  await serving.ended
  const printed = serving.output() + serving.errors()
  expect(printed).toContain(`${url}/console (for a link that logs you in: minutebook console)`)
  expect([printed.includes('login='), printed.includes(token)]).toEqual([false, false])
})

test('on a terminal it prints one, for the person who started it', async () => {
  using data = dataFolder()
  const { VITEST: _, NODE_OPTIONS: __, ...kept } = process.env
  const words = [process.execPath, ...command, 'serve', '--port', '0', '--upstream', 'http://127.0.0.1:9']
  const line = words.map((word) => `'${word}'`).join(' ')
  // Runs it on a terminal of its own.
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${line}`, '/dev/null'], {
    env: { ...kept, MINUTEBOOK_DATA: data.path, NO_COLOR: '1', COLUMNS: '200' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = once(child, 'close')
  await expect.poll(() => printed).toContain('To stop: Ctrl-C.')
  child.stdin.write('\u0003')
  await ended
  expect(printed).toMatch(/\/console#login=[\w-]{32} \(logs you in, once\)/)
})
