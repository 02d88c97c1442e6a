import { placeOfThread } from '@minutebook/experiment/run'
import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import { localQueue, MinutebookError, type TurnQueue } from 'minutebook'
import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs'
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
    tenants: () => readdirSync(data).flatMap((file) => tenantOf(file) ?? []),
    turns: undefined,
    role: undefined,
    connections: () => undefined,
    close: async () => {
      for (const file of files.values()) file.close()
    },
  }
}

/**
 * It looks for what was left by a process before, where a chat of the gateway looks like a turn of ours: that one is
 * its client's to ask again.
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

/** Where the threads of a tenant are kept. */
export function storeFile(data: string, tenant: string): string {
  return join(data, tenant === 'default' ? 'minutebook.db' : `minutebook-${tenant}.db`)
}

function tenantOf(file: string): string | undefined {
  if (file === 'minutebook.db') return 'default'
  const name =
    file.startsWith('minutebook-') && file.endsWith('.db') ? file.slice('minutebook-'.length, -'.db'.length) : ''
  return isTenant(name) ? name : undefined
}

/**
 * For this user alone, whatever the folder lets others do; SQLite gives the files beside it the same rights. One that
 * is there is not touched: to open and close it would end the lock that this process may have on it.
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
    throw new MinutebookError(
      'no_data_folder',
      `The data folder "${data}" cannot be made (${code}).`,
      'Set data (MINUTEBOOK_DATA) to a folder that can be written.',
      { data },
    )
  }
}
