import type { DatabaseRole, Turns } from '@minutebook/postgres'
import type { TurnQueue, Feed, Store } from 'minutebook'

/** Where tenants have their records. */
export interface Room extends Turning {
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
export interface Turning {
  /** The tenants that have a record here as files; Postgres itself tells of those that need work. */
  tenants(): readonly string[]
  /** Of Postgres, where turns are run. */
  readonly turns: Turns | undefined
  /** That the server connects to Postgres as, where turns are run. */
  readonly role: DatabaseRole | undefined
  /** Of the pool of Postgres, by state. */
  connections(): Readonly<Record<string, number>> | undefined
}
