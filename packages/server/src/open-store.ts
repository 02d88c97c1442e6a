import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { MinutebookError, openBook, type Book, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import type { Config } from './config.ts'

/** The record of one tenant. One book for each in a process. */
export interface Opened {
  readonly store: Store
  readonly book: Book
}

/** The records of all tenants. */
export interface Stores {
  of(tenant: string): Opened
  /** Rejects where the store does not answer. */
  ready(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the Postgres database, whose tables it makes or brings up to date, or a file for each tenant in the data folder.
 *
 * @example
 * const stores = await openStores(config)
 * const { book } = stores.of('default')
 */
export async function openStores(config: Config): Promise<Stores> {
  const tenants = [...new Set(['default', ...config.keys.map(({ tenant }) => tenant)])]
  return config.database === undefined ? openFiles(config.data, tenants) : openDatabase(config.database, tenants)
}

/** Where the threads of a tenant are kept. */
export function storeFile(data: string, tenant: string): string {
  return join(data, tenant === 'default' ? 'minutebook.db' : `minutebook-${tenant}.db`)
}

function openFiles(data: string, tenants: readonly string[]): Stores {
  makeFolder(data)
  const files = new Map<string, ReturnType<typeof sqliteStore>>()
  const close = async (): Promise<void> => {
    for (const file of files.values()) file.close()
  }
  try {
    // A process that was stopped a moment ago may still be closing it.
    for (const tenant of tenants) {
      makeFile(storeFile(data, tenant))
      files.set(tenant, sqliteStore(storeFile(data, tenant), { wait: 500 }))
    }
  } catch (error) {
    void close()
    throw error
  }
  return shelf(files, close)
}

/** Its packages are read only here: a command that needs no database starts without them. */
async function openDatabase(connectionString: string, tenants: readonly string[]): Promise<Stores> {
  const [{ default: pg }, { migrate, postgresStore }] = await Promise.all([import('pg'), import('@minutebook/postgres')])
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000, application_name: 'minutebook' })
  // What breaks while nobody uses it is replaced; what breaks in use is an error there.
  pool.on('error', () => undefined)
  try {
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return shelf(new Map(tenants.map((tenant) => [tenant, postgresStore(pool, { tenant })])), () => pool.end())
}

function shelf(stores: ReadonlyMap<string, Store>, close: () => Promise<void>): Stores {
  const opened = new Map([...stores].map(([tenant, store]) => [tenant, { store, book: openBook({ store, clock: systemClock }) }]))
  const of = (tenant: string): Opened => {
    const found = opened.get(tenant)
    if (!found) throw new MinutebookError('unknown_tenant', `There is no tenant "${tenant}"; give it to a key in keys.`, { tenant })
    return found
  }
  return { of, ready: async () => void await of('default').store.standing('minutebook:ready'), close }
}

/**
 * For this user alone, whatever the folder lets others do; SQLite gives the files beside it the same rights. One that is
 * there is not touched: to open and close it would end the lock that this process may have on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there, or the store says what is wrong with it.
  }
}

/** What is in there is for this user alone. */
function makeFolder(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new MinutebookError('no_data_folder', `The data folder "${data}" cannot be made (${code}). Set data (MINUTEBOOK_DATA) to a folder that can be written.`, { data })
  }
}
