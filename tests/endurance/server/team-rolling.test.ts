import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { createClient, createView } from '../../../packages/client/src/index.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { eventsIn } from './team/events.ts'
import { flawless, judge } from './team/judgement.ts'
import { hasProxy, startProxy } from './team/proxy.ts'
import { answerTo, begin, talk, type Talked } from './team/talker.ts'
import { startTeam } from './team/team.ts'
import { tally } from '../../support/tally.ts'

const restarts = Number(process.env['RESTARTS'] ?? 2)
const talkers = 12
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

  const complaints: string[] = []
  const options = { address: () => proxy.url, complain: (what: string) => void complaints.push(what) }
  const talked: Talked[] = []
  let requests = 0
  let isOver = false
  const talking = Array.from({ length: talkers }, async (_, number) => {
    for (let turn = 0; !isOver; turn++) {
      const thread = `roller-${number}-${Math.floor(turn / 20)}`
      if (turn % 20 === 0) await begin(thread, options)
      talked.push(await talk(thread, `question ${turn} of roller ${number}`, options))
    }
  })
  const looking = (async () => {
    for (; !isOver; requests++) {
      const response = await fetch(`${proxy.url}/minutebook/v1/threads?limit=5`).catch((error: unknown) => ({
        ok: false,
        status: String(error),
        text: async () => '',
      }))
      if (!response.ok) complaints.push(`threads answered ${response.status}`)
      await response.text().catch((error: unknown) => void complaints.push(`a list broke off: ${String(error)}`))
      await pause(10)
    }
  })()
  // Two who look on all the time: one who complains of every stream that does not end as it should, and our own client.
  const left = new AbortController()
  const watching = watch(proxy.url, 'roller-0-0', left.signal, (what) => void complaints.push(what))
  const view = createView()
  const viewing = (async () => {
    while (!talked.some(({ thread }) => thread === 'roller-1-0')) await pause(20)
    for await (const event of createClient({ url: proxy.url }).follow('roller-1-0', {
      from: '0.0.0',
      signal: left.signal,
    }))
      view.take(event)
  })()
  for (let count = 0; count < restarts; count++) {
    await pause(1500)
    const instance = team.instances[count % 2 === 0 ? 0 : 1]
    await instance.stop()
    await instance.start()
    await proxy.sees(instance)
  }
  await pause(1000)
  isOver = true
  await Promise.all([...talking, looking])
  await pause(500)
  left.abort()
  const watched = await watching
  await viewing
  const entriesOf = async (thread: string): Promise<string[]> => {
    const { entries } = (await (await fetch(`${proxy.url}/minutebook/v1/threads/${thread}/entries`)).json()) as {
      readonly entries: readonly { readonly id: string }[]
    }
    return entries.map(({ id }) => id)
  }

  const moved = talked.filter(({ tries }) => tries > 1).length
  console.log(
    `${restarts} restarts: ${talked.length} turns, ${requests} other requests, ${complaints.length} failed; ${moved} streams were sent away and went on elsewhere, ${talked.reduce((sum, { resets }) => sum + resets, 0)} resets`,
  )
  expect(complaints).toEqual([])
  expect(watched.entries).toEqual(await entriesOf('roller-0-0'))
  expect(view.entries.map(({ id }) => id)).toEqual(await entriesOf('roller-1-0'))
  // It was sent away by each instance that closed while it looked on.
  expect(watched.streams).toBeGreaterThan(1)
  const judged = await judge(database.pool, talked)
  expect(judged).toEqual(flawless)
  expect(talked.length).toBeGreaterThan(restarts * talkers)
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

interface Watched {
  /** The ids that it was told, in order. */
  readonly entries: readonly string[]
  readonly streams: number
}

/** Looks on from the beginning of a thread, and comes again with its position whenever a stream ends. */
async function watch(
  url: string,
  thread: string,
  signal: AbortSignal,
  complain: (what: string) => void,
): Promise<Watched> {
  const entries: string[] = []
  let [position, streams] = ['0.0.0', 0]
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}/minutebook/v1/threads/${thread}/stream?from=${position}`, { signal })
      // The thread is made by another.
      if (response.status === 404) await pause(50)
      else if (!response.ok) complain(`a stream answered ${response.status}`)
      else streams++
      if (!response.ok || !response.body) continue
      for await (const { id, event, data } of eventsIn(response.body)) {
        if (event === 'entry') entries.push(String(data['id']))
        if (id !== '') position = id
      }
    } catch (error) {
      if (!signal.aborted) complain(`a stream broke off: ${String(error)}`)
    }
  }
  return { entries, streams }
}

test('a turn that one instance runs is followed at the other, word by word', async () => {
  await using upstream = await strictUpstream({
    delay: 40,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const team = await startTeam({ database: database.url, upstream: upstream.url })
  onTestFinished(() => team.close())
  const [one, two] = team.instances
  const thread = 'followed'
  await begin(thread, { address: () => one.url })
  const question = 'what is told twice?'
  const own = talk(thread, question, { address: () => one.url })
  const pieces: { readonly at: number; readonly text: string }[] = []
  let answer: string | undefined
  for (let waited = 0; answer === undefined && waited < 50; waited++) {
    const { body } = await fetch(`${two.url}/minutebook/v1/threads/${thread}/stream?until=rest`)
    for await (const { event, data } of eventsIn(body!)) {
      if (event === 'text') pieces.push({ at: performance.now(), text: String(data['text']) })
      if (event === 'entry' && data['kind'] === 'assistant') answer = String(data['text'])
    }
    await pause(20)
  }
  expect(answer).toBe(answerTo(question))
  expect((await own).shown).toBe(answer)
  expect(answer?.startsWith(pieces.map(({ text }) => text).join(''))).toBe(true)
  // As it was written, and not all of it at the end.
  expect(pieces.length).toBeGreaterThan(10)
  expect(pieces.at(-1)!.at - pieces[0]!.at).toBeGreaterThan(500)
})
