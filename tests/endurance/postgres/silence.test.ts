import { setTimeout as pause } from 'node:timers/promises'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { clusterDatabase } from '../../support/postgres/cluster-database.ts'
import { testCluster } from '../../support/postgres/database.ts'
import { testNetwork } from '../../support/postgres/network.ts'
import { within } from '../../support/patience.ts'
import { gateway } from '../../support/server/gateway.ts'
import { native, type Native } from '../../support/server/native.ts'

/** SILENCES=5 for a longer look, with the limits that a server has by default: LIMIT=10000 (milliseconds). */
const silences = Number(process.env['SILENCES'] ?? 1)
const limit = Number(process.env['LIMIT'] ?? within(500))

/** A connection is given up this long after the limit of a statement. */
const grace = 2500
/** For a connection to be made. */
const connecting = 5000
/** Within which everything must go on again by itself. */
const recovery = 30_000

test(`a primary that falls silent ${silences} times under two instances: no request hangs, no acknowledged turn is lost, and all goes on by itself`, async (context) => {
  const { network, cluster, apps, states, settled } = await scene(context)
  const longest = connecting + 2 * (limit + grace) + within(2000)
  const rows: object[] = []
  for (let count = 1; count <= silences; count++) {
    const stop = keepSending(apps, `silence-${count}`)
    await expect.poll(async () => (await settled(stop.acknowledged)).length).toBeGreaterThan(3)
    network.silence(cluster.port)
    const silent = performance.now()
    await expect.poll(() => states.map(({ status }) => status), { interval: 50 }).toEqual([503, 503])
    const noticed = performance.now() - silent
    await pause(500)
    expect(states.map(({ status }) => status)).toEqual([503, 503])

    network.answerNewConnections(cluster.port)
    const answers = performance.now()
    const sent = await stop.end()
    await expect.poll(() => states.map(({ status }) => status), { interval: 50 }).toEqual([200, 200])
    const ready = performance.now() - answers
    const missing = async (): Promise<number> => sent.length - (await settled(sent)).length
    await expect.poll(missing, { interval: 100 }).toBe(0)
    const answered = performance.now() - answers
    // Each instance takes up work again: both are asked until each has run something.
    await Promise.all(
      apps.map(async (app, index) => {
        const stopAgain = keepSending([app], `after-${count}-${index}`)
        await expect.poll(async () => (await settled(stopAgain.acknowledged)).length).toBeGreaterThan(2)
        await stopAgain.end()
      }),
    )
    rows.push({
      acknowledged: sent.length,
      'longest request (ms)': Math.round(stop.longest()),
      'readyz 503 after (ms)': Math.round(noticed),
      'readyz 200 after (ms)': Math.round(ready),
      'all turns answered after (ms)': Math.round(answered),
    })
    expect(stop.longest()).toBeLessThan(longest)
    expect(Math.max(ready, answered)).toBeLessThan(within(recovery))
  }
  console.table(rows)
})

interface Readiness {
  status: number
  body: unknown
}

/** Two instances on a Postgres that lives in a network of its own. */
async function scene(context: TestContext) {
  const network = testNetwork(context)
  const cluster = await testCluster(context, { version: 15, durable: false, network })
  const { url } = await clusterDatabase(cluster)
  const upstream = await strictUpstream({ answer: 'one two three', delay: 20 })
  onTestFinished(() => upstream.close())
  const settings = {
    database: url,
    upstreams: [{ url: upstream.url }],
    defaultModel: 'strict',
    databaseTimeout: limit,
  }
  const instances = [await gateway(settings), await gateway(settings)]
  const states = instances.map((): Readiness => ({ status: 0, body: undefined }))
  const over = new AbortController()
  const watching = instances.map(async (instance, index) => {
    while (!over.signal.aborted) {
      const response = await fetch(`${instance.url}/readyz`)
      Object.assign(states[index]!, { status: response.status, body: await response.json() })
      await pause(50)
    }
  })
  onTestFinished(async () => {
    over.abort()
    await Promise.all(watching)
  })
  const { store } = instances[0]!.services.stores.of('default')
  return {
    network,
    cluster,
    states,
    apps: instances.map((instance) => native(instance.url, instance.token)),
    /** Which of these threads have an answer. */
    settled: async (threads: readonly string[]): Promise<string[]> => {
      const found = await Promise.all(
        threads.map(async (thread) => ((await isAnswered(thread).catch(() => false)) ? thread : undefined)),
      )
      return found.filter((thread) => thread !== undefined)
    },
  }

  async function isAnswered(thread: string): Promise<boolean> {
    return (await store.read(thread, { last: 20 })).some(
      ({ kind, text }) => kind === 'assistant' && text === 'one two three',
    )
  }
}

/** Sends turns on new threads, each instance one after the other, until it is ended. */
function keepSending(apps: readonly Native[], name: string) {
  const acknowledged: string[] = []
  let [isOver, longest] = [false, 0]
  const timed = async (asking: Promise<{ readonly status: number }>): Promise<number> => {
    const began = performance.now()
    const { status } = await asking
    longest = Math.max(longest, performance.now() - began)
    return status
  }
  const senders = apps.map(async (app, index) => {
    for (let count = 0; !isOver; count++) {
      const thread = `${name}-${index}-${count}`
      const path = `/threads/${encodeURIComponent(thread)}/turns`
      if ((await timed(app.ask('POST', '/threads', { thread }))) < 300)
        if ((await timed(app.ask('POST', path, { message: 'Count.', id: 'one' }))) === 202) acknowledged.push(thread)
      await pause(50)
    }
  })
  return {
    acknowledged,
    longest: () => longest,
    end: async (): Promise<readonly string[]> => {
      isOver = true
      await Promise.all(senders)
      return acknowledged
    },
  }
}
