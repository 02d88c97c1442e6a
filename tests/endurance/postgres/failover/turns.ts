import { setTimeout as pause } from 'node:timers/promises'
import { openClient, type TurnClient } from '../../../support/postgres/turn-client.ts'
import { judgeTurns } from '../support/turn-judgement.ts'
import type { Group } from './group.ts'
import { startInstances } from './instances.ts'
import { hasSameLogs } from './judgement.ts'
import type { Outcome } from './outcome.ts'
import { bringBack, killPrimary, resumption } from './primary-death.ts'
import { say, seconds } from './progress.ts'
import type { Settings } from './settings.ts'
import { openStores } from './stores.ts'
import { startTurnLoad } from './turn-load.ts'

/** Three instances run turns of twenty threads through the death of the primary, and go on by themselves. */
export async function turnsThroughFailover(group: Group, run: number, settings: Settings): Promise<Outcome> {
  await using instances = await startInstances(group, run)
  await using client = await openClient(group.url)
  await using stores = openStores()
  using load = startTurnLoad(
    client.book,
    Array.from({ length: 20 }, (_, number) => `run ${run} thread ${number}`),
  )
  await pause(4000 + Math.random() * 3000)

  const death = await killPrimary(group, settings)
  const { node, killed } = death
  const resumed = await resumption(load, death, settings)
  const goneOn = performance.now()
  say(
    `${(await group.primary()).name} is the primary, and turns of ${resumed ? 'all' : 'not all'} threads are answered again`,
  )
  await pause(5000)
  await load.end()
  const { deeds } = instances
  const { lost, doubled, findings } = await judgeTurns(client.book, {
    sent: load.sent,
    runs: deeds.filter(({ what }) => what === 'once').map(({ message }) => message),
  })
  const forgotten = await missing(
    client,
    deeds.map(({ id }) => id),
  )

  const back = await bringBack(group, node)
  const same = await hasSameLogs(stores.at(group.urlOf(node)), stores.at(group.url), load.threads)
  const { underWay, handedOver } = instances.cutBy(death, load.answeredAt)
  return {
    part: 'turns',
    row: {
      killed: `${settings.death} of ${node.name}`,
      'turns answered': load.answers,
      'turns under way': underWay,
      'went on elsewhere': handedOver,
      'sent again': load.repeated,
      lost,
      doubled,
      'traces lost': forgotten.length,
      'first answer after s': resumed ? seconds(Math.min(...resumed) - killed) : 'never',
      'all threads after s': resumed ? seconds(Math.max(...resumed) - killed) : 'never',
      'replica back after s': seconds(back),
      'told as': [...load.codes].join(', '),
    },
    findings: [
      ...findings,
      ...load.findings,
      ...instances.complaints,
      ...instances.silentSince(goneOn),
      ...forgotten.map((id) => `the acknowledged trace ${id} is lost`),
      ...(underWay > 0 ? [] : ['no turn was under way when the primary was killed: this shows nothing']),
      ...(same ? [] : [`the logs of ${node.name} are not those of the primary`]),
    ],
  }
}

/** Those of some traces that are not there. */
async function missing({ pool }: TurnClient, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as told (id) where not exists (select from trace where trace.id = told.id)',
    [ids],
  )
  return rows.map(({ id }) => id)
}
