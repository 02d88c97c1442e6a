import { Agent } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { crowd } from '../gateway/load.ts'
import { processorTimeOf } from '../processor-time.ts'
import { query, type Database, type Server } from '../postgres/server.ts'
import type { Child } from '../../tests/support/process/child.ts'
import { makeThread } from '../team/crowd.ts'
import { nativeTurn } from '../team/native-turn.ts'
import type { TurnCost } from './model.ts'

/** Conversations of so many turns, so many at once, with answers of so many deltas. */
export interface Load {
  readonly conversations: number
  readonly atOnce: number
  readonly turns: number
  readonly deltas: number
}

/** A way to have turns: each plays one wave of conversations, all of them new. */
export type Wave = (url: string, wave: number, load: Load) => Promise<void>

/** Clients that keep the history themselves and send all of it with each turn. */
export const chats: Wave = async (url, wave, { atOnce, turns, deltas }) => {
  const people = crowd(url, `wave ${wave}`, { streams: atOnce, deltas, pace: 0, path: '/v1/chat/completions' })
  for (let turn = 0; turn < turns; turn++) await people.turn()
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Turns that the server runs and keeps, followed on the instance that runs them. */
export const nativeTurns: Wave = async (url, wave, { atOnce, turns, deltas }) => {
  const model = `paced:${deltas}:0`
  const talk = async (number: number): Promise<void> => {
    const thread = `wave-${wave}-${number}`
    await makeThread(url, thread, model)
    for (let turn = 1; turn <= turns; turn++) {
      const message = `Question ${turn} of ${thread}: what does the ledger say?`
      const outcome = await nativeTurn(agent, url, thread, { id: `${thread}/${turn}`, message, model })
      if (outcome.kind !== 'answered' || outcome.status !== 'complete')
        throw new Error(`${message}: ${JSON.stringify(outcome)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, number) => talk(number)))
}

export function hangUp(): void {
  agent.destroy()
}

/** What is counted before and after. */
interface Meter {
  read(): Promise<TurnCost>
}

/** One wave is played before anything counts, so that code is compiled and connections are open. */
export async function costOf(wave: Wave, url: string, meter: Meter, load: Load, onWave: () => void): Promise<TurnCost> {
  await wave(url, 0, load)
  onWave()
  const before = await meter.read()
  const waves = Math.ceil(load.conversations / load.atOnce)
  for (let number = 1; number <= waves; number++) {
    await wave(url, number, load)
    onWave()
  }
  const after = await meter.read()
  const turns = waves * load.atOnce * load.turns
  const each = (of: (cost: TurnCost) => number): number => (of(after) - of(before)) / turns
  return {
    instances: each(({ instances }) => instances),
    database: each(({ database }) => database),
    stored: each(({ stored }) => stored),
    logged: each(({ logged }) => logged),
  }
}

/** The pages of the file, those in its write-ahead log included. */
export function sqliteMeter(instance: Child, file: string): Meter {
  const size = (): number => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const { bytes } = database.prepare(pages).get() as { readonly bytes: number }
      return bytes
    } finally {
      database.close()
    }
  }
  return {
    read: async () => ({ instances: processorTimeOf(instance.process.pid), database: 0, stored: size(), logged: 0 }),
  }
}

const pages = `select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`

/** All processes of the server, and what its tables and indexes take. */
export function postgresMeter(instance: Child, { cluster }: Server, { superuserUrl }: Database): Meter {
  return {
    read: async () => {
      const database = cluster.pids().reduce((sum, pid) => sum + (processorTimeOf(pid) || 0), 0)
      const [row] = await query<{ readonly stored: string; readonly logged: string }>(superuserUrl, sizes)
      return {
        instances: processorTimeOf(instance.process.pid),
        database,
        stored: Number(row!.stored),
        logged: Number(row!.logged),
      }
    },
  }
}

const sizes = `select pg_database_size(current_database()) as stored, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as logged`
