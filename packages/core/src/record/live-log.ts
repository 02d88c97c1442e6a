import { entryOf, type Entry, type EntryFacts } from '../log/entry.ts'
import { newestChained } from '../log/history.ts'
import { traits } from '../log/kind.ts'
import type { Message } from '../log/message.ts'
import type { Appended, AppendTerms, Store, StoredEntry } from '../log/store.ts'
import type { Clock } from './clock.ts'
import { headOf } from './head.ts'
import { createLine, type Line } from './line.ts'
import { recordable } from './recordable.ts'
import { createTurnstile } from './turnstile.ts'

/** A thread's log as one holder knows it: read once, then only what is new. */
export interface LiveLog {
  readonly thread: string
  /** Everything that is known, in order of seq. */
  readonly entries: readonly StoredEntry[]
  /** Where the log stands, or the entry that was checked out. */
  readonly head: string | null
  /** The entry that was chained last, on whatever branch: what a store calls the head. */
  readonly tip: string | null
  /** Makes another entry the head for this holder, as a turn needs it that branches off; without one, the log's own again. */
  checkout(head?: string): void
  /** The entries of the line of conversation that ends there, with what hangs off them. */
  branch(): readonly StoredEntry[]
  /** Reads what others have written. `anew`: forgets everything before. */
  sync(anew?: boolean): Promise<void>
  /** Adds messages one after the other, behind `after` (the head unless told). */
  append(drafts: readonly Draft[], options?: AppendOptions): Promise<Appended>
  /** Those of these messages that were said in this very place before. */
  said(drafts: readonly Draft[], options?: AppendOptions): readonly StoredEntry[]
  /** Whether one of these messages was said in this very place before, and erased: it would not come back. */
  isErased(drafts: readonly Draft[], options?: AppendOptions): boolean
}

export interface AppendOptions {
  readonly after?: string | null
  readonly term?: number
  /** The `tip` that the thread must still have; under a term, the one that is known. */
  readonly expected?: string | null
  /** Another way to the store. */
  readonly write?: Store['append']
}

/** A message on its way into a log. */
export interface Draft {
  readonly message: Message
  readonly facts?: EntryFacts
}

/** With a clock, entries know when they were written. `grown`: told after each append from here. */
export function liveLog(store: Store, thread: string, clock?: Clock, grown: () => void = () => undefined): LiveLog {
  let known = nothingKnown()
  let checkedOut: string | undefined
  /** Reading and writing alike. */
  const inTurn = createTurnstile()
  const learn = (entries: readonly StoredEntry[]): void => {
    for (const entry of entries) {
      if (entry.seq !== known.entries.length) continue
      known.entries.push(entry)
      known.byId.set(entry.id, entry)
    }
  }
  const made = (drafts: readonly Draft[], after: string | null = log.head): Entry[] => {
    const entries: Entry[] = []
    const facts = clock ? { time: clock.now() } : {}
    const first = known.byId.get(after ?? '')
    for (const draft of drafts) entries.push(entryOf(recordable(draft.message), entries.at(-1) ?? first, { ...facts, ...draft.facts }))
    return entries
  }
  const log: LiveLog = {
    thread,
    get entries() {
      return known.entries
    },
    get head() {
      return checkedOut ?? headOf(known.entries)
    },
    get tip() {
      return newestChained(known.entries)?.id ?? null
    },
    checkout: (id) => {
      checkedOut = id
    },
    branch: () => known.line(log.head),
    sync: (anew = false) =>
      inTurn(async () => {
        const read = await store.read(thread, { from: anew ? 0 : known.entries.length })
        if (anew) known = nothingKnown()
        learn(read)
      }),
    append: (drafts, { after, term, expected, write = (...given: Parameters<Store['append']>) => store.append(...given) } = {}) =>
      inTurn(async () => {
        const terms: AppendTerms = term === undefined ? { ...(expected !== undefined && { head: expected }) } : { term, head: log.tip }
        const appended = await write(thread, made(drafts, after), terms)
        if (!appended.ok) return appended
        grown()
        learn(appended.entries)
        // Others have written in between.
        if (appended.entries.some(({ seq }) => seq >= known.entries.length)) learn(await store.read(thread, { from: known.entries.length }))
        // What was there already does not move the log, but it moves whoever said it again.
        const last = newestChained(appended.entries)?.id
        if (last !== undefined && expected === undefined) checkedOut = last === headOf(known.entries) ? undefined : last
        return appended
      }),
    said: (drafts, { after } = {}) => made(drafts, after).flatMap(({ id }) => known.byId.get(id) ?? []),
    isErased: (drafts, options) => {
      if (!known.entries.some(({ status }) => status === 'erased')) return false
      return log.said(drafts, options).some(({ kind, status }) => traits[kind].chained && status === 'erased')
    },
  }
  return log
}

/** Everything that is known of a log, and what is kept to find one's way in it. */
interface Known {
  readonly entries: StoredEntry[]
  readonly byId: Map<string, StoredEntry>
  readonly line: Line<StoredEntry>
}

function nothingKnown(): Known {
  const entries: StoredEntry[] = []
  return { entries, byId: new Map(), line: createLine(entries) }
}
