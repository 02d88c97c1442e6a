import type { News } from '../feed/feed.ts'
import { createReading, type Position, type Shown } from '../feed/live-text.ts'
import { turnText } from '../feed/turn-text.ts'
import type { StoredEntry } from '../log/store.ts'
import { isUnfinished, newestTurn } from '../record/next.ts'
import type { LiveLog } from '../record/live-log.ts'
import type { Holding } from '../turn/holding.ts'
import { turnOf } from '../turn/result.ts'
import { glances, type Glanced } from './glances.ts'

/** What is seen of a turn from outside. */
export interface Observer {
  show(shown: Shown): void
  /** An entry of the turn, after the text that it brought. */
  entry?(entry: StoredEntry, turn: readonly StoredEntry[]): void
}

export interface Observing {
  /** The user entry of the turn. */
  readonly asked: StoredEntry
  /** Entries up to this seq are known. */
  readonly since: number
  /** How far the text is known, where it is. */
  readonly from?: Position | undefined
}

/** Follows a turn by its log, and by what its runner tells, until it is over: then gives its entries. Undefined where the signal aborts before. */
export async function observe(watched: Glanced & Pick<Holding, 'log' | 'store'>, { asked, since, from }: Observing, observer: Observer, signal: AbortSignal): Promise<readonly StoredEntry[] | undefined> {
  const { log, feed, thread, store } = watched
  const reading = createReading(from)
  const show = (pieces: readonly Shown[]): void => pieces.forEach((shown) => observer.show(shown))
  const hear = (news: News): boolean => {
    if (news.type !== 'text' || news.turn !== asked.id) return false
    const wasBehind = reading.isBehind
    show(reading.hear(news))
    // Once: whoever tells may know no more, and must not be asked without end.
    return reading.isBehind && !wasBehind
  }
  let [seen, hasAsked, term] = [since, false, 0]
  const refresh = async (): Promise<void> => {
    // Whoever goes on from a position must know whose it was. Before the log: the term is of this turn if that still runs then.
    if (from) term = (await store.standing(thread)).term
    await watched.refresh()
  }
  for await (const _ of glances({ ...watched, refresh }, signal, hear)) {
    if (!log.has(asked.id)) await log.whole()
    const turn = turnIn(log, asked)
    const isOver = !isAtWork(log, asked)
    if (from) show(isOver ? reading.doubt(term) : reading.enter(term))
    for (const entry of turn.filter(({ seq }) => seq > seen).toSorted((left, right) => left.seq - right.seq)) {
      show(reading.read(turnText(turn.filter(({ seq }) => seq <= entry.seq))))
      observer.entry?.(entry, turn)
      seen = entry.seq
    }
    show(reading.read(turnText(turn)))
    show(isOver ? reading.end() : reading.goOn())
    if (isOver) return turn
    if (!hasAsked || reading.isBehind) feed.publish(thread, { type: 'asked' })
    hasAsked = true
  }
  return undefined
}

/** Whether a thread stands in this turn, and it is unfinished. */
export function isAtWork(log: LiveLog, { id }: Pick<StoredEntry, 'id'>): boolean {
  const turn = newestTurn(log.branch())
  return turn[0]?.id === id && isUnfinished(turn)
}

/** The entries of a turn as far as they are known. */
function turnIn(log: LiveLog, asked: StoredEntry): readonly StoredEntry[] {
  const newest = newestTurn(log.branch())
  return newest[0]?.id === asked.id ? newest : turnOf(log.entries, asked)
}
