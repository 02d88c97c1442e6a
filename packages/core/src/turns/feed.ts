import type { Entry } from '../log/entry.ts'
import { isUnfinished } from '../log/next.ts'
import type { TurnControl } from './turn.ts'

/**
 * Carries the live text of running turns to the clients that follow them, on any instance (pub/sub). Events may be
 * lost: the log holds everything that counts.
 */
export interface Feed {
  /** Sends the event to all listeners of the thread. Returns at once and must not throw. */
  publish(thread: string, news: FeedEvent): void
  /**
   * Calls `hear` with every event that is published after the promise has resolved, in the order of each publisher.
   * Another process may need a moment to learn of this listener: in place of what it published meanwhile, it publishes
   * `grown`. Returns a function that stops it.
   */
  listen(thread: string, hear: (news: FeedEvent) => void): Promise<() => void>
}

/** An event about a thread. */
export type FeedEvent =
  | LiveText
  /** The log has grown. */
  | { readonly type: 'grown' }
  /**
   * A client began to follow late. The runner publishes the text of the current model call again, from its beginning.
   */
  | { readonly type: 'asked' }

/** A piece of a running turn's text. An empty piece only tells which term runs the turn, and how far it is. */
export interface LiveText {
  readonly type: 'text'
  /** The id of the user entry that the turn answers. */
  readonly turn: string
  /** The term of the runner. A runner with a higher term has taken over. */
  readonly term: number
  /** The number of entries in the runner's log when the current model call began. */
  readonly length?: number | undefined
  /** Where the current model call begins in the text of the turn. */
  readonly start: number
  /** Where this piece begins in the text of the turn. */
  readonly offset: number
  readonly text: string
}

/**
 * A feed within one process.
 *
 * @example
 * const book = openBook({ store, queue: localQueue(store), feed: localFeed(), model, window: 4096 })
 */
export function localFeed(): Feed {
  const listeners = new Map<string, Set<(news: FeedEvent) => void>>()
  return {
    publish: (thread, news) => {
      for (const hear of listeners.get(thread) ?? []) hear(news)
    },
    listen: async (thread, hear) => {
      const hearing = listeners.get(thread) ?? new Set()
      // A wrapper for each call, so that the same function can listen twice.
      const own = (news: FeedEvent): void => hear(news)
      listeners.set(thread, hearing.add(own))
      return () => {
        hearing.delete(own)
        if (hearing.size === 0 && listeners.get(thread) === hearing) listeners.delete(thread)
      }
    },
  }
}

/** How far a client has read a turn: the runner's term, and the number of characters of the turn's text. */
export interface Position {
  readonly term: number
  readonly offset: number
}

/** What a client that follows a turn is shown. */
export type FollowEvent =
  /**
   * A piece of the turn's text. After it, the client's position is this term, and `offset` plus the length of the
   * piece.
   */
  | { readonly type: 'text'; readonly term: number; readonly offset: number; readonly text: string }
  /** Discard the text that was shown: it comes again from the beginning. */
  | { readonly type: 'reset'; readonly term: number }

/** Merges the recorded text of a turn with the runner's live text, for one client that follows it. */
export interface LiveTextReader {
  /** Takes a piece of live text. Returns what can be shown now. */
  hear(news: LiveText): FollowEvent[]
  /** Takes the recorded text of the turn. */
  read(recorded: string): FollowEvent[]
  /** Returns the live text that goes beyond what is recorded. */
  goOn(): FollowEvent[]
  /** The turn is now run under this term. */
  enter(term: number): FollowEvent[]
  /**
   * The thread now has this term, from this turn or from a later one. If the client read a part of the text elsewhere,
   * under another term, that text is void.
   */
  doubt(term: number): FollowEvent[]
  /** The turn is over: the text is what is recorded, and no more. */
  end(): FollowEvent[]
  /** True if a piece does not continue the known text. The missing part must be read from the log, or asked for. */
  readonly isBehind: boolean
  /** The highest term of a runner that is known. */
  readonly term: number
}

/**
 * Begins to read at a position. Without one it begins at the start of the text, and takes the first term that it hears
 * of for the runner's.
 */
export function createReading(start?: Position): LiveTextReader {
  let term = start?.term
  let recorded = ''
  /** The live text of the model call that begins at `start`. */
  let live = { start: 0, text: '' }
  let missed = false
  /** The text that was shown, from the offset `from` on. The text before it was shown by an earlier connection. */
  let [from, shown] = [start?.offset ?? 0, '']

  const whole = (): string => recorded + (live.start === recorded.length ? live.text : '')
  const show = (text: string): FollowEvent[] => {
    const at = from + shown.length
    if (text.length > at && text.startsWith(shown, from)) return [piece(at, text)]
    // The known text can be shorter than the shown text, for example if a model call has begun and its live text has
    // not arrived yet.
    return at >= text.length && (from >= text.length || shown.startsWith(text.slice(from))) ? [] : anew(text)
  }
  const piece = (at: number, text: string): FollowEvent => {
    shown = text.slice(from)
    return { type: 'text', term: term ?? 0, offset: at, text: text.slice(at) }
  }
  const anew = (text: string): FollowEvent[] => {
    const isVoid = from + shown.length > 0
    ;[from, shown] = [0, '']
    return [...(isVoid ? [{ type: 'reset', term: term ?? 0 } as const] : []), ...(text === '' ? [] : [piece(0, text)])]
  }
  const enter = (next: number): FollowEvent[] => {
    if (next <= (term ?? -1)) return []
    const isFirst = term === undefined
    term = next
    if (isFirst) return []
    live = { start: recorded.length, text: '' }
    return anew(recorded)
  }
  return {
    hear: (news) => {
      if (news.term < (term ?? 0)) return []
      const before = enter(news.term)
      const isNext = followsAll(news)
      listen(news)
      if (!isNext) return [...before, ...show(whole())]
      // The common case. Comparing the whole text for each piece would take quadratic time.
      const at = from + shown.length
      shown += news.text
      return [...before, { type: 'text', term: term ?? 0, offset: at, text: news.text }]
    },
    read: (text) => {
      recorded = text
      if (live.start < text.length) {
        live = { start: text.length, text: '' }
        missed = false
      }
      return show(text)
    },
    goOn: () => show(whole()),
    // The text before `from` may have come from a runner with another term.
    doubt: (latest) => (from > 0 ? enter(latest) : []),
    end: () => (from + shown.length > recorded.length ? anew(recorded) : show(recorded)),
    enter,
    get isBehind() {
      return missed || live.start > recorded.length
    },
    get term() {
      return term ?? 0
    },
  }

  /** True if the piece continues the known text directly, and all of that was shown. */
  function followsAll({ start, offset, text }: LiveText): boolean {
    const isLive = start === live.start && start === recorded.length && offset === start + live.text.length
    return isLive && text !== '' && from + shown.length === offset
  }

  function listen({ start, offset, text }: LiveText): void {
    // The model call of this piece is recorded by now.
    if (start < recorded.length) return
    if (start !== live.start) live = { start, text: '' }
    const at = offset - start
    missed = at > live.text.length
    if (!missed && at + text.length > live.text.length) live = { start, text: live.text.slice(0, at) + text }
  }
}

/** The runner's side of a feed: publishes the text of a turn. */
export interface LiveTextPublisher {
  /** Publishes the next piece of the current model call. */
  say(text: string): void
  /** The current model call is over and recorded. */
  recorded(): void
  end(): void
}

/** The turn whose text is published, and the term under which it runs. */
export interface LiveTextSource {
  readonly thread: string
  readonly term: number
  /** Returns the entries of the current turn. */
  readonly turn: () => readonly Entry[]
  /** Returns the number of entries in the log. */
  readonly length: () => number
}

/** Publishes the text of a turn from now on. Returns a function that stops it. */
export function publishText(feed: Feed, control: Pick<TurnControl, 'overhear'>, told: LiveTextSource): () => void {
  const publisher = createPublisher(feed, told)
  const stop = control.overhear((event) => {
    if (event.type === 'text') publisher.say(event.text)
    if (event.type === 'receipt') publisher.recorded()
  })
  return () => {
    stop()
    publisher.end()
  }
}

function createPublisher(feed: Feed, { thread, term, turn, length }: LiveTextSource): LiveTextPublisher {
  /** The turn, and where the current model call begins in its text and in the log. */
  let place: Pick<LiveText, 'turn' | 'length' | 'start'> | undefined
  let said = ''
  const locate = (): typeof place => {
    const entries = turn()
    return entries[0] && { turn: entries[0].id, length: length(), start: turnText(entries).length }
  }
  const tell = (offset: number, text: string): void => {
    if (place) feed.publish(thread, { type: 'text', term, ...place, offset: place.start + offset, text })
  }
  const tellAll = (): void => {
    if (!place && isUnfinished(turn())) place = locate()
    tell(0, said)
  }
  const listening = feed.listen(thread, ({ type }) => {
    if (type === 'asked') tellAll()
  })
  listening.catch(() => undefined)
  // So clients that follow the turn learn at once that another runner has taken over.
  tellAll()
  return {
    say: (text) => {
      if (said === '') place = locate()
      tell(said.length, text)
      said += text
    },
    recorded: () => {
      place = undefined
      said = ''
    },
    end: () => {
      listening.then((stop) => stop()).catch(() => undefined)
    },
  }
}

/** The recorded text of a turn: the texts of its answers, joined. */
export function turnText(turn: readonly Entry[]): string {
  return turn.flatMap(({ kind, text }) => (kind === 'assistant' ? [text] : [])).join('')
}
