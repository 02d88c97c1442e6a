import { sqliteStore } from '@minutebook/sqlite'
import { postgresStore } from '@minutebook/postgres'
import type { Store } from 'minutebook'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { gatewayProgram, startChild } from '../../tests/support/process/child.ts'
import type { Server } from '../postgres/server.ts'
import { processorTime, processorTimeOf } from '../processor-time.ts'
import type { Progress } from '../progress.ts'
import { countedStore } from '../scale/counted-store.ts'
import { fillPostgres, fillSqlite, tenant } from './fill.ts'
import { aftermaths, lookPlay, threadPlays } from './plays.ts'

/** Milliseconds and rows of one play. */
export interface ThreadFigures {
  readonly processor: number
  readonly elapsed: number
  /** What the methods of the store returned. */
  readonly rows: number
}

/** What was measured on one store: by play and number of threads. */
export interface MeasuredThreads {
  readonly name: string
  readonly cells: ReadonlyMap<string, ReadonlyMap<number, readonly ThreadFigures[]>>
}

/** A store of many threads. */
interface Place {
  readonly size: number
  readonly counted: ReturnType<typeof countedStore>
  readonly close: () => Promise<void>
  /** Microseconds of processor time of the database server. */
  readonly serverTime: () => number
  /** The data folder and the settings of a server on this store. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

const startPlay = 'start of a server'

export async function measureThreads(
  name: string,
  sizes: readonly number[],
  { rounds, folder, server, progress }: MeasureOptions,
): Promise<MeasuredThreads> {
  const cells = new Map<string, Map<number, ThreadFigures[]>>()
  const note = (play: string, size: number, figures: ThreadFigures): void => {
    const bySize = cells.get(play) ?? new Map<number, ThreadFigures[]>()
    cells.set(play, bySize)
    bySize.set(size, [...(bySize.get(size) ?? []), figures])
  }
  const places: Place[] = []
  for (const size of sizes) {
    progress.step(`${name}: making ${size.toLocaleString('en')} threads`)
    places.push(await (server ? postgresPlace(server, folder, size) : sqlitePlace(folder, size)))
  }
  // The first round warms up: it does not count, and the sizes take turns.
  for (const [play, act] of Object.entries(threadPlays)) {
    for (let round = 0; round <= rounds && !(server && play === lookPlay); round++) {
      for (const place of places) {
        progress.step(`${name}, ${place.size.toLocaleString('en')} threads: ${play}`)
        const figures = await measured(place, (store) => act(store, round))
        if (round > 0) note(play, place.size, figures)
        const after = aftermaths[play]
        const rest = after && (await measured(place, (store) => after.act(store, round)))
        if (rest && round > 0) note(after.name, place.size, rest)
      }
    }
  }
  await Promise.all(places.map(({ close }) => close()))
  for (let round = 0; round < rounds; round++)
    for (const place of places) {
      progress.step(`${name}, ${place.size.toLocaleString('en')} threads: ${startPlay}`)
      note(startPlay, place.size, await measuredStart(place))
    }
  return { name, cells }
}

interface MeasureOptions {
  readonly rounds: number
  readonly folder: string
  /** Undefined for SQLite. */
  readonly server: Server | undefined
  readonly progress: Progress
}

async function sqlitePlace(folder: string, size: number): Promise<Place> {
  const data = join(folder, `sqlite-${size}`)
  const file = join(data, 'minutebook.db')
  await fillSqlite(file, size)
  const store = sqliteStore(file)
  return {
    size,
    counted: countedStore(store),
    close: async () => store.close(),
    serverTime: () => 0,
    folder: data,
    environment: {},
  }
}

async function postgresPlace({ cluster, database }: Server, folder: string, size: number): Promise<Place> {
  const { url, superuserUrl } = await database(`threads_${size}`)
  await fillPostgres(url, superuserUrl, size)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  return {
    size,
    counted: countedStore(postgresStore(pool, { tenant })),
    close: () => pool.end(),
    serverTime: () => cluster.pids().reduce((sum, pid) => sum + (processorTimeOf(pid) || 0), 0),
    folder: join(folder, `postgres-${size}`),
    environment: { MINUTEBOOK_DATABASE: url },
  }
}

async function measured(
  { counted, serverTime }: Place,
  act: (store: Store) => Promise<number>,
): Promise<ThreadFigures> {
  counted.take()
  const [began, spent, served] = [performance.now(), processorTime(), serverTime()]
  await act(counted.store)
  const elapsed = performance.now() - began
  const processor = (processorTime() - spent + serverTime() - served) / 1000
  const counting = counted.take()
  return { processor: processor - counting.processor, elapsed: elapsed - counting.elapsed, rows: counting.rows }
}

/** From the start of the process until it rests: what it does in the background is part of its start. */
async function measuredStart({ folder, environment, serverTime }: Place): Promise<ThreadFigures> {
  const [began, served] = [performance.now(), serverTime()]
  const command = [process.execPath, '--no-warnings', gatewayProgram]
  const child = await startChild({ command, folder, environment })
  const elapsed = performance.now() - began
  const spent = (): number => processorTimeOf(child.process.pid)
  for (let before = -Infinity; spent() - before > resting;) {
    before = spent()
    await pause(500)
  }
  const processor = (spent() + serverTime() - served) / 1000
  await child.stop()
  return { processor, elapsed, rows: NaN }
}

/** Microseconds in half a second: a process that takes less than this has nothing to do. */
const resting = 20_000
