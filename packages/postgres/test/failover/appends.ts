import { setTimeout as pause } from 'node:timers/promises'
import { postgresStore, type PostgresStore } from '@minutebook/postgres'
import { Pool } from 'pg'
import type { Group } from './group.ts'
import { hasSameLogs, judge } from './judgement.ts'
import { startLoad, type Load } from './load.ts'
import type { Outcome } from './outcome.ts'
import { say, seconds } from './progress.ts'
import type { Settings } from './settings.ts'

/** Eight writers and four readers go on through the death of the primary, which then comes back as a replica. */
export async function appendsThroughFailover(group: Group, run: number, { death, stall }: Settings): Promise<Outcome> {
  await using stores = openStores()
  const store = stores.at(group.url)
  const load = startLoad(store, ['one', 'two', 'three', 'four'].map((name) => `run ${run} ${name}`))
  await pause(3000 + Math.random() * 3000)

  const node = await group.primary()
  if (stall > 0) {
    node.stall()
    await pause(stall)
  }
  const killed = performance.now()
  await node.kill(death)
  const dead = performance.now()
  const before = load.appends('written')
  say(`the ${death} of ${node.name}, the primary, was killed after ${before} appends`)
  const resumed = await resumption(load, dead)
  say(`${(await group.primary()).name} is the primary, and all writers are acknowledged again`)
  await pause(3000)
  await load.end()
  const { acknowledged, lost, doubled, findings } = await judge(load, store)

  const restarted = performance.now()
  node.start()
  await group.healthy()
  const healthy = performance.now()
  const same = await hasSameLogs(stores.at(group.urlOf(node)), store, load.threads)
  say(`${node.name} is back as a replica`)
  return {
    row: {
      part: 'appends',
      killed: `${death} of ${node.name}`,
      'entries acknowledged': acknowledged,
      'appends without answer': load.appends('unknown'),
      lost,
      doubled,
      'first write after s': seconds(Math.min(...resumed) - killed),
      'all writers after s': seconds(Math.max(...resumed) - killed),
      'replica back after s': seconds(healthy - restarted),
      'told as': [...load.codes].join(', '),
    },
    findings: [
      ...findings,
      ...(before > 0 && load.appends('unknown') > 0 ? [] : ['nothing was under way when the primary was killed: this shows nothing']),
      ...(same ? [] : [`the logs of ${node.name} are not those of the primary`]),
    ],
  }
}

/** When each writer was acknowledged again. */
async function resumption(load: Load, moment: number): Promise<readonly number[]> {
  for (const end = Date.now() + 180_000; Date.now() < end; await pause(50)) {
    const resumed = load.resumedAfter(moment)
    if (resumed !== undefined) return resumed
  }
  throw new Error(`Some writers are not acknowledged again after 180 s. They were told: ${[...load.codes].join(', ')}.`)
}

interface Stores extends AsyncDisposable {
  readonly at: (url: string) => PostgresStore
}

function openStores(): Stores {
  const pools: Pool[] = []
  return {
    at: (url) => {
      const pool = new Pool({ connectionString: url, pipeline: true, max: 12, connectionTimeoutMillis: 3000 })
      pools.push(pool)
      return postgresStore(pool)
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  }
}
