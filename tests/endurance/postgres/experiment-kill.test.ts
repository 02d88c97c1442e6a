import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore } from '@minutebook/postgres'
import { isOver, openExperiments, standingOf, type RunEvent } from '@minutebook/experiment/run'
import { localQueue, openBook, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { expect, test } from 'vitest'
import { runName } from '../../support/experiment/doomed-instance.ts'
import { asUndisturbed } from '../../support/experiment/as-undisturbed.ts'
import { evidenceOf } from '../../support/experiment/evidence.ts'
import { killPlan, missedIn } from '../../support/experiment/kill-plan.ts'
import { provingGround, type ProvingGround } from '../../support/experiment/proving-ground.ts'
import { judgeShop, shopPlan } from '../../support/experiment/shop-judgement.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { startPhoenix } from './support/phoenix.ts'
import { within } from '../../support/patience.ts'

const kills = Number(process.env['KILLS'] ?? 4)
const steps = kills < 20 ? 12 : 30
/** Milliseconds after which a run that does not go on never will. */
const patience = within(40_000)
const database = testDatabase({ prepare: (pool) => migrate(pool) })

/** Two instances play until the run is over; those that die are replaced. How many died. */
async function playOut(url: string, store: Store, { folder, experiment }: ProvingGround): Promise<number> {
  const phoenix = startPhoenix(2, 'postgres/experiment-instance.ts', url, folder)
  const queue = localQueue(store)
  const experiments = openExperiments({
    store,
    queue,
    book: openBook({ store, queue, clock: systemClock }),
    clock: systemClock,
    experiment: () => experiment,
    thread: () => ({}),
  })
  const events = (): Promise<readonly RunEvent[]> =>
    experiments
      .run(runName)
      .events()
      .catch(() => [])
  let [length, since] = [0, performance.now()]
  while (phoenix.errors.length === 0 && performance.now() - since < patience) {
    const found = await events()
    if (isOver(standingOf(found).status)) break
    if (found.length > length) [length, since] = [found.length, performance.now()]
    await pause(200)
  }
  phoenix.end()
  expect(phoenix.errors).toEqual([])
  expect(performance.now() - since, 'milliseconds in which the run stood still').toBeLessThan(patience)
  return phoenix.deaths()
}

test(`${kills} times kill -9 of one of two instances that run an experiment of ${steps} steps: the run is as if nothing had happened`, async () => {
  const ground = await provingGround('market', steps, killPlan(kills, steps))
  const fresh = await database.fresh()
  const store = postgresStore(fresh.pool)
  const deaths = await playOut(fresh.url, store, ground)
  expect(missedIn(ground.folder)).toEqual([])
  expect(deaths).toBe(kills)
  const { answers, calls } = await asUndisturbed(store, runName, ground)
  console.log(`${deaths} kills in ${steps} steps: ${answers} answers, ${calls} model calls`)
}, 3_600_000)

test('a tool that may not run again is interrupted by a kill, and the run goes on elsewhere', async () => {
  const ground = await provingGround('shop', 8, shopPlan)
  const fresh = await database.fresh()
  const store = postgresStore(fresh.pool)
  expect(await playOut(fresh.url, store, ground)).toBe(shopPlan.length)
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
