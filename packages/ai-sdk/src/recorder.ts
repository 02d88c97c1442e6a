import { MinutebookError, type Entry, type Message, type Store, type Usage } from 'minutebook'
import type { Plan } from 'minutebook/compile'
import { checkUnapproved, entryOf, traits, type EntryFacts, type NewEntry } from 'minutebook/store'
import { noteDrafts, reconcile, type Reconciliation } from 'minutebook/wire'

/** What came of one model call. */
export interface RecordedTurn {
  /** All messages of the call, as they came: a client sends its whole history again. */
  readonly incoming: readonly Message[]
  /** One message; several if the provider itself ran tools; none if nothing was said. */
  readonly answer: readonly Message[]
  readonly notes: readonly string[]
  /** Notes of the answer that a later one replaced. They are recorded with it. */
  readonly earlier: readonly string[]
  /** `cancelled`, `failed`: the answer is what was shown of it until then. `partial`: there was no room for more. */
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed'
  readonly plan: Plan
  /** What the prompt was expected to cost. */
  readonly tokens: number
  /** What the provider says it cost. */
  readonly usage: Usage
}

/** Where a middleware records. Contract: resolves when the turn is stored; rejects if that failed. */
export interface Recorder {
  (turn: RecordedTurn): Promise<void>
  /** Notes that belong to these messages, each with the index of the message that it comes after. */
  readonly notesFor?: (incoming: readonly Message[]) => Promise<readonly PlacedNote[]>
}

/** A note, and the message after which it stands. */
export interface PlacedNote {
  readonly after: number
  readonly entry: Entry
}

/**
 * Records into a thread: finds the place of the messages in its log and appends only what is new, then the answer and
 * its notes. An edited message or a second answer starts a branch.
 *
 * @example
 * const record = recordTo(memoryStore(), 'lamp')
 */
export function recordTo(store: Store, thread: string, options: { readonly now?: () => string } = {}): Recorder {
  const record = async (turn: RecordedTurn): Promise<void> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const log = await store.read(thread)
      const found = reconcile(turn.incoming, log, { known: true })
      const entries = newEntries(found, turn, options.now?.())
      checkUnapproved(log, entries)
      if (entries.length === 0) return
      const head = log.findLast(({ kind }) => traits[kind].chained)?.id ?? null
      const appended = await store.append(thread, entries, { head })
      if (appended.ok) return
    }
    throw new MinutebookError(
      'record_conflict',
      `The turn could not be recorded: others wrote to the thread ${attempts} times in between.`,
      'Send the messages again.',
      { thread },
    )
  }
  const notesFor = async (incoming: readonly Message[]): Promise<PlacedNote[]> => {
    const log = await store.read(thread)
    const notes = notesByParent(log)
    return reconcile(incoming, log, { known: true }).known.flatMap((known, after) =>
      (known ? (notes.get(known.id) ?? []) : []).map((entry) => ({ after, entry })),
    )
  }
  return Object.assign(record, { notesFor })
}

const attempts = 8

function newEntries(
  { parent, fresh }: Reconciliation,
  { answer, status, ...taken }: RecordedTurn,
  time: string | undefined,
): NewEntry[] {
  const made: Entry[] = []
  const add = (message: Message, facts: EntryFacts): void =>
    void made.push(entryOf(message, made.at(-1) ?? parent, { ...facts, ...(time !== undefined && { time }) }))
  // An answer that the log does not have was written elsewhere.
  for (const message of fresh) add(message, message.role === 'assistant' ? { origin: 'import' } : {})
  for (const [index, message] of answer.entries()) add(message, index === answer.length - 1 ? { status } : {})
  for (const { message, facts = {} } of noteDrafts(taken)) add(message, facts)
  return made
}

/** What hangs off each entry, except for what was revoked. A compiler takes from it what can be in a prompt. */
function notesByParent(log: readonly Entry[]): Map<string | null, Entry[]> {
  const revoked = new Set(log.filter(({ kind }) => kind === 'revocation').map(({ text }) => text))
  const notes = new Map<string | null, Entry[]>()
  for (const entry of log) {
    if (traits[entry.kind].chained || revoked.has(entry.id)) continue
    notes.set(entry.parent, [...(notes.get(entry.parent) ?? []), entry])
  }
  return notes
}
