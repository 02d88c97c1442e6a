import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test } from 'vitest'
import { fromSources, root } from '../../tests/support/workshop.ts'
import { testDatabase } from '../../tests/support/postgres/database.ts'
import { program } from '../program.ts'

const database = testDatabase()
const answer = 'Because blue light is scattered more than red.'

/** Starts the program, and waits until it says something. */
async function started(
  task: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly said: string[] }> {
  const file = fileURLToPath(new URL('./relay.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', '--import', fromSources, file, task], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  child.stdout.on('data', (piece: Buffer) => said.push(String(piece)))
  await once(child.stdout, 'data')
  return { child, said }
}

test('the one who answers is killed: another goes on, and then ends in order', async () => {
  await using upstream = await strictUpstream({ answer: [answer, answer], window: 4096 })
  const settings = { DATABASE_URL: database.url, OLLAMA_HOST: upstream.url }
  const relay = program('relay', settings)
  const first = await started('work', settings)
  upstream.next({ stallAfter: 3 })
  const asking = relay('ask', 'Why is the sky blue?')
  while (upstream.requests.length === 0) await pause(20)
  const second = await started('work', settings)
  const follower = await started('follow', settings)
  const followed = once(follower.child, 'close')
  first.child.kill('SIGKILL')

  const shown = expect.stringMatching(new RegExp(`^Because.*\\n\\(another one goes on\\)\\n${answer}\\n$`)) as string
  expect(await asking).toEqual({ code: 0, stdout: shown, stderr: '' })
  expect([await followed, follower.said.join('')]).toEqual([[0, null], shown])
  expect(upstream.requests).toHaveLength(2)

  second.child.kill('SIGTERM')
  expect(await once(second.child, 'close')).toEqual([0, null])
  expect(second.said).toEqual(['at work\n'])
})
