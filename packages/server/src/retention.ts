import { setTimeout as after } from 'node:timers/promises'
import { pruneArchive } from './archive/erase.ts'
import type { Services } from './services.ts'

/** Removes threads that are older than `keep` of the settings, for as long as the server runs. */
export interface Retention {
  /** Starts to. Does nothing if all threads are kept. */
  begin(): void
  /** Waits for the page that is being removed. */
  end(): Promise<void>
}

/** Milliseconds between two looks for old threads. */
const interval = 3_600_000

export function createRetention({ config: { keep }, stores, requestLog }: RetentionServices): Retention {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  const prune = async (tenant: string, age: number): Promise<void> => {
    const { store } = stores.of(tenant)
    const unwrittenSince = new Date(Date.now() - age)
    let next: string | undefined
    do {
      const page = await pruneArchive(store, { unwrittenSince, after: next })
      next = page.next
    } while (next !== undefined && !ending.signal.aborted)
  }
  const work = async (age: number): Promise<void> => {
    while (!ending.signal.aborted) {
      for (const tenant of new Set(['default', ...stores.tenants()]))
        await prune(tenant, age).catch((error: unknown) => requestLog.unforeseen(error))
      await after(interval, undefined, { ref: false, signal: ending.signal }).catch(() => undefined)
    }
  }
  return {
    begin: () => {
      if (keep !== undefined) running = work(keep)
    },
    end: async () => {
      ending.abort()
      await running
    },
  }
}

type RetentionServices = {
  readonly config: Pick<Services['config'], 'keep'>
  readonly stores: Pick<Services['stores'], 'of' | 'tenants'>
  readonly requestLog: Pick<Services['requestLog'], 'unforeseen'>
}
