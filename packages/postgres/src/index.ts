export { migrate, type Migrated } from './migrate.ts'
export type { Removal, RemoveOptions } from './remove.ts'
export { postgresStore, type PostgresOptions, type PostgresStore } from './store.ts'
export { postgresTurns, type Tenant, type Turns, type TurnsOptions } from './turns.ts'
