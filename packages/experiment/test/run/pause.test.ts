import type { Model } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { defineExperiment, type Run } from '@minutebook/experiment/run'
import { scriptedModel } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { laboratory, over, type Laboratory } from '../../../../tests/support/experiment/laboratory.ts'
import { hastyClock } from './support/hasty-clock.ts'

const trying = defineExperiment({
  name: 'trying',
  environment: {},
  participants: { ann: { model: { name: 'm' } } },
  limits: { rounds: 1, errors: 8 },
})

interface Bench extends Laboratory {
  /** How many seconds it has waited between attempts, or was about to. */
  seconds(): number
  /** How often the model was asked. */
  asked(): number
}

/** Ann's model fails as many times as `failures` says. Each wait of a second or more awaits `on`. */
async function benchOf(failures: number, on: (seconds: number) => Promise<void> | undefined = () => undefined) {
  let [seconds, asked] = [0, 0]
  const clock: Clock = {
    ...hastyClock,
    after: async (milliseconds, signal) => {
      if (milliseconds >= 1000) await on((seconds += milliseconds / 1000))
      await hastyClock.after(milliseconds, signal)
    },
  }
  const scripted = scriptedModel([...Array.from({ length: failures }, () => new Error('away')), 'Here I am.'])
  const model: Model = async function* (request) {
    asked++
    yield* scripted(request)
  }
  const lab = await laboratory([trying], () => model, { clock, onError: () => undefined })
  return { ...lab, seconds: () => seconds, asked: () => asked } satisfies Bench
}

/** Gives a command in the middle of the third pause, of four seconds. */
async function inPause(command: (run: Run) => Promise<void>): Promise<{ readonly bench: Bench; readonly run: Run }> {
  let reach = (): void => undefined
  let release = (): void => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const bench = await benchOf(3, (seconds) => {
    if (seconds < 5) return undefined
    reach()
    return released
  })
  const run = await bench.experiments.begin('one', trying)
  await reached
  await command(run)
  release()
  return { bench, run }
}

test('the pause between attempts doubles up to half a minute, and begins at its shortest again after a retry', async () => {
  const bench = await benchOf(12)
  expect((await bench.play('one', trying)).status).toBe('error')
  expect(bench.seconds()).toBe(1 + 2 + 4 + 8 + 16 + 30 + 30)
  const run = bench.experiments.run('one')
  await run.retry()
  expect((await over(run)).status).toBe('limit')
  expect(bench.seconds()).toBe(91 + 1 + 2 + 4 + 8)
  await bench.close()
})

test('a run that is stopped between attempts ends within a second, and can be tried again', async () => {
  const { bench, run } = await inPause((each) => each.stop())
  expect((await over(run)).status).toBe('stopped')
  expect([bench.asked(), bench.seconds()]).toEqual([3, 5])
  await run.retry()
  expect(await over(run)).toMatchObject({ status: 'limit', rounds: [{ cells: [{ text: 'Here I am.' }] }] })
  await bench.close()
})

test('a run that is paused between attempts makes no other until it is resumed', async () => {
  const { bench, run } = await inPause((each) => each.pause())
  await expect.poll(() => bench.seconds()).toBe(5)
  await bench.close()
  expect([bench.asked(), bench.seconds(), (await run.board()).status]).toEqual([3, 5, 'paused'])
})
