import { MinutebookError } from 'minutebook'
import { readdirSync, readFileSync } from 'node:fs'
import type { Pool, QueryResultRow } from 'pg'
import { databaseOf, locked } from './connection.ts'
import { failureOf } from './failure.ts'

/** One step of the schema: its file's number and name. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
}

/** What a migration did. */
export interface Migrated {
  /** The names of the steps that were taken now. */
  readonly applied: readonly string[]
  /** The number of the newest step that the database has. */
  readonly at: number
}

/**
 * Migrates the database to this version's tables; does nothing if it is up to date. Several instances may call it at
 * once: one does the work. Steps only add, so instances of the version before keep running while the new ones start.
 *
 * @example
 * const { applied } = await migrate(pool)
 */
export async function migrate(
  pool: Pool,
  { to = Infinity }: { readonly to?: number | undefined } = {},
): Promise<Migrated> {
  // Any login of the database could hold the lock: without work to do, no instance waits for it.
  const database = databaseOf(pool)
  const { missing, at } = await examine(database, to).catch((error: unknown) => {
    throw failureOf(error)
  })
  return missing.length === 0
    ? { applied: [], at }
    : locked(database, lock, (client, begin) => climb(client, begin, to))
}

/** Any number, the same for all. */
const lock = 1_836_216_949

/** How far a database has come. */
interface Examined {
  readonly hasTable: boolean
  readonly missing: readonly Migration[]
  readonly at: number
}

interface Asked {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>
}

async function examine(client: Asked, to: number): Promise<Examined> {
  // A role that may create nothing can ask this, too.
  const {
    rows: [table],
  } = await client.query<{ there: boolean }>(`select to_regclass('minutebook.migration') is not null as there`)
  const hasTable = table?.there === true
  const { rows } = hasTable
    ? await client.query<{ number: number; name: string }>('select number, name from minutebook.migration')
    : { rows: [] }
  const other = migrations().find(({ number, name }) => rows.some((row) => row.number === number && row.name !== name))
  if (other)
    throw new MinutebookError(
      'store_older',
      'This database was created by an older version. The current version cannot read its entries, keys and settings.',
      'Read it with the older version, and start a new database with the current one.',
      { migration: other.name },
    )
  const done = new Set(rows.map(({ number }) => number))
  return {
    hasTable,
    missing: migrations().filter(({ number }) => !done.has(number) && number <= to),
    at: Math.max(0, ...done),
  }
}

async function climb(client: Asked, begin: () => Promise<void>, to: number): Promise<Migrated> {
  const { hasTable, missing, at } = await examine(client, to)
  if (!hasTable) {
    await client.query('create schema if not exists minutebook')
    await client.query(
      'create table minutebook.migration (number integer primary key, name text not null, applied timestamptz not null default now())',
    )
  }
  for (const migration of missing) await take(client, begin, migration)
  return { applied: missing.map(({ name }) => name), at: Math.max(at, ...missing.map(({ number }) => number)) }
}

async function take(client: Asked, begin: () => Promise<void>, { number, name, text }: Migration): Promise<void> {
  try {
    await begin()
    await client.query(text)
    await client.query('insert into minutebook.migration (number, name) values ($1, $2)', [number, name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const why = error instanceof Error ? error.message : String(error)
    throw new MinutebookError(
      'migration_failed',
      `The migration "${name}" failed: ${why}.`,
      'It changed nothing. Fix the cause, and run the migration again.',
      { migration: name },
    )
  }
}

/** The steps that this version knows, in order. */
export function migrations(): readonly Migration[] {
  const folder = new URL('../../sql/migrations/', import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => ({
      number: Number.parseInt(file, 10),
      name: file.slice(0, -'.sql'.length),
      text: readFileSync(new URL(file, folder), 'utf8'),
    }))
}
