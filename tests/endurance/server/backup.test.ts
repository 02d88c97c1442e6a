import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { startChild, type Child } from '../../support/process/child.ts'
import { within } from '../../support/patience.ts'
import { fromSources, root, run, type Outcome } from '../../support/workshop.ts'
import { gatewayCommand } from './kill/command.ts'
import { judge } from './kill/judgement.ts'
import { answerTo, keepAsking, type Asked, type Manner } from './kill/talker.ts'

const flawless = { early: [], lost: [], doubled: [], broken: [] }
const manners: readonly Manner[] = [
  { client: 'openai', streams: true },
  { client: 'ollama', streams: true },
  { client: 'openai', streams: false },
  { client: 'ollama', streams: false },
]

/** The command, in a process of its own. */
function minutebook(...args: readonly string[]): Promise<Outcome> {
  return run(process.execPath, ['--no-warnings', '--import', fromSources, 'packages/cli/src/main.ts', ...args], root)
}

test('a restore drill: a server is backed up under load, killed and lost with its folder, and another one goes on with the copy', async () => {
  const place = mkdtempSync(join(tmpdir(), 'minutebook-drill-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  await using upstream = await strictUpstream({
    delay: 2,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const start = async (folder: string): Promise<Child> => {
    const child = await startChild({
      command: gatewayCommand(),
      folder,
      environment: { MINUTEBOOK_UPSTREAMS: upstream.url },
    })
    onTestFinished(() => void child.process.kill('SIGKILL'))
    return child
  }

  const first = join(place, 'first')
  const gateway = await start(first)
  const asked: Asked[] = []
  let isOver = false
  const listener = { isOver: () => isOver, tell: (each: Asked) => void asked.push(each), notice: () => undefined }
  const clients = manners.map((manner, number) => keepAsking(`client ${number}`, manner, gateway.url, listener))
  const whole = (): readonly Asked[] => asked.filter(({ isWhole }) => isWhole)
  const until = async (count: number): Promise<void> => {
    for (let waited = 0; waited < within(120_000) && whole().length < count; waited += 20) await pause(20)
  }

  await until(40)
  const before = whole()
  const backup = join(place, 'backup.db')
  const copied = await minutebook('backup', first, backup, '--json')
  expect(copied).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(copied.stdout)).toMatchObject({ ok: true })
  // It is no backup of a server that rests.
  const during = whole().length - before.length
  await until(whole().length + 10)
  // What a plain copy of the file would be, unless all was written into it just then.
  const plain = join(place, 'plain.db')
  let lost = 0
  for (let tries = 0; lost === 0 && tries < 20; tries++) {
    const seen = whole()
    copyFileSync(join(first, 'minutebook.db'), plain)
    lost = await judge(plain, seen).then(
      (judged) => judged.lost.length,
      () => 1,
    )
    // More is answered before the next try.
    await pause(20)
  }
  await gateway.kill()
  isOver = true
  await Promise.all(clients)
  rmSync(first, { recursive: true })

  // As docs/operate/backup.md says.
  const second = join(place, 'second')
  mkdirSync(second)
  copyFileSync(backup, join(second, 'minutebook.db'))
  expect(await minutebook('verify', '--all', '--data', second)).toMatchObject({ code: 0 })
  const restored = await start(second)
  const later: Asked[] = []
  await keepAsking('a client after the restore', manners[0]!, restored.url, {
    isOver: () => later.length > 0,
    tell: (each) => void later.push(each),
    notice: () => undefined,
  })
  expect(later).toMatchObject([{ isWhole: true }])
  await restored.stop()

  console.log(
    `${before.length} answers before the backup, ${during} while it was made, ${whole().length} until the kill`,
  )
  expect([before.length >= 40, during > 0]).toEqual([true, true])
  expect(await judge(join(second, 'minutebook.db'), [...before, ...later])).toEqual(flawless)
  // The newest answers are not in the file alone.
  expect(lost).toBeGreaterThan(0)
}, 3_600_000)
