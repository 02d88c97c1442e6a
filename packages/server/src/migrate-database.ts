import type { Migrated } from '@minutebook/postgres'

export type { Migrated }

/**
 * Brings a database to this version's tables, also those by which instances share their turns, without serving anybody: with
 * the rights of an owner, before instances start that have fewer.
 *
 * @example
 * const { applied } = await migrateDatabase('postgres://owner@db.example/minutebook')
 */
export async function migrateDatabase(connectionString: string): Promise<Migrated> {
  const [{ default: pg }, { migrate, postgresTurns }] = await Promise.all([import('pg'), import('@minutebook/postgres')])
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 5000, application_name: 'minutebook migrate' })
  pool.on('error', () => undefined)
  try {
    const migrated = await migrate(pool)
    const turns = await postgresTurns(pool)
    await turns.close()
    return migrated
  } finally {
    await pool.end()
  }
}
