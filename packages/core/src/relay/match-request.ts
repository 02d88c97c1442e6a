import { notLoadedError } from '../log/branch.ts'
import { isSystemText, openingKey, type Entry } from '../log/entry.ts'
import type { LiveLog } from '../log/log.ts'
import type { Message } from '../log/message.ts'
import { inSlices } from '../log/time.ts'
import { reconciling, type ReconcileOptions, type Reconciliation } from '../turns/match-history.ts'

/**
 * Where the messages belong: the entry that they follow, the new ones with their indexes, and the entries of the
 * others.
 */
export interface RequestMatch {
  readonly after: string | null
  readonly fresh: readonly Message[]
  readonly indexes: readonly number[]
  readonly known: readonly (Entry | undefined)[]
}

/** Finds the place of a history in the log. */
export async function among(
  log: LiveLog,
  messages: readonly Message[],
  compared: ReconcileOptions,
): Promise<RequestMatch> {
  const { parent, known, fresh, indexes } = await reconciled(log, messages, compared)
  const after = parent?.id ?? null
  const again = compared.demoted ? [] : saidAgain(textsUpTo(log, after), known)
  if (again.length === 0) return { after, known, fresh, indexes }
  const repeated = new Set(again)
  const places = new Map(
    [
      ...indexes.map((index, at) => [index, fresh[at]!] as const),
      ...again.map((index) => [index, messages[index]!] as const),
    ].toSorted(([left], [right]) => left - right),
  )
  return {
    after,
    fresh: [...places.values()],
    indexes: [...places.keys()],
    known: known.map((entry, index) => (repeated.has(index) ? undefined : entry)),
  }
}

/** Compares the messages with all of the log that is loaded. */
export async function reconciled(
  log: LiveLog,
  messages: readonly Message[],
  compared: ReconcileOptions,
): Promise<Reconciliation> {
  const { start, before, landmarks: systems } = log
  if (!start) return inSlices(reconciling(messages, log.entries, compared), log.pause)
  const { head, seq, landmarks } = start
  if (!systems || !landmarks) throw notLoadedError()
  const from = before[0]?.seq ?? seq + 1
  const loaded = [...before, ...log.entries]
  return inSlices(reconciling(messages, loaded, compared, { from, head, landmarks, systems }), log.pause)
}

/** The system texts of a branch, also those among the landmarks: the newest of each key. */
export function textsUpTo(log: LiveLog, head: string | null): readonly Entry[] {
  if (head === null) return []
  if (log.start && !log.landmarks) throw notLoadedError()
  return [...(log.landmarks ?? []), ...log.branch(head)].filter(isSystemText)
}

/**
 * The indexes of opening system messages that are recorded, but were replaced by another text since: they must be
 * recorded again.
 */
function saidAgain(recorded: readonly Entry[], known: readonly (Entry | undefined)[]): readonly number[] {
  const texts = new Map(recorded.map(({ key, text }) => [key, text]))
  const first = known.findIndex((entry) => entry && entry.kind !== 'system')
  return [...known.slice(0, first < 0 ? undefined : first).entries()].flatMap(([place, entry]) => {
    const newest = texts.get(openingKey(place))
    return entry && newest !== undefined && newest !== entry.text ? [place] : []
  })
}

/** All messages are new, and follow `after`. */
export function behind(after: string | null, messages: readonly Message[]): RequestMatch {
  return { after, fresh: messages, indexes: [...messages.keys()], known: messages.map(() => undefined) }
}
