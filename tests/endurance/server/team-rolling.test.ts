import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { deferred } from '../../support/deferred.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { eventsIn } from './team/events.ts'
import { flawless, judge } from './team/judgement.ts'
import { hasProxy, startProxy } from './team/proxy.ts'
import { startLoad } from './team/load.ts'
import { answerTo, begin, talk } from './team/talker.ts'
import { startTeam } from './team/team.ts'
import { tally } from '../../support/tally.ts'

const restarts = Number(process.env['RESTARTS'] ?? 2)
const database = testDatabase()

test(`${restarts} restarts of instances, one after the other, behind the proxy of deploy/ and under load: no request fails, and nothing is lost`, async (context) => {
  if (!hasProxy()) context.skip('haproxy is not installed here')
  await using upstream = await strictUpstream({
    delay: 40,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const team = await startTeam({
    database: database.url,
    upstream: upstream.url,
    environment: { MINUTEBOOK_DRAIN_NOTICE: '1500' },
  })
  onTestFinished(() => team.close())
  const proxy = await startProxy(team.instances)
  onTestFinished(() => proxy.close())

  const load = startLoad(proxy.url)
  for (let count = 0; count < restarts; count++) {
    await pause(1500)
    const instance = team.instances[count % 2 === 0 ? 0 : 1]
    await instance.stop()
    await instance.start()
    await proxy.sees(instance)
  }
  await pause(1000)
  const { talked, requests, complaints, moved, streams, unseen } = await load.finish()

  console.log(
    `${restarts} restarts: ${talked.length} turns, ${requests} other requests, ${complaints.length} failed; ${moved} streams were sent away and went on elsewhere, ${talked.reduce((sum, { resets }) => sum + resets, 0)} resets`,
  )
  expect(complaints).toEqual([])
  expect(unseen).toEqual([])
  // The one who looked on was sent away by each instance that closed.
  expect(streams).toBeGreaterThan(1)
  const judged = await judge(database.pool, talked)
  expect(judged).toEqual(flawless)
  expect(talked.length).toBeGreaterThan(restarts * 12)
  // Answers take longer than an instance that closes lets them: some were cut off, and no client saw more of it than
  // another stream.
  expect(moved).toBeGreaterThan(0)
  tally('team-rolling', {
    restarts,
    turns: talked.length,
    'other requests': requests,
    'requests that failed': complaints.length,
    lost: judged.lost.length,
    doubled: judged.doubled.length,
    'streams that went on elsewhere': moved,
  })
}, 900_000)

test('a turn that one instance runs is followed at the other, word by word', async () => {
  const followed = deferred<undefined>()
  await using upstream = await strictUpstream({
    delay: 40,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
    pauseAfter: { chunks: 5, until: followed.promise },
  })
  const team = await startTeam({ database: database.url, upstream: upstream.url })
  onTestFinished(() => team.close())
  const [one, two] = team.instances
  const thread = 'followed'
  await begin(thread, { address: () => one.url })
  const question = 'what is told twice?'
  const recorded = deferred<undefined>()
  const own = talk(thread, question, {
    address: () => one.url,
    hear: ({ event }) => event === 'recorded' && recorded.resolve(undefined),
  })
  await recorded.promise
  const pieces: { readonly at: number; readonly text: string }[] = []
  let answer: string | undefined
  const { body } = await fetch(`${two.url}/minutebook/v1/threads/${thread}/stream?until=rest`)
  for await (const { event, data } of eventsIn(body!)) {
    if (event === 'text') {
      followed.resolve(undefined)
      pieces.push({ at: performance.now(), text: String(data['text']) })
    }
    if (event === 'entry' && data['kind'] === 'assistant') answer = String(data['text'])
  }
  expect(answer).toBe(answerTo(question))
  expect((await own).shown).toBe(answer)
  expect(answer?.startsWith(pieces.map(({ text }) => text).join(''))).toBe(true)
  // As it was written, and not all of it at the end.
  expect(pieces.length).toBeGreaterThan(10)
  expect(pieces.at(-1)!.at - pieces[0]!.at).toBeGreaterThan(500)
})
