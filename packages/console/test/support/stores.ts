import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import type { Config } from '../../../server/src/index.ts'

/** A store that a server is started on, by name. */
export interface TestStore {
  readonly name: 'SQLite' | 'Postgres'
  readonly isShared: boolean
  readonly settings: () => Promise<Partial<Config>>
}

/** The store that is named, or with CONSOLE_STORES=both both; to be called in a file, not in a test. */
export function testStores(named: TestStore['name']): readonly TestStore[] {
  const names = process.env['CONSOLE_STORES'] === 'both' ? (['SQLite', 'Postgres'] as const) : [named]
  return names.map((name) => (name === 'SQLite' ? { name, isShared: false, settings: async () => ({}) } : onPostgres()))
}

function onPostgres(): TestStore {
  const database = testDatabase()
  return { name: 'Postgres', isShared: true, settings: async () => ({ database: (await database.fresh()).url }) }
}
