import { sqliteStore } from '@minutebook/sqlite'
import { expect, test } from 'vitest'
import { asUndisturbed } from '../../support/experiment/as-undisturbed.ts'
import { evidenceOf } from '../../support/experiment/evidence.ts'
import { runName } from '../../support/experiment/doomed-instance.ts'
import { killPlan, missedIn } from '../../support/experiment/kill-plan.ts'
import { provingGround, type ProvingGround } from '../../support/experiment/proving-ground.ts'
import { judgeShop, shopPlan } from '../../support/experiment/shop-judgement.ts'
import { startScript } from '../../support/process/script-of-test.ts'
import { within } from '../../support/patience.ts'
import { temporaryFolder } from '../../support/sqlite/folder.ts'

const kills = Number(process.env['KILLS'] ?? 6)
const steps = kills < 20 ? 12 : 30
const pathOf = temporaryFolder()
/** Milliseconds after which a run that does not go on never will. */
const patience = within(40_000)

/** Starts a process again and again until the run is over; how many died. */
async function playOut(file: string, { folder }: ProvingGround): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    const { process: child, ended, lines } = startScript('sqlite/experiment-instance.ts', file, folder)
    const said: string[] = []
    let idle = setTimeout(() => undefined, 0)
    // It says something whenever the run goes on.
    const alive = (): void => {
      clearTimeout(idle)
      idle = setTimeout(() => [said.push('the run stands still'), child.kill('SIGKILL')], patience)
    }
    alive()
    for await (const line of lines) {
      alive()
      if (line.startsWith('error')) said.push(line)
    }
    await ended
    clearTimeout(idle)
    expect(said).toEqual([])
    if (child.signalCode !== 'SIGKILL') {
      expect(child.exitCode).toBe(0)
      return deaths
    }
  }
}

test(`${kills} times kill -9 of the process that runs an experiment of ${steps} steps, and started again: the run is as if nothing had happened`, async () => {
  const ground = await provingGround('market', steps, killPlan(kills, steps), 'ollama')
  const file = pathOf('market.db')
  const deaths = await playOut(file, ground)
  expect(missedIn(ground.folder)).toEqual([])
  expect(deaths).toBe(kills)
  using store = sqliteStore(file)
  const { answers, calls } = await asUndisturbed(store, runName, ground)
  console.log(`${deaths} kills in ${steps} steps: ${answers} answers, ${calls} model calls`)
}, 3_600_000)

test('a tool that may not run again is interrupted by a kill, and the run goes on', async () => {
  const ground = await provingGround('shop', 8, shopPlan)
  const file = pathOf('shop.db')
  expect(await playOut(file, ground)).toBe(shopPlan.length)
  using store = sqliteStore(file)
  const found = judgeShop(await evidenceOf(store, runName, ground.experiment), ground.shipped())
  // All of them were sent before the kill or not: nobody can tell, and so nobody sends them again.
  expect(found).toEqual({
    status: 'limit',
    twice: [],
    interrupted: found.interrupted,
    told: ['interrupted'],
    unsent: [],
    counted: [16 - found.interrupted, 16 - found.interrupted],
    incomplete: 0,
    turns: 16,
  })
  expect(found.interrupted).toBeGreaterThanOrEqual(shopPlan.length)
}, 3_600_000)
