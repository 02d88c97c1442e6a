import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '@minutebook/postgres'
import { visible, type Book, type Thread } from 'minutebook'
import { expect, test } from 'vitest'
import { within } from '../../../tests/support/patience.ts'
import { createViewer, type Viewer } from '../../../tests/support/viewer.ts'
import { crashClient } from '../../../tests/support/postgres/crash-client.ts'
import { crashFleet } from '../../../tests/support/postgres/crash-fleet.ts'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { traceTable } from '../../../tests/support/postgres/trace.ts'

const kills = Number(process.env['KILLS'] ?? 3)
/** A kill between two answers shows no reset: it is killed on until one was seen, so many times at most. */
const mostKills = Math.max(kills, 40)
const threads = 4

const database = testDatabase({ prepare: async (pool) => [await migrate(pool), await pool.query(traceTable)] })

test(
  `${kills} times kill -9 or more in the middle of turns: who watches, leaves and comes back elsewhere has every entry once, and the text of the log`,
  async () => {
    const fleet = await crashFleet(2, database.url, 40)
    const fronts = [await crashClient(database.url), await crashClient(database.url)]
    const leaving = new AbortController()
    let over = false
    const load = Array.from({ length: threads }, async (_, number) => {
      for (let count = 0; !over; count++)
        expect(
          (await fronts[count % 2]!.thread(`t${number}`).send(`message ${count}`, { id: `message ${count}` }).done)
            .status,
        ).toBe('complete')
      return fronts[0]!.thread(`t${number}`)
    })
    const viewers = Array.from({ length: threads }, (_, number) =>
      [false, true].map((isRestless) => ({ number, isRestless, viewer: createViewer() })),
    ).flat()
    const watching = viewers.map(({ number, isRestless, viewer }) =>
      watch(viewer, fronts, `t${number}`, isRestless, leaving.signal),
    )
    const resets = (): number => viewers.reduce((sum, { viewer }) => sum + viewer.resets, 0)
    let killed = 0
    for (; killed < kills || (resets() === 0 && killed < mostKills); killed++) {
      await pause(400 + Math.random() * 800)
      if (fleet.instances.size < 2) await fleet.ready()
      fleet.replace([...fleet.instances.keys()][Math.floor(Math.random() * fleet.instances.size)]!)
    }
    await fleet.ready()
    over = true
    const logs = await Promise.all((await Promise.all(load)).map(logOf))
    await expect
      .poll(() =>
        viewers.every(({ number, viewer }) => viewer.isResting && viewer.entries.length >= logs[number]!.length),
      )
      .toBe(true)
    leaving.abort()
    await Promise.all(watching)
    for (const { number, viewer } of viewers) {
      expect(viewer.complaints).toEqual([])
      expect(viewer.entries).toEqual(logs[number])
    }
    const seen = viewers.flatMap(({ viewer }) => viewer.seen)
    console.log(
      `${killed} kills, ${logs.flat().length} entries, ${seen.filter(({ type }) => type === 'text').length} pieces, ${resets()} resets`,
    )
    expect(resets()).toBeGreaterThan(0)
  },
  within(600_000),
)

test('a stream is followed from the other instance, piece by piece', async () => {
  const [worker, front] = [await crashFleet(1, database.url, 400), await crashClient(database.url)]
  await worker.ready()
  const viewer = createViewer()
  const leaving = new AbortController()
  const watching = viewer.watch(front.thread('live'), { signal: leaving.signal })
  await front.thread('live').send('hello').done
  await expect.poll(() => viewer.isResting && viewer.entries.length === 5).toBe(true)
  leaving.abort()
  await watching
  expect(viewer.complaints).toEqual([])
  expect(viewer.resets).toBe(0)
  const pieces = viewer.seen.flatMap((event) => (event.type === 'text' ? [event.text] : []))
  expect(pieces.join('')).toBe('Let me look.Answer to hello')
  expect(pieces.length).toBeGreaterThan(2)
})

/** Watches until the signal aborts. The restless leave after a few events, and come back on the other instance. */
async function watch(
  viewer: Viewer,
  fronts: readonly Book[],
  thread: string,
  isRestless: boolean,
  signal: AbortSignal,
): Promise<void> {
  for (let time = 0; !signal.aborted; time++) {
    await viewer.watch(fronts[time % 2]!.thread(thread), {
      signal,
      ...(isRestless && { leaveAt: 1 + Math.floor(Math.random() * 12) }),
    })
    if (isRestless) await pause(Math.random() * 200)
  }
}

async function logOf(thread: Thread): Promise<ReturnType<typeof visible>> {
  expect(await thread.verify()).toMatchObject({ ok: true })
  return visible(await thread.entries())
}
