import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { isRelayReceipt, isUnfinished } from '../log/next.ts'
import type { VisibleEntry } from '../log/visible.ts'
import type { TurnResult } from '../turns/turn.ts'
import { createReading, turnText, type LiveText, type FollowEvent } from '../turns/feed.ts'
import type { BranchChange } from './log-tail.ts'
import type { WatchPosition } from '../turns/position.ts'

/**
 * An event of `thread.watch`. If the stream breaks off, pass the position of the last event to continue after it. `P`: the
 * form of the position.
 */
export type WatchEvent<P = string> =
  /** An entry. If it is the answer whose live text was shown, it replaces that text. All of the text came before it. */
  | { readonly type: 'entry'; readonly entry: VisibleEntry; readonly position: P }
  /** A piece of the running model call's text, to be put at `offset`. */
  | { readonly type: 'text'; readonly offset: number; readonly text: string; readonly position: P }
  /** Discard the live text: another instance took over, or the model call ended without that answer. */
  | { readonly type: 'reset'; readonly position: P }
  /** The newest branch is another one: `entries` replace those that follow `after`. Null: they replace all entries. */
  | {
      readonly type: 'branch'
      readonly after: string | null
      readonly entries: readonly VisibleEntry[]
      readonly position: P
    }
  /** Something else is shown of an earlier entry than before: whether it is pinned, or what people think of it. */
  | { readonly type: 'changed'; readonly entry: string; readonly position: P }
  /** A turn is over. `key`: the key of the message that it answers. */
  | { readonly type: 'end'; readonly result: TurnResult; readonly key: string | undefined; readonly position: P }

/** What a view yields: at an end, the turn is still to be read from the log. */
export type ViewEvent =
  | Exclude<WatchEvent<WatchPosition>, { readonly type: 'end' }>
  | { readonly type: 'end'; readonly position: WatchPosition }

/** What does a watcher see? Turns log entries and live text into the events of `thread.watch`. It has no I/O. */
export interface WatchView {
  /** Takes the next entries, and each as people see it. `term`: the term of the thread, taken before they were read. */
  read(entries: readonly Entry[], views: readonly (VisibleEntry | undefined)[], term: number): ViewEvent[]
  /** Takes the next entries if they change the newest branch. */
  move(entries: readonly Entry[], change: BranchChange, term: number): ViewEvent[]
  /**
   * Call it when everything was read. `turn`: the newest turn. `since`: all entries from its first one on, of all
   * branches.
   */
  stand(turn: readonly Entry[], since: readonly Entry[], term: number): ViewEvent[]
  /** Takes a piece of live text. Returns undefined if it does not belong to the model call that is known to run. */
  hear(news: LiveText): Exclude<ViewEvent, { readonly type: 'end' }>[] | undefined
  /** True if a piece of live text does not continue the known text. */
  readonly isBehind: boolean
  readonly position: WatchPosition
}

/**
 * Merges the log and the live text into one sequence. A model call ends with its receipt or with a stop entry. Until
 * then its live text is shown.
 */
export function createWatching(from: WatchPosition): WatchView {
  let { seq, offset } = from
  let reading = createReading({ term: from.term, offset })
  /**
   * True if live text of this call was shown, even if it was discarded: then the rest of its answer is shown as text,
   * too.
   */
  let hasBegun = offset > 0
  /**
   * The model call that runs: its turn, its start in the text of that turn, and the seq after the end of the call
   * before.
   */
  let call: { readonly turn: string; readonly start: number; readonly after: number } | undefined
  /** True if the end of the turn before was told. Undefined if that is unknown. */
  let isOver: boolean | undefined = seq === 0 || from.isEnd ? true : undefined
  let isRest = from.isEnd ?? false

  const isCurrent = ({ turn, start, length = seq }: LiveText): boolean => {
    return call !== undefined && turn === call.turn && start === call.start && length >= call.after && length <= seq
  }
  const position = (): WatchPosition => ({ seq, term: reading.term, offset })
  const shown = (pieces: readonly FollowEvent[]): Exclude<ViewEvent, { readonly type: 'end' }>[] =>
    pieces.map((piece) => {
      offset = piece.type === 'reset' ? 0 : piece.offset + piece.text.length
      hasBegun = true
      isOver = isRest = false
      return piece.type === 'reset'
        ? { type: 'reset', position: position() }
        : { type: 'text', offset: piece.offset, text: piece.text, position: position() }
    })
  /** Ends the model call. If no entry has replaced its live text, that text is discarded. */
  const close = (): ViewEvent[] => {
    const left = offset > 0 ? shown([{ type: 'reset', term: reading.term }]) : []
    reading = createReading({ term: reading.term, offset: 0 })
    offset = 0
    hasBegun = false
    call = undefined
    return left
  }
  const rest = (): ViewEvent[] => {
    const left = close()
    isOver = isRest = true
    return [...left, { type: 'end', position: { ...position(), isEnd: true } }]
  }
  /** An answer replaces its live text: completes the text first. */
  const conclude = (text: string | undefined, term: number): ViewEvent[] => {
    if (!hasBegun || text === undefined) return close()
    const whole = shown([...reading.doubt(term), ...reading.read(text), ...reading.end()])
    offset = 0
    return [...whole, ...close()]
  }
  const changed = (entry: string): ViewEvent => ({
    type: 'changed',
    entry,
    position: { ...position(), ...(isRest && { isEnd: true }) },
  })
  const take = (entry: Entry, visible: VisibleEntry | undefined): ViewEvent[] => {
    seq = entry.seq + 1
    if (asks(entry)) isOver = isRest = false
    else if (isOver === undefined && belongsToTurn(entry)) isOver = false
    if (!visible) return changes.has(entry.kind) && entry.parent !== null ? [changed(entry.parent)] : []
    isOver = isRest = false
    return [{ type: 'entry', entry: visible, position: position() }]
  }
  const read: WatchView['read'] = (entries, views, term) =>
    entries.flatMap((entry, index) => {
      const visible = views[index]
      const before = asks(entry) && isOver === false ? rest() : asks(entry) || endsCall(entry) ? close() : []
      if (isAnswer(entry, entries, index)) before.push(...conclude(visible?.text, term))
      return [...before, ...take(entry, visible)]
    })
  return {
    read,
    move: (entries, change, term) => {
      const start = seq
      // A turn that ended in between may be on another branch. Only the last one counts, and `stand` tells its end.
      const resets = read(entries, [], term)
        .filter(({ type }) => type === 'reset')
        // Not in between: a watcher who leaves here comes back to all entries of the change.
        .map((event) => ({ ...event, position: { ...event.position, seq: start } }))
      if (change.entries.length === 0 && !change.drops) return resets
      isOver = isRest = false
      return [...resets, { type: 'branch', after: change.after, entries: change.entries, position: position() }]
    },
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

/** The kinds of entries that change what is shown of the entry that they hang off. */
const changes: ReadonlySet<string> = new Set(['pin', 'revocation', 'feedback'])

/** True if a turn begins with this entry. */
function asks({ kind }: Entry): boolean {
  return traits[kind].opensExchange || kind === 'retry'
}

/** True if a model call of a turn ended, or was given up, with this entry. */
function endsCall(entry: Entry): boolean {
  return entry.kind === 'stop' || (entry.kind === 'receipt' && !isRelayReceipt(entry))
}

/**
 * True if the entry is the answer of the model call that ends next: the receipt of that call hangs off it, and was
 * written with it.
 */
function isAnswer({ id, kind }: Entry, entries: readonly Entry[], index: number): boolean {
  if (kind !== 'assistant') return false
  let next = index + 1
  while (next < entries.length && !endsCall(entries[next]!)) next++
  return entries[next]?.kind === 'receipt' && entries[next]?.parent === id
}

/** True if the entry shows that a turn was already running before it. */
function belongsToTurn({ kind }: Entry): boolean {
  return traits[kind].chained
    ? kind !== 'system'
    : kind === 'receipt' || kind === 'stop' || kind === 'note' || kind === 'journal'
}
