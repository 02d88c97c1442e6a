import type { DatabaseRole, Turns } from '@minutebook/postgres'
import type { Feed, Store, TurnQueue } from 'minutebook'

/** Where tenants have their records. */
export interface StoreBackend extends BackendFacts {
  open(tenant: string): { readonly store: Store; readonly queue?: TurnQueue; readonly feed?: Feed }
  close(): Promise<void>
}

/** How stores are opened. */
export interface OpenOptions {
  /** Whether turns are to be sent and run here: a program that only reads needs none of that. */
  readonly turns?: boolean | undefined
  /** Told of what fails in the background and is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Told when a turn is taken up here that another instance left unfinished. */
  readonly onTakeOver?: (() => void) | undefined
}

/** What whoever runs turns must know of the stores. */
export interface BackendFacts {
  /** The tenants that have a record here as files; Postgres itself tells of those that need work. */
  tenants(): readonly string[]
  /** Of Postgres, where turns are run. */
  readonly turns: Turns | undefined
  /** That the server connects to Postgres as, where turns are run. */
  readonly role: DatabaseRole | undefined
  /** Of the pool of Postgres, by state. */
  connections(): Readonly<Record<string, number>> | undefined
}

/**
 * Lets so many things run at once; others wait. `owner`: whose it is; owners that wait are served in turn, each in the
 * order in which it came.
 */
export type Slots = <T>(owner: string, work: () => Promise<T>) => Promise<T>

export function createSlots(count: number): Slots {
  /** By owner, the one that is served next first. */
  const waiting = new Map<string, (() => void)[]>()
  let free = count
  const next = (): (() => void) | undefined => {
    const [first] = waiting
    if (!first) return undefined
    const [owner, queue] = first
    const begin = queue.shift()
    waiting.delete(owner)
    // Behind all others that wait.
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
