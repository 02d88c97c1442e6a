import { clientKeyOf, type Entry } from './entry.ts'
import { feedbackPlace, filterNames } from './feedback.ts'
import { traits } from './kind.ts'
import { gatesIn } from './open-call.ts'
import { recordNames } from './record-names.ts'

// What goes along if entries are erased?

/**
 * The entries that an erasure turns into tombstones: those with these ids (Default: all), what was sent under the same
 * key, what was derived from either, the journal of a turn if calls of it go, and older feedback that would count again.
 * In order, without those that are tombstones already.
 */
export function erasedWith<E extends Entry>(log: readonly E[], ids: readonly string[] | undefined): E[] {
  const named = new Set(ids ?? log.map(({ id }) => id))
  const keys = new Set(log.filter(({ id }) => named.has(id)).map(clientKeyOf))
  keys.delete(undefined)
  const sent = new Set(log.filter((entry) => named.has(entry.id) || keys.has(clientKeyOf(entry))).map(({ id }) => id))
  const places = new Set(log.filter(({ id }) => sent.has(id)).map((entry) => feedbackPlace(entry)?.key))
  places.delete(undefined)
  const tells = createJournalReader(log, sent)
  return log.filter((entry) => {
    const { id, parent, kind, status } = entry
    if (status === 'erased') return false
    const follows = traits[kind].derived && parent !== null && sent.has(parent)
    return sent.has(id) || follows || places.has(feedbackPlace(entry)?.key) || tells(entry)
  })
}

/**
 * Tells whether an entry is a journal that repeats one of these entries: a journal hangs off the end of a turn, and says
 * which calls were made in it.
 */
function createJournalReader(log: readonly Entry[], gone: ReadonlySet<string>): (entry: Entry) => boolean {
  const isTold = ({ id, calls }: Entry): boolean => gone.has(id) && calls.length > 0
  if (!log.some(isTold)) return () => false
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  return ({ kind, parent }) => {
    if (kind !== 'journal') return false
    for (let before = byId.get(parent ?? ''); before; before = byId.get(before.parent ?? '')) {
      if (isTold(before)) return true
      if (traits[before.kind].opensExchange) return false
    }
    return false
  }
}

/**
 * The records that repeat what these entries say, so that they go when the entries are erased: feedback, and the calls
 * that wait for a decision.
 */
export function recordsErasedWith(gone: readonly Entry[]): readonly { readonly name: string; readonly key: string }[] {
  const byId = new Map(gone.map((entry) => [entry.id, entry]))
  return gone.flatMap((entry) => {
    const place = feedbackPlace(entry)
    if (place) return [recordNames.feedback, ...filterNames(place.feedback)].map((name) => ({ name, key: place.key }))
    const issuer = entry.kind === 'wait' ? byId.get(entry.parent ?? '') : undefined
    return issuer ? gatesIn(entry, issuer).map(({ id: key }) => ({ name: recordNames.waiting, key })) : []
  })
}
