import { placeOfThread } from '@minutebook/experiment/run'
import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import { localQueue, MinutebookError, type TurnQueue } from 'minutebook'
import { accessSync, closeSync, constants, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isTenant } from '../config/caller.ts'
import type { Config } from '../config/config.ts'
import { createSlots, type OpenOptions, type StoreBackend } from './backend.ts'
import { findSetup } from './setup.ts'

/** A file for each tenant in the data folder. */
export function fileBackend(
  { data, slots: count }: Pick<Config, 'data' | 'slots'>,
  { turns = true }: OpenOptions,
): StoreBackend {
  makeFolder(data)
  const files = new Map<string, SqliteStore>()
  const slots = createSlots(count)
  return {
    open: (tenant) => {
      const file = storeFile(data, tenant)
      makeFile(file)
      // A process that was stopped a moment ago may still be closing it.
      const store = sqliteStore(file, { wait: 500 })
      files.set(tenant, store)
      return turns ? { store, queue: queueOf(store, (work) => slots(tenant, work)) } : { store }
    },
    readOnly: false,
    tenants: () => tenantsIn(data),
    turns: undefined,
    role: undefined,
    connections: () => undefined,
    close: async () => {
      for (const file of files.values()) file.close()
    },
  }
}

/** A file that another program writes to. */
export function readerBackend(file: string): StoreBackend {
  const store = sqliteStore(file, { readOnly: true })
  return {
    open: () => ({ store }),
    readOnly: true,
    tenants: () => ['default'],
    turns: undefined,
    role: undefined,
    connections: () => undefined,
    close: async () => store.close(),
  }
}

/**
 * Looks for turns that an earlier process left unfinished. A chat of the gateway can look like one: its client must ask
 * again.
 */
function queueOf(store: SqliteStore, inSlot: (work: () => Promise<void>) => Promise<void>): TurnQueue {
  const queue = localQueue(store, { pause: setImmediate })
  return {
    ...queue,
    onWake: (run) =>
      queue.onWake(async (thread, signal) => {
        if (placeOfThread(thread) || (await findSetup(store, thread))) await inSlot(() => run(thread, signal))
      }),
  }
}

/** The file with the threads of a tenant. */
export function storeFile(data: string, tenant: string): string {
  return join(data, tenant === 'default' ? 'minutebook.db' : `minutebook-${tenant}.db`)
}

/** The files of all tenants in a data folder. */
export function storeFiles(data: string): string[] {
  return tenantsIn(data).map((tenant) => storeFile(data, tenant))
}

/** The tenants that have a file in a data folder. */
export function tenantsIn(data: string): string[] {
  return readdirSync(data)
    .flatMap((file) => tenantOf(file) ?? [])
    .toSorted()
}

function tenantOf(file: string): string | undefined {
  if (file === 'minutebook.db') return 'default'
  const name =
    file.startsWith('minutebook-') && file.endsWith('.db') ? file.slice('minutebook-'.length, -'.db'.length) : ''
  return isTenant(name) ? name : undefined
}

/**
 * Only for this user, whatever the folder allows; SQLite gives the files next to it the same rights. An existing file
 * is not touched: opening and closing it would release the lock that this process may have on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It exists, or the store reports what is wrong with it.
  }
}

/** What is in there is for this user alone. */
function makeFolder(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw noFolderError(data, error)
  }
}

/** The error for a data folder that this user cannot use. */
export function noFolderError(data: string, error: unknown): MinutebookError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return isDenied.has(code)
    ? new MinutebookError(
        'no_data_folder',
        `This user may not read and write the data folder "${data}" (${code}).`,
        'Run the command as the user that the folder belongs to, or set data (--data, MINUTEBOOK_DATA) to a folder of your own.',
        { data },
      )
    : new MinutebookError(
        'no_data_folder',
        `The data folder "${data}" cannot be created (${code}).`,
        'Set data (--data, MINUTEBOOK_DATA) to a folder that can be written.',
        { data },
      )
}

const isDenied: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])
