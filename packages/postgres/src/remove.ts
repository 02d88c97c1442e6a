import type { Pool } from 'pg'
import { nameFrom } from './key.ts'
import { remains } from './remains.ts'
import { transaction } from './session.ts'
import { statement } from './statement.ts'

const removeThreads = statement('remove')

/** Which threads are to go. */
export interface RemoveOptions {
  /** Only threads to which nobody has written since; all of the tenant's unless told. */
  readonly unwrittenSince?: Date | undefined
}

/** What was removed at once, and what may be left of the bytes. */
export interface Removal {
  readonly threads: readonly string[]
  readonly entries: number
  readonly snapshots: number
  readonly remains: readonly string[]
}

/** At once: few enough that nobody waits long for them. */
const batch = 100

/** Removes threads with all that was made from them, some at a time. A thread that is being written to is left for later. */
export async function* removeFrom(pool: Pool, tenant: string, { unwrittenSince }: RemoveOptions): AsyncGenerator<Removal> {
  for (;;) {
    const rows = await transaction(pool, tenant, (session) => session.run<RemovedRow>(removeThreads, [tenant, unwrittenSince ?? null, batch]))
    const [first] = rows
    if (!first) return
    yield { threads: rows.map(({ thread, name }) => nameFrom(thread, name)), entries: first.entries, snapshots: first.snapshots, remains }
  }
}

interface RemovedRow {
  readonly thread: string
  readonly name: string | null
  readonly entries: number
  readonly snapshots: number
}
