import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { testDatabase } from '../../support/postgres/database.ts'
import { flawless, judge } from './team/judgement.ts'
import { answerTo, begin, talk, type Talked, type TalkerOptions } from './team/talker.ts'
import { startTeam } from './team/team.ts'
import { within } from '../../support/patience.ts'
import { tally } from '../../support/tally.ts'

const kills = Number(process.env['KILLS'] ?? 2)
const talkers = 8
/**
 * Milliseconds within which another instance goes on, at most: what is measured of the engine, and a restart of a
 * process beside it on two cores.
 */
const takeOver = Number(process.env['TAKE_OVER'] ?? within(4000))
const database = testDatabase()

test(`${kills} times kill -9 of one of two instances within native turns: nothing is lost or doubled, and every client has seen what is on record`, async () => {
  await using upstream = await strictUpstream({
    delay: 8,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const team = await startTeam({ database: database.url, upstream: upstream.url })
  onTestFinished(() => team.close())
  const [one, two] = team.instances
  const alive = new Set([one.url, two.url])
  const gaps: number[] = []
  let killedAt = 0
  let takenOver = 0
  /** Threads whose text came before the kill and has not gone on since. */
  const cut = new Map<string, number>()
  const lastText = new Map<string, number>()
  let streaming = 0

  const options: TalkerOptions = {
    address: (failed) => {
      const others = [...alive].filter((url) => url !== failed)
      return others[Math.floor(Math.random() * others.length)] ?? (failed === one.url ? two.url : one.url)
    },
    hear: ({ event }, thread) => {
      const now = performance.now()
      if (event === 'text') lastText.set(thread, now)
      if (event === 'end') lastText.delete(thread)
      if (event === 'reset' && cut.has(thread)) gaps.push(now - cut.get(thread)!)
      if (event === 'reset' || event === 'end') cut.delete(thread)
      streaming = lastText.size
    },
  }
  const talked: Talked[] = []
  let isOver = false
  const talking = Array.from({ length: talkers }, async (_, number) => {
    for (let turn = 0; !isOver; turn++) {
      const thread = `talker-${number}-${Math.floor(turn / 20)}`
      if (turn % 20 === 0) await begin(thread, options)
      talked.push(await talk(thread, `question ${turn} of talker ${number}`, options))
    }
  })
  // A kill may come when nothing is going on; a few must not.
  for (let count = 1; count <= kills || (gaps.length < 2 && count <= kills + 20); count++) {
    const done = talked.length
    for (let waited = 0; waited < within(20_000) && (talked.length < done + 4 || streaming < 3); waited += 5)
      await pause(5)
    await pause(Math.random() * 200)
    const victim = count % 2 === 0 ? one : two
    // Its next life counts from 0.
    takenOver += await takenOverBy(victim.url)
    alive.delete(victim.url)
    killedAt = performance.now()
    for (const [thread, at] of lastText) if (killedAt - at < 200) cut.set(thread, killedAt)
    await victim.kill()
    // The other must go on, and not the one that comes back.
    for (let waited = 0; waited < takeOver && cut.size > 0; waited += 20) await pause(20)
    await pause(300)
    await victim.start()
    alive.add(victim.url)
    if (count % 10 === 0) console.log(`${count} kills, ${talked.length} turns`)
  }
  isOver = true
  await Promise.all(talking)
  for (const { url } of [one, two]) takenOver += await takenOverBy(url)

  const sorted = gaps.toSorted((left, right) => left - right)
  const resets = talked.reduce((sum, each) => sum + each.resets, 0)
  console.log(
    `${kills} kills: ${talked.length} turns, ${resets} resets, ${takenOver} take-overs counted; from the kill to the reset: ${gaps.length} seen, p50 ${Math.round(sorted[gaps.length >> 1] ?? NaN)} ms, at most ${Math.round(sorted.at(-1) ?? NaN)} ms`,
  )
  const judged = await judge(database.pool, talked)
  expect(judged).toEqual(flawless)
  expect(talked.filter(({ status }) => status !== 'complete')).toEqual([])
  // Else the kills came when nothing was going on.
  expect(resets).toBeGreaterThan(kills / 2)
  expect(sorted.at(-1)).toBeLessThan(takeOver)
  expect(takenOver).toBeGreaterThanOrEqual(resets)
  tally('team-kill', {
    kills,
    turns: talked.length,
    lost: judged.lost.length,
    doubled: judged.doubled.length,
    'shown differently': judged.different.length,
    'taken over': takenOver,
    'p50 ms': Math.round(sorted[gaps.length >> 1]!),
    'at most ms': Math.round(sorted.at(-1)!),
  })
}, 3_600_000)

async function takenOverBy(url: string): Promise<number> {
  const counts = await (await fetch(`${url}/metrics`)).text()
  return Number(/^minutebook_turns_taken_over_total (\d+)$/m.exec(counts)?.[1])
}
