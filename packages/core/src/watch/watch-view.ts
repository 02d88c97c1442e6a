import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { isRelayReceipt, isUnfinished } from '../log/next.ts'
import type { VisibleEntry } from '../log/visible.ts'
import { createReading, turnText, type LiveText, type Shown } from '../turns/feed.ts'

/**
 * How far someone has seen a thread: the seq of the next entry, and so much of what the model call says that runs
 * there, under that term.
 */
export interface WatchPosition {
  readonly seq: number
  readonly term: number
  readonly offset: number
}

/**
 * What someone who watches a thread is shown. The text that stands on their screen beside entries is always as long as
 * the position's `offset`.
 */
export type Watched =
  /** An entry. Where it is the answer whose text was shown, that text is all of it, and the entry takes its place. */
  | { readonly type: 'entry'; readonly entry: VisibleEntry; readonly position: WatchPosition }
  /** A piece of what the running model call says, to be put at `offset`. */
  | {
      readonly type: 'text'
      readonly term: number
      readonly offset: number
      readonly text: string
      readonly position: WatchPosition
    }
  /** The text that was shown is void: another instance took over, or the call ended without that answer. */
  | { readonly type: 'reset'; readonly term: number; readonly position: WatchPosition }
  /** A turn is over, or none runs. */
  | { readonly type: 'rest'; readonly position: WatchPosition }

/** What is shown of a thread, from what is read of its log and what its runner tells. */
export interface WatchView {
  /** The entries that follow, and each as people see it. `term`: the thread's, from before they were read. */
  read(entries: readonly Entry[], views: readonly (VisibleEntry | undefined)[], term: number): Watched[]
  /** All was read, and the thread stands in this turn. `since`: all entries from its first on, of whatever branch. */
  stand(turn: readonly Entry[], since: readonly Entry[], term: number): Watched[]
  /** What the runner tells. Undefined where that is not of the call that is known to run. */
  hear(news: LiveText): Watched[] | undefined
  /** Whether something was told that does not go on from what is known. */
  readonly isBehind: boolean
  readonly position: WatchPosition
}

/**
 * The log and its runner's text become one sequence: each model call ends with its receipt, or a stop, and until then
 * its text is shown.
 */
export function createWatching(from: WatchPosition): WatchView {
  let { seq, offset } = from
  let reading = createReading({ term: from.term, offset })
  /** Whether text of this call was begun, or taken back: then its answer comes as text, too. */
  let hasBegun = offset > 0
  /**
   * The call that runs: the turn that it is of, where in the text of that it begins, and the seq after the end of the
   * one before.
   */
  let call: { readonly turn: string; readonly start: number; readonly after: number } | undefined
  /** Whether it was said that the turn before is over; undefined where that cannot be told. */
  let isOver: boolean | undefined = seq === 0 ? true : undefined
  let isRest = false

  const isCurrent = ({ turn, start, length = seq }: LiveText): boolean => {
    return call !== undefined && turn === call.turn && start === call.start && length >= call.after && length <= seq
  }
  const position = (): WatchPosition => ({ seq, term: reading.term, offset })
  const shown = (pieces: readonly Shown[]): Watched[] =>
    pieces.map((piece) => {
      offset = piece.type === 'reset' ? 0 : piece.offset + piece.text.length
      hasBegun = true
      isOver = isRest = false
      return { ...piece, position: position() }
    })
  /** The call is over. Its text is void where no entry took its place. */
  const close = (): Watched[] => {
    const left = offset > 0 ? shown([{ type: 'reset', term: reading.term }]) : []
    reading = createReading({ term: reading.term, offset: 0 })
    offset = 0
    hasBegun = false
    call = undefined
    return left
  }
  const rest = (): Watched[] => {
    const left = close()
    isOver = isRest = true
    return [...left, { type: 'rest', position: position() }]
  }
  /** An answer takes the place of its text. */
  const conclude = (text: string | undefined, term: number): Watched[] => {
    if (!hasBegun || text === undefined) return close()
    const whole = shown([...reading.doubt(term), ...reading.read(text), ...reading.end()])
    offset = 0
    return [...whole, ...close()]
  }
  const take = (entry: Entry, visible: VisibleEntry | undefined): Watched[] => {
    seq = entry.seq + 1
    if (asks(entry)) isOver = isRest = false
    else if (isOver === undefined && belongsToTurn(entry)) isOver = false
    if (!visible) return []
    isOver = isRest = false
    return [{ type: 'entry', entry: visible, position: position() }]
  }
  return {
    read: (entries, views, term) =>
      entries.flatMap((entry, index) => {
        const visible = views[index]
        const before = asks(entry) && isOver === false ? rest() : asks(entry) || endsCall(entry) ? close() : []
        if (isAnswer(entry, entries, index)) before.push(...conclude(visible?.text, term))
        return [...before, ...take(entry, visible)]
      }),
    stand: (turn, since, term) => {
      const [asked] = turn
      if (!asked || !isUnfinished(turn)) return isRest ? [] : rest()
      call = { turn: asked.id, start: turnText(turn).length, after: (since.findLast(endsCall)?.seq ?? -1) + 1 }
      isOver = isRest = false
      return shown([...reading.enter(term), ...reading.goOn()])
    },
    hear: (news) => {
      if (!isCurrent(news)) return undefined
      return shown(reading.hear({ ...news, start: 0, offset: news.offset - news.start }))
    },
    get isBehind() {
      return reading.isBehind
    },
    get position() {
      return position()
    },
  }
}

/** Whether a turn begins with it. */
function asks({ kind }: Entry): boolean {
  return traits[kind].opensExchange || kind === 'retry'
}

/** Whether a model call of a turn ended with it, or was given up. */
function endsCall(entry: Entry): boolean {
  return entry.kind === 'stop' || (entry.kind === 'receipt' && !isRelayReceipt(entry))
}

/** Whether an entry is what the call said that ends next: its receipt hangs off it, and was written with it. */
function isAnswer({ id, kind }: Entry, entries: readonly Entry[], index: number): boolean {
  if (kind !== 'assistant') return false
  let next = index + 1
  while (next < entries.length && !endsCall(entries[next]!)) next++
  return entries[next]?.kind === 'receipt' && entries[next]?.parent === id
}

/** Whether it tells that a turn was under way before it. */
function belongsToTurn({ kind }: Entry): boolean {
  return traits[kind].chained
    ? kind !== 'system'
    : kind === 'receipt' || kind === 'stop' || kind === 'note' || kind === 'journal'
}
