import { readdirSync, readFileSync } from 'node:fs'
import { MinutebookError } from 'minutebook'
import type { Pool, PoolClient } from 'pg'
import { locked } from './locked.ts'

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
 * Brings the database to this version's tables; does nothing where it is there. Several instances may call it at once:
 * one does the work. Steps only add, so that instances of the version before go on while the new ones come.
 *
 * @example
 * const { applied } = await migrate(pool)
 */
export async function migrate(pool: Pool, { to = Infinity }: { readonly to?: number | undefined } = {}): Promise<Migrated> {
  return locked(pool, lock, (client) => climb(client, to))
}

/** Any number, the same for all. */
const lock = 1_836_216_949

async function climb(client: PoolClient, to: number): Promise<Migrated> {
  // Asked first, so that a role that may create nothing can call this where nothing is to be done.
  const { rows: [table] } = await client.query<{ there: boolean }>(`select to_regclass('minutebook.migration') is not null as there`)
  if (table?.there !== true) {
    await client.query('create schema if not exists minutebook')
    await client.query('create table minutebook.migration (number integer primary key, name text not null, applied timestamptz not null default now())')
  }
  const { rows } = await client.query<{ number: number; name: string }>('select number, name from minutebook.migration order by number')
  const other = migrations().find(({ number, name }) => rows.some((row) => row.number === number && row.name !== name))
  if (other) throw new MinutebookError('store_older', `This database was made by an older version, whose keys and settings this one does not read. Export its threads with that version and import them into a new database.`, { migration: other.name })
  const done = new Set(rows.map(({ number }) => number))
  const applied: string[] = []
  for (const migration of migrations()) {
    if (done.has(migration.number) || migration.number > to) continue
    await take(client, migration)
    applied.push(migration.name)
    done.add(migration.number)
  }
  return { applied, at: Math.max(0, ...done) }
}

async function take(client: PoolClient, { number, name, text }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into minutebook.migration (number, name) values ($1, $2)', [number, name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const why = error instanceof Error ? error.message : String(error)
    throw new MinutebookError('migration_failed', `The step "${name}" could not be taken: ${why}. Nothing of it was done; mend that and run it again.`, { migration: name })
  }
}

/** The steps that this version knows, in order. */
export function migrations(): readonly Migration[] {
  const folder = new URL('../sql/migrations/', import.meta.url)
  return readdirSync(folder).filter((file) => file.endsWith('.sql')).toSorted().map((file) => ({
    number: Number.parseInt(file, 10),
    name: file.slice(0, -'.sql'.length),
    text: readFileSync(new URL(file, folder), 'utf8'),
  }))
}
