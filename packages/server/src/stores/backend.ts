import type { DatabaseRole, Turns } from '@minutebook/postgres'
import type { Feed, Store, TurnQueue } from 'minutebook'

/** Where tenants have their records. */
export interface StoreBackend extends BackendFacts {
  open(tenant: string): { readonly store: Store; readonly queue?: TurnQueue; readonly feed?: Feed }
  close(): Promise<void>
}

/** How stores are opened. */
export interface OpenOptions {
  /**
   * A file of the library, which another program may be writing to. It is only read, as the record of the only tenant,
   * instead of the data folder or database of the settings.
   */
  readonly file?: string | undefined
  /** The tenant whose record must be there. Default: `default`. */
  readonly first?: string | undefined
  /** Whether turns are sent and run here: a program that only reads does not need that. */
  readonly turns?: boolean | undefined
  /** Called with failures in the background that are retried. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called when a turn continues here that another instance left unfinished. */
  readonly onTakeOver?: (() => void) | undefined
}

/** What the part that runs turns must know of the stores. */
export interface BackendFacts {
  /** Whether the record can only be read. */
  readonly readOnly: boolean
  /** The tenants that have files here. Tenants in Postgres are not listed: Postgres reports which of them need work. */
  tenants(): readonly string[]
  /** Of Postgres, if turns are run. */
  readonly turns: Turns | undefined
  /** The role with which the server connects to Postgres, if turns are run. */
  readonly role: DatabaseRole | undefined
  /** Of the pool of Postgres, by state. */
  connections(): Readonly<Record<string, number>> | undefined
}

/**
 * Limits how many things run at once; others wait. `owner`: whose it is. Waiting owners take turns, and each keeps its
 * order.
 */
export type Slots = <T>(owner: string, work: () => Promise<T>) => Promise<T>

export function createSlots(count: number): Slots {
  /** By owner; the first is served next. */
  const waiting = new Map<string, (() => void)[]>()
  let free = count
  const next = (): (() => void) | undefined => {
    const [first] = waiting
    if (!first) return undefined
    const [owner, queue] = first
    const begin = queue.shift()
    waiting.delete(owner)
    // After all others that wait.
    if (queue.length > 0) waiting.set(owner, queue)
    return begin
  }
  const enter = (owner: string): Promise<void> =>
    new Promise((begin) => {
      const queue = waiting.get(owner)
      if (queue) queue.push(begin)
      else waiting.set(owner, [begin])
    })
  return async (owner, work) => {
    if (free > 0) free--
    else await enter(owner)
    try {
      return await work()
    } finally {
      const begin = next()
      if (begin) begin()
      else free++
    }
  }
}
