import { examineRole, migrate, postgresStore, postgresTurns, type DatabaseRole, type Turns } from '@minutebook/postgres'
import { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config/config.ts'
import type { OpenOptions, StoreBackend } from './backend.ts'
import { poolLimits, roleProblem, tenantsUnguardedError } from './migrate.ts'

/** A Postgres database, with one pool for all tenants. */
export async function databaseBackend(
  { poolSize, slots, databaseTimeout: timeout }: Pick<Config, 'poolSize' | 'slots' | 'databaseTimeout'>,
  connectionString: string,
  { turns: hasTurns = true, onError, onTakeOver }: OpenOptions,
): Promise<StoreBackend> {
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    ...poolLimits,
    connectionString,
    max: poolSize,
    application_name: 'minutebook',
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
  })
  // An idle connection that breaks is replaced; one in use fails there.
  pool.on('error', () => undefined)
  let turns: Turns | undefined
  let role: DatabaseRole | undefined
  try {
    await migrate(pool)
    if (hasTurns) role = await examineRole(pool)
    if (hasTurns) turns = await postgresTurns(pool, { slots, timeout, onError, onTakeOver })
  } catch (error) {
    await pool.end()
    throw error
  }
  const problem = role && roleProblem(role)
  return {
    open: (tenant) => {
      if (problem && tenant !== 'default') throw tenantsUnguardedError(problem)
      return turns?.tenant(tenant) ?? { store: postgresStore(pool, { tenant, timeout }) }
    },
    readOnly: false,
    tenants: () => [],
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    turns,
    role,
    close: async () => {
      const isQuiet = await Promise.race([
        turns?.close().then(
          () => true,
          () => true,
        ) ?? true,
        after(patience, false, { ref: false }),
      ])
      if (isQuiet) return pool.end()
      // A turn that runs here writes nothing more, and other instances see that this one is gone.
      pool.end().catch(() => undefined)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Milliseconds for turns that still run when everything else is over. */
const patience = 2000
