import { setTimeout as pause } from 'node:timers/promises'
import { MinutebookError, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import type { AppendOperation, Operation, ReadOperation } from '@minutebook/testing'

/** What is written to and read from several threads until it is ended, and what its clients saw. */
export interface Load {
  readonly threads: readonly string[]
  readonly operationsOn: (thread: string) => readonly Operation[]
  readonly appendsOn: (thread: string) => readonly AppendOperation[]
  /** How many appends of all threads had this outcome until now. */
  readonly appends: (outcome: AppendOperation['outcome']) => number
  /**
   * For each writer, when the first append was acknowledged that began after a moment. Undefined until all have one.
   */
  readonly resumedAfter: (moment: number) => readonly number[] | undefined
  /** The codes of the errors for which calls were repeated. */
  readonly codes: ReadonlySet<string>
  /** Resolves when everything that was begun is acknowledged. */
  readonly end: () => Promise<void>
}

/** What one client does, and what it saw until now. */
interface Client {
  readonly name: string
  readonly thread: string
  readonly appends: AppendOperation[]
  readonly reads: ReadOperation[]
}

interface Work {
  readonly store: Store
  readonly codes: Set<string>
  readonly isOver: () => boolean
}

/** Two writers and a reader for each thread. */
export function startLoad(store: Store, threads: readonly string[]): Load {
  let over = false
  const work: Work = { store, codes: new Set(), isOver: () => over }
  const clientsOf = (each: readonly string[]): Client[] =>
    each.map((thread, index) => ({ name: `writer ${index}`, thread, appends: [], reads: [] }))
  const writers = clientsOf([...threads, ...threads])
  const readers = clientsOf(threads)
  const running = Promise.all([
    ...writers.map((client) => write(work, client)),
    ...readers.map((client) => read(work, client)),
  ])

  const appendsOn = (thread: string): AppendOperation[] =>
    writers.filter((client) => client.thread === thread).flatMap(({ appends }) => appends)
  return {
    threads,
    appendsOn,
    operationsOn: (thread) => [
      ...appendsOn(thread),
      ...readers.filter((client) => client.thread === thread).flatMap(({ reads }) => reads),
    ],
    appends: (wanted) => writers.flatMap(({ appends }) => appends).filter(({ outcome }) => outcome === wanted).length,
    resumedAfter: (moment) => {
      const ends = writers.map(
        ({ appends }) => appends.find(({ begin, end }) => begin > moment && end !== undefined)?.end,
      )
      return ends.every((end) => end !== undefined) ? ends : undefined
    },
    codes: work.codes,
    end: async () => {
      over = true
      await running
    },
  }
}

/**
 * One append after the other, each until it is acknowledged: those without an answer are sent again, the same entries.
 */
async function write({ store, codes, isOver }: Work, { name, thread, appends }: Client): Promise<void> {
  for (let count = 0; !isOver(); count++) {
    // The id of an entry comes from what it says: who says the same again writes nothing.
    const entries = ['one', 'two'].map((part) =>
      entryOf({ role: 'user', content: `${name}, append ${count}, part ${part}` }),
    )
    const ids = entries.map(({ id }) => id)
    for (let answered = false; !answered; await pause(answered ? 5 : 50)) {
      const begin = performance.now()
      const answer = await store.append(thread, entries).catch((error: unknown) => void codes.add(codeToRepeat(error)))
      if (answer?.ok === false) throw new Error('An append without terms was refused.')
      answered = answer !== undefined
      if (answer)
        appends.push({
          kind: 'append',
          begin,
          end: performance.now(),
          ids,
          outcome: 'written',
          seqs: answer.entries.map(({ seq }) => seq),
        })
      else appends.push({ kind: 'append', begin, ids, outcome: 'unknown', seqs: [] })
    }
  }
}

/** The whole log, again and again: nobody may see what is not there later. */
async function read({ store, codes, isOver }: Work, { thread, reads }: Client): Promise<void> {
  for (; !isOver(); await pause(250)) {
    const begin = performance.now()
    const entries = await store.read(thread).catch((error: unknown) => void codes.add(codeToRepeat(error)))
    if (entries)
      reads.push({ kind: 'read', begin, end: performance.now(), entries: entries.map(({ id, seq }) => ({ id, seq })) })
  }
}

/** That there is no primary now is no fault; anything else is. */
function codeToRepeat(error: unknown): string {
  if (MinutebookError.isInstance(error) && (error.code === 'store_unreachable' || error.code === 'store_readonly'))
    return error.code
  throw error
}
