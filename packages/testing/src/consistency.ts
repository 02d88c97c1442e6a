/**
 * An append or a read as a client saw it. `begin` and `end` are moments of one clock for all clients: numbers that
 * grow.
 */
export type Operation = AppendOperation | ReadOperation

/** An append, and the answer that its client got. */
export interface AppendOperation {
  readonly kind: 'append'
  readonly begin: number
  /** Absent if no answer came. */
  readonly end?: number
  readonly ids: readonly string[]
  readonly outcome: 'written' | 'refused' | 'unknown'
  /** As answered, one for each id; empty unless written. */
  readonly seqs: readonly number[]
}

/** A read of the whole log, and what its client got. */
export interface ReadOperation {
  readonly kind: 'read'
  readonly begin: number
  readonly end: number
  /** The whole log, as it was read. */
  readonly entries: readonly { readonly id: string; readonly seq: number }[]
}

/**
 * What is wrong with a store, judged from what its clients saw: each finding is one line that begins with the name of
 * the check. The operation that begins last must be a read. An append that is retried has the same ids.
 *
 * 1. `present once`: every acknowledged entry is in the log once, at the seq that was answered.
 * 2. `gapless`: the log is numbered from 0 without gaps.
 * 3. `real-time order`: what was acknowledged before another append began stands before it.
 * 4. `prefix reads`: every read is a beginning of the log and holds all that was acknowledged before it began.
 * 5. `all or nothing`: an append without an answer is there whole or not at all; a refused one is not there.
 *
 * @example
 * expect(checkConsistency(await runWriters(store, 'thread'))).toEqual([])
 */
export function checkConsistency(operations: readonly Operation[]): string[] {
  const last = operations.toSorted((one, other) => one.begin - other.begin).at(-1)
  if (last?.kind !== 'read') return ['nothing to judge by: end with a read of the whole log']
  const appends = operations.filter((operation) => operation.kind === 'append')
  const reads = operations.filter((operation) => operation.kind === 'read')
  return [
    ...presentOnce(appends, last),
    ...gapless(last),
    ...realTimeOrder(appends),
    ...prefixReads(appends, reads, last),
    ...allOrNothing(appends, last),
  ]
}

function presentOnce(appends: readonly AppendOperation[], { entries }: ReadOperation): string[] {
  const places = new Map<string, number[]>()
  for (const { id, seq } of entries) places.set(id, [...(places.get(id) ?? []), seq])
  const doubled = [...places]
    .filter(([, seqs]) => seqs.length > 1)
    .map(([id, seqs]) => `present once: ${id} is there ${seqs.length} times, at ${seqs.join(', ')}`)
  const lost = answers(appends).flatMap(({ id, seq }) => {
    const [place] = places.get(id) ?? []
    if (place === undefined) return [`present once: ${id} was acknowledged at ${seq} and is not in the log`]
    return place === seq ? [] : [`present once: ${id} was acknowledged at ${seq} and is at ${place}`]
  })
  return [...doubled, ...lost]
}

function gapless({ entries }: ReadOperation): string[] {
  const wrong = entries.findIndex(({ seq }, index) => seq !== index)
  return wrong < 0 ? [] : [`gapless: ${entries[wrong]!.seq} stands where ${wrong} belongs`]
}

/** An entry that was tried several times may have been written by the first attempt, so it began with that one. */
function realTimeOrder(appends: readonly AppendOperation[]): string[] {
  const began = new Map<string, number>()
  for (const { ids, begin } of appends) for (const id of ids) began.set(id, Math.min(begin, began.get(id) ?? begin))
  const acknowledged = answers(appends)
  const byEnd = acknowledged.toSorted((one, other) => one.end - other.end)
  const byBegin = acknowledged
    .map((answer) => ({ ...answer, begin: began.get(answer.id) ?? 0 }))
    .toSorted((one, other) => one.begin - other.begin)
  const found: string[] = []
  let before: { id: string; seq: number } | undefined
  let ended = 0
  for (const { id, seq, begin } of byBegin) {
    for (; ended < byEnd.length && byEnd[ended]!.end < begin; ended++) {
      const answer = byEnd[ended]!
      if (before === undefined || answer.seq > before.seq) before = answer
    }
    if (before !== undefined && before.id !== id && before.seq >= seq) {
      found.push(`real-time order: ${before.id} was acknowledged at ${before.seq} before ${id} began, which got ${seq}`)
    }
  }
  return found
}

function prefixReads(
  appends: readonly AppendOperation[],
  reads: readonly ReadOperation[],
  last: ReadOperation,
): string[] {
  const acknowledged = answers(appends)
  return reads.flatMap(({ begin, entries }) => {
    const wrong = entries.findIndex(
      ({ id, seq }, index) => last.entries[index]?.id !== id || last.entries[index].seq !== seq,
    )
    if (wrong >= 0)
      return [
        `prefix reads: the read that began at ${begin} shows ${entries[wrong]!.id} at place ${wrong}, where the log has ${last.entries[wrong]?.id ?? 'nothing'}`,
      ]
    const shown = new Set(entries.map(({ id }) => id))
    const missed = acknowledged.find(({ id, end }) => end < begin && !shown.has(id))
    return missed === undefined
      ? []
      : [`prefix reads: the read that began at ${begin} lacks ${missed.id}, acknowledged at ${missed.end}`]
  })
}

function allOrNothing(appends: readonly AppendOperation[], { entries }: ReadOperation): string[] {
  const there = new Set(entries.map(({ id }) => id))
  const acknowledged = new Set(answers(appends).map(({ id }) => id))
  const open = appends.filter(({ outcome, ids }) => outcome !== 'written' && !ids.some((id) => acknowledged.has(id)))
  const tried = new Set(open.filter(({ outcome }) => outcome === 'unknown').flatMap(({ ids }) => ids))
  return open.flatMap(({ outcome, ids }) => {
    const found = ids.filter((id) => there.has(id))
    if (outcome === 'refused' && found.some((id) => !tried.has(id)))
      return [`all or nothing: ${found[0]} was refused and is in the log`]
    return found.length === 0 || found.length === ids.length
      ? []
      : [
          `all or nothing: ${found.length} of ${ids.length} entries of one append are in the log, ${found[0]} among them`,
        ]
  })
}

interface Answer {
  readonly id: string
  readonly seq: number
  readonly end: number
}

function answers(appends: readonly AppendOperation[]): Answer[] {
  return appends.flatMap(({ outcome, ids, seqs, end }) =>
    outcome === 'written' ? ids.map((id, index) => ({ id, seq: seqs[index] ?? -1, end: end ?? Infinity })) : [],
  )
}
