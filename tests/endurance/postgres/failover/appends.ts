import { setTimeout as pause } from 'node:timers/promises'
import type { Group } from './group.ts'
import { hasSameLogs, judge } from './judgement.ts'
import { startLoad } from './load.ts'
import type { Outcome } from './outcome.ts'
import { bringBack, killPrimary, resumption } from './primary-death.ts'
import { say, seconds } from './progress.ts'
import type { Settings } from './settings.ts'
import { openStores } from './stores.ts'

/** Eight writers and four readers go on through the death of the primary, which then comes back as a replica. */
export async function appendsThroughFailover(group: Group, run: number, settings: Settings): Promise<Outcome> {
  await using stores = openStores()
  const store = stores.at(group.url)
  const load = startLoad(
    store,
    ['one', 'two', 'three', 'four'].map((name) => `run ${run} ${name}`),
  )
  await pause(3000 + Math.random() * 3000)

  const death = await killPrimary(group, settings)
  const { node, killed } = death
  const before = load.appends('written')
  const resumed = await resumption(load, death, settings)
  if (!resumed)
    throw new Error(`Some writers are not acknowledged again. They were told: ${[...load.codes].join(', ')}.`)
  say(`${(await group.primary()).name} is the primary, and all writers are acknowledged again`)
  await pause(3000)
  await load.end()
  const { acknowledged, lost, doubled, findings } = await judge(load, store)

  const back = await bringBack(group, node)
  const same = await hasSameLogs(stores.at(group.urlOf(node)), store, load.threads)
  return {
    part: 'appends',
    row: {
      killed: `${settings.death} of ${node.name}`,
      'entries acknowledged': acknowledged,
      'appends without answer': load.appends('unknown'),
      lost,
      doubled,
      'first write after s': seconds(Math.min(...resumed) - killed),
      'all writers after s': seconds(Math.max(...resumed) - killed),
      'replica back after s': seconds(back),
      'told as': [...load.codes].join(', '),
    },
    findings: [
      ...findings,
      ...(before > 0 && load.appends('unknown') > 0
        ? []
        : ['nothing was under way when the primary was killed: this shows nothing']),
      ...(same ? [] : [`the logs of ${node.name} are not those of the primary`]),
    ],
  }
}
