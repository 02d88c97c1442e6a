import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest'
import { user } from '@minutebook/testing'
import { strictUpstream, type StrictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import type { Cluster } from '../../support/postgres/cluster.ts'
import { clusterDatabase } from '../../support/postgres/cluster-database.ts'
import { testCluster } from '../../support/postgres/database.ts'
import type { Config, Running } from '../../../packages/server/src/index.ts'
import { paths, post, type Posted } from '../../../packages/server/test/gateway/support/post.ts'
import { gateway } from '../../support/server/gateway.ts'
import { judgeStore } from './kill/judgement.ts'
import { answerTo, keepAsking, type Asked, type Manner } from './kill/talker.ts'

/** How often Postgres is stopped and started again: STOPS=20 for a longer look. */
const stops = Number(process.env['STOPS'] ?? 2)
const wires = ['ollama', 'openai'] as const
const ends = { ollama: '"done":true', openai: '[DONE]' } as const
const manners: readonly Manner[] = [
  { client: 'openai', streams: true },
  { client: 'ollama', streams: true },
  { client: 'openai', streams: true },
  { client: 'ollama', streams: true },
  { client: 'openai', streams: false },
  { client: 'ollama', streams: false },
]

interface Scene {
  readonly cluster: Cluster
  readonly upstream: StrictUpstream
  readonly running: Running
}

/** A gateway whose record is in a Postgres of its own. */
async function scene(
  context: TestContext,
  options: StrictUpstreamOptions,
  settings: Partial<Config> = {},
): Promise<Scene> {
  const cluster = await testCluster(context, { version: 18, durable: false })
  const { url } = await clusterDatabase(cluster)
  const upstream = await strictUpstream(options)
  onTestFinished(() => upstream.close())
  return {
    cluster,
    upstream,
    running: await gateway({ database: url, upstreams: [{ url: upstream.url }], ...settings }),
  }
}

test(`Postgres stopped and started ${stops} times under both clients: what looked complete is on record, and everything goes on by itself`, async (context) => {
  const { cluster, upstream, running } = await scene(context, {
    delay: 5,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const asked: Asked[] = []
  let over = false
  const listener = { isOver: () => over, notice: () => undefined, tell: (each: Asked) => void asked.push(each) }
  const clients = manners.map((manner, number) => keepAsking(`client ${number}`, manner, running.url, listener))
  const wholeSince = (from: number): number =>
    new Set(
      asked
        .slice(from)
        .filter(({ isWhole }) => isWhole)
        .map(({ question }) => question.slice(question.lastIndexOf(' '))),
    ).size
  for (let count = 1; count <= stops; count++) {
    const before = asked.length
    await expect.poll(() => wholeSince(before)).toBe(manners.length)
    await pause(Math.random() * 300)
    await cluster.kill()
    await pause(300)
    const sent = upstream.requests.length
    for (const each of await probe(running.url, 'nobody hears this'))
      expect([each.status, each.headers['retry-after']]).toEqual([503, '1'])
    expect(upstream.requests.slice(sent).filter(({ text }) => text.includes('nobody hears'))).toEqual([])
    expect((await fetch(`${running.url}/readyz`)).status).toBe(503)
    await cluster.restart()
  }
  const before = asked.length
  await expect.poll(() => wholeSince(before)).toBe(manners.length)
  over = true
  await Promise.all(clients)

  const whole = asked.filter(({ isWhole }) => isWhole)
  const broken = asked.filter(({ isWhole, text }) => !isWhole && text !== '')
  const refused = asked.filter(({ isWhole, text }) => !isWhole && text === '')
  const judgement = await judgeStore(running.services.stores.of('default').store, asked)
  console.log(
    `Postgres stopped ${stops} times: ${asked.length} questions, ${whole.length} looked complete, of these not on record ${judgement.lost.length}; ${broken.length} streams ended with an error, ${refused.length} were refused`,
  )
  expect(judgement).toEqual({ early: [], lost: [], doubled: [], broken: [] })
  expect(broken.filter((each) => !isNotRecorded(each))).toEqual([])
  expect(refused.filter(({ error }) => error?.status !== 503)).toEqual([])
  // Of few stops none may fall into an answer. What happens then is tested by itself below.
  if (stops < 20) return
  expect(broken.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
}, 3_600_000)

describe.each(wires)('a stream of %s', (wire) => {
  const body = { model: 'strict', stream: true, messages: [user('Hello')] }

  test('whose store goes away ends with an error, and one whose store comes back in time is whole and on record', async (context) => {
    const { cluster, upstream, running } = await scene(context, { answer: 'one two three four', delay: 30 })
    const broken = post(running.url, paths[wire], body)
    await expect.poll(() => upstream.requests.some(({ path }) => path === paths[wire])).toBe(true)
    await cluster.kill()
    const { status, text } = await broken
    expect(status).toBe(200)
    expect(text).toContain('four')
    expect(text).not.toContain(ends[wire])
    expect(errorIn(text)).toEqual(
      wire === 'ollama'
        ? expect.stringContaining('could not be recorded')
        : expect.objectContaining({ code: 'answer_not_recorded', type: 'api_error' }),
    )
    await cluster.restart()

    let goOn = (): void => undefined
    const until = new Promise<void>((resolve) => (goOn = resolve))
    upstream.next({ delay: 30, pauseAfter: { chunks: 2, until } })
    const sent = upstream.requests.length
    const mended = post(running.url, paths[wire], { ...body, messages: [user('Hello again')] })
    await expect.poll(() => upstream.requests.slice(sent).some(({ path }) => path === paths[wire])).toBe(true)
    await cluster.kill()
    await cluster.restart()
    goOn()
    const { text: whole, headers } = await mended
    expect(whole).toContain(ends[wire])
    const log = await running.services.stores.of('default').store.read(String(headers['minutebook-thread']))
    expect(
      log.filter(({ kind }) => kind === 'user' || kind === 'assistant').map(({ status: of, text: said }) => [of, said]),
    ).toEqual([
      ['complete', 'Hello again'],
      ['complete', 'one two three four'],
    ])
  })

  test('goes through without a record where the settings say so, from its beginning or from its middle', async (context) => {
    const { cluster, upstream, running } = await scene(
      context,
      { answer: 'one two three four', delay: 30 },
      { onStoreFailure: 'pass' },
    )
    const begun = post(running.url, paths[wire], body)
    await expect.poll(() => upstream.requests.some(({ path }) => path === paths[wire])).toBe(true)
    await cluster.kill()
    expect((await begun).text).toContain(ends[wire])
    for (const each of await probe(running.url, 'Hello')) {
      expect([each.status, each.headers['minutebook-recorded']]).toEqual([200, 'no'])
      expect(each.text).toContain('four')
    }
    expect(running.services.metrics.text()).toContain('minutebook_unrecorded_total 5\n')
    await cluster.restart()
    expect((await post(running.url, paths[wire], body)).headers['minutebook-recorded']).toBe('yes')
    expect(running.services.metrics.text()).toContain('minutebook_unrecorded_total 5\n')
  })
})

/** A chat of each protocol, streamed and whole. */
function probe(url: string, question: string): Promise<Posted[]> {
  return Promise.all(
    wires.flatMap((wire) =>
      [true, false].map((stream) => post(url, paths[wire], { model: 'strict', stream, messages: [user(question)] })),
    ),
  )
}

/** What the last line or event of a stream says went wrong. */
function errorIn(text: string): unknown {
  return (JSON.parse(text.trim().split('\n').at(-1)!.replace('data: ', '')) as { error: unknown }).error
}

/** Whether the client was told in its own protocol why its stream ended. */
function isNotRecorded({ manner, error }: Asked): boolean {
  return manner.client === 'openai'
    ? error?.code === 'answer_not_recorded'
    : error?.message.includes('could not be recorded') === true
}
