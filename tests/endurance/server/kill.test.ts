import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { startChild, type Child } from '../../support/process/child.ts'
import { gatewayCommand } from './kill/command.ts'
import { judge } from './kill/judgement.ts'
import { answerTo, keepAsking, type Asked, type Listener, type Manner, type Moment } from './kill/talker.ts'
import { within } from '../../support/patience.ts'
import { freePort } from '../../support/postgres/cluster-port.ts'
import { tally } from '../../support/tally.ts'

const kills = Number(process.env['KILLS'] ?? 3)
const manners: readonly Manner[] = [
  { client: 'openai', streams: true },
  { client: 'ollama', streams: true },
  { client: 'openai', streams: true },
  { client: 'ollama', streams: true },
  { client: 'openai', streams: false },
  { client: 'ollama', streams: false },
]

test(`${kills} times kill -9 of the gateway under load: whatever looked complete is on record, and no early end looked complete`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await using upstream = await strictUpstream({
    delay: 2,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const port = await freePort()
  const start = (): Promise<Child> =>
    startChild({
      command: gatewayCommand(),
      folder,
      environment: { MINUTEBOOK_PORT: String(port), MINUTEBOOK_UPSTREAMS: upstream.url },
    })
  let gateway = await start()
  onTestFinished(() => void gateway.process.kill('SIGKILL'))

  const asked: Asked[] = []
  let over = false
  let aim: Moment | undefined
  let hit: (() => void) | undefined
  const listener: Listener = {
    isOver: () => over,
    tell: (each) => void asked.push(each),
    notice: (moment) => {
      if (moment !== aim) return
      gateway.process.kill('SIGKILL')
      aim = undefined
      hit?.()
    },
  }
  const clients = manners.map((manner, number) =>
    keepAsking(`client ${number}`, manner, `http://127.0.0.1:${port}`, listener),
  )
  const brokenOff = (): number => asked.filter(({ text, isWhole }) => !isWhole && text !== '').length
  // On a busy machine a kill may come when nothing is going on: then there is one more.
  for (let count = 1; count <= kills || (brokenOff() <= kills / 2 && count <= 10 * kills); count++) {
    const before = asked.length
    // A third at any time, a third within an answer, a third when a client has just seen the end of one.
    const chosen = ([undefined, 'piece', 'end'] as const)[count % 3]
    await settled(() => asked.slice(before).filter(({ isWhole }) => isWhole).length > (count % 2) * manners.length)
    await pause(Math.random() * 300)
    if (chosen !== undefined)
      await Promise.race([
        new Promise<void>((resolve) => void ((hit = resolve), (aim = chosen))),
        pause(within(60_000), undefined, { ref: false }),
      ])
    await gateway.kill()
    gateway = await start()
    if (count % 10 === 0) console.log(`${count} kills, ${asked.length} questions`)
  }
  over = true
  await Promise.all(clients)
  await gateway.stop()

  const broken = brokenOff()
  const whole = asked.filter(({ isWhole }) => isWhole).length
  console.log(`${kills} kills: ${asked.length} questions, ${whole} looked complete, ${broken} broke off in the middle`)
  const judged = await judge(join(folder, 'minutebook.db'), asked)
  expect(judged).toEqual({ early: [], lost: [], doubled: [], broken: [] })
  // Else the kills came when nothing was going on.
  expect(whole).toBeGreaterThan(kills)
  expect(broken).toBeGreaterThan(kills / 2)
  tally('gateway-kill', {
    kills,
    questions: asked.length,
    'answers that looked complete': whole,
    'of these, not recorded': judged.lost.length,
    doubled: judged.doubled.length,
    'broke off within': broken,
    'of these, looked complete': judged.early.length,
  })
}, 3_600_000)

/** Waits for something, but not for ever: a kill at a bad moment is a kill too. */
async function settled(isSo: () => boolean): Promise<void> {
  for (let waited = 0; waited < within(60_000) && !isSo(); waited += 10) await pause(10)
}
