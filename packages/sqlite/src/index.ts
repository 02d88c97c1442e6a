export { sqliteStore, type SqliteOptions, type SqliteStore } from './store.ts'
