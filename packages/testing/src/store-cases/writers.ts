import type { Entry, Store } from 'minutebook'
import { entryOf, type AppendResult } from 'minutebook/store'
import { user } from '../builders.ts'
import type { Operation } from '../consistency.ts'

/** How many writers, how many appends, and how. Default: 8 writers with 10 appends each. */
export interface WritersOptions {
  readonly writers?: number
  /** By each writer. */
  readonly appends?: number
  /** Entries of one append. */
  readonly batch?: number
  /** Each writer appends after the head that it read and tries again on a conflict; else all write side by side. */
  readonly linked?: boolean
  /** Sends every n-th append twice, like a client that got no answer. */
  readonly retryEvery?: number
  /** Distinguishes these writers from those of another process, so that no two write the same. */
  readonly name?: string
  /** One clock for all processes whose operations are judged together. Default: these writers' own. */
  readonly now?: () => number
  /** The store may fail in the middle: what then has no answer is an operation of unknown outcome. */
  readonly mayFail?: boolean
}

/**
 * Many writers and a reader on one thread at once, and a read at the end: what they saw, for `checkConsistency`.
 *
 * @example
 * const operations = await runWriters(store, 'thread', { writers: 8, appends: 20 })
 */
export async function runWriters(store: Store, thread: string, options: WritersOptions = {}): Promise<Operation[]> {
  const { writers = 8, appends = 10, name: crew = '', mayFail = false } = options
  const operations: Operation[] = []
  let moment = 0
  const now = options.now ?? ((): number => ++moment)

  const read = async (): Promise<void> => {
    const begin = now()
    const entries = await attempt(store.read(thread), mayFail)
    if (entries)
      operations.push({ kind: 'read', begin, end: now(), entries: entries.map(({ id, seq }) => ({ id, seq })) })
  }
  const append = async (entries: readonly Entry[], head: string | null | undefined): Promise<boolean> => {
    const begin = now()
    const ids = entries.map(({ id }) => id)
    const answer = await attempt<AppendResult>(
      store.append(thread, entries, head === undefined ? {} : { head }),
      mayFail,
    )
    if (!answer) {
      operations.push({ kind: 'append', begin, ids, outcome: 'unknown', seqs: [] })
      return false
    }
    const outcome = answer.ok ? 'written' : 'refused'
    operations.push({
      kind: 'append',
      begin,
      end: now(),
      ids,
      outcome,
      seqs: answer.ok ? answer.entries.map(({ seq }) => seq) : [],
    })
    return answer.ok
  }
  const writer = async (name: number): Promise<void> => {
    for (let count = 0; count < appends; count++) {
      const again = options.retryEvery !== undefined && count % options.retryEvery === 0
      await writeOne(store, thread, `${crew}${name}.${count}`, options, append, again)
    }
  }
  const reader = async (): Promise<void> => {
    for (let count = 0; count < appends; count++) await read()
  }

  await Promise.all([...Array.from({ length: writers }, (_, name) => writer(name)), reader()])
  await read()
  return operations
}

const mostAttempts = 10_000

type Append = (entries: readonly Entry[], head: string | null | undefined) => Promise<boolean>

async function writeOne(
  store: Store,
  thread: string,
  name: string,
  options: WritersOptions,
  append: Append,
  again: boolean,
): Promise<void> {
  const { batch = 1, linked = false } = options
  for (let tries = 0; tries < mostAttempts; tries++) {
    const [after] = linked ? ((await attempt(store.read(thread, { last: 1 }), options.mayFail ?? false)) ?? []) : []
    const entries: Entry[] = []
    for (let index = 0; index < batch; index++) entries.push(entryOf(user(`${name}.${index}`), entries.at(-1) ?? after))
    const head = linked ? (after?.id ?? null) : undefined
    const written = await append(entries, head)
    if (written && again) await append(entries, head)
    if (written) return
  }
  throw new Error(`an append was refused ${mostAttempts} times, each time after the head that was read just before`)
}

/** Undefined if it failed, and may fail. */
async function attempt<T>(work: Promise<T>, mayFail: boolean): Promise<T | undefined> {
  return mayFail ? work.catch(() => undefined) : work
}
