import { isSystemText, openingKey, type Entry } from '../log/entry.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { Message } from '../log/message.ts'
import { inSlices } from '../log/time.ts'
import { matching, reconciling, type ReconcileOptions, type Reconciliation } from '../turns/match-history.ts'

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
  const again = compared.demoted ? [] : saidAgain(await textsUpTo(log, after), known)
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

/** Compares the messages with the log: with the end of it that is loaded, and with as much before that as is needed. */
export async function reconciled(
  log: LiveLog,
  messages: readonly Message[],
  compared: ReconcileOptions,
): Promise<Reconciliation> {
  for (;;) {
    const { start, before, landmarks: systems } = log.past
    if (!start) return inSlices(reconciling(messages, log.entries, compared), log.pause)
    const { head, seq, landmarks } = start
    const part = systems && landmarks && { from: before[0]?.seq ?? seq + 1, head, landmarks, systems }
    const loaded = [...before, ...log.entries]
    const found = part ? await inSlices(matching(messages, loaded, compared, part), log.pause) : 'whole'
    if (typeof found === 'object') return found
    await (found === 'earlier' ? log.past.earlier(2 * messages.length) : log.past.whole())
  }
}

/** The system texts of a branch, also those among the landmarks: the newest of each key. */
export async function textsUpTo(log: LiveLog, head: string | null): Promise<readonly Entry[]> {
  if (head === null) return []
  const found = await log.line(head, (branch) => {
    const { start, landmarks } = log.past
    return start && !landmarks ? undefined : [...(landmarks ?? []), ...branch].filter(isSystemText)
  })
  if (found) return found
  await log.past.whole()
  return textsUpTo(log, head)
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
