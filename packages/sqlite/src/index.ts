export { backupFile, type Backup, type BackupOptions } from './backup.ts'
export { sqliteStore, type SqliteOptions, type SqliteStore } from './store.ts'
