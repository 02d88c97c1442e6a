import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { query, type Server } from '../postgres/server.ts'
import { processorTimeOf } from '../processor-time.ts'
import type { KeptIn } from './kept-in.ts'

/** One of the stores that are measured. It has a new, empty store for each size. */
export interface Keeper {
  readonly name: KeptIn['name']
  create(size: number): Promise<KeptIn>
  /** Call it when the logs of a size were imported. */
  imported(keptIn: KeptIn): Promise<void>
  /** Microseconds of processor time that the server has spent until now, if there is one. */
  serverTime(): number
  /** What is kept next to the logs of a size. No process may have the store open. */
  snapshots(keptIn: KeptIn): Promise<KeptSnapshots>
}

/** All snapshots of a store. */
export interface KeptSnapshots {
  readonly count: number
  readonly bytes: number
  /** The mean number of entries between two snapshots of one name. Undefined if no thread has two. */
  readonly spacing: number | undefined
  /** The number of all entries in the store. */
  readonly entries: number
}

/** An SQLite file for each size. */
export function sqliteKeeper(folder: string): Keeper {
  return {
    name: 'SQLite',
    create: async (size) => ({ name: 'SQLite', address: join(folder, `${size}.db`) }),
    imported: async () => undefined,
    serverTime: () => 0,
    snapshots: async ({ address }) => {
      const database = new DatabaseSync(address, { readOnly: true })
      try {
        return await snapshotsIn(async (text) => database.prepare(text).all(), '')
      } finally {
        database.close()
      }
    },
  }
}

/** A database for each size. */
export function postgresKeeper({ cluster, database }: Server): Keeper {
  const superusers = new Map<string, string>()
  const ask = ({ address }: KeptIn, text: string): Promise<unknown[]> => query(superusers.get(address)!, text)
  return {
    name: 'Postgres',
    create: async (size) => {
      const { url, superuserUrl } = await database(`scale_${size}`)
      superusers.set(url, superuserUrl)
      return { name: 'Postgres', address: url }
    },
    imported: async (keptIn) => void (await ask(keptIn, 'vacuum (analyze) minutebook.thread, minutebook.entry')),
    serverTime: () => cluster.pids().reduce((sum, pid) => sum + (processorTimeOf(pid) || 0), 0),
    snapshots: (keptIn) => snapshotsIn((text) => ask(keptIn, text), 'minutebook.'),
  }
}

async function snapshotsIn(ask: (text: string) => Promise<unknown[]>, schema: string): Promise<KeptSnapshots> {
  const [all] = (await ask(`select count(*) as entries from ${schema}entry`)) as { entries: number | string }[]
  const groups = (await ask(
    `select count(*) as count, max(seq) - min(seq) as span, sum(length(value)) as bytes from ${schema}snapshot group by thread, name`,
  )) as { count: number | string; span: number; bytes: number | string }[]
  const sum = (figure: (group: (typeof groups)[number]) => number): number =>
    groups.reduce((total, group) => total + figure(group), 0)
  const gaps = sum(({ count }) => Number(count) - 1)
  return {
    count: sum(({ count }) => Number(count)),
    bytes: sum(({ bytes }) => Number(bytes)),
    spacing: gaps === 0 ? undefined : sum(({ span }) => span) / gaps,
    entries: Number(all?.entries),
  }
}
