import type { Entry } from '../log/entry.ts'
import { isUnfinished } from '../log/next.ts'
import type { TurnControl } from './turn.ts'

/**
 * Carries what a running turn shows to those who follow it, on whatever instance. Nothing of it is durable, and all of
 * it may be lost: what counts is in the log.
 */
export interface Feed {
  /** Tells everyone who listens. Nobody waits for it, and it must not throw. */
  publish(thread: string, news: FeedEvent): void
  /** Hears what is published once this has resolved, in the order of each publisher. The answer ends it. */
  listen(thread: string, hear: (news: FeedEvent) => void): Promise<() => void>
}

/** What there is to tell about a thread. */
export type FeedEvent =
  | LiveText
  /** The log has grown. */
  | { readonly type: 'grown' }
  /** Someone came late: whoever runs the thread tells the text of the current model call again, from its beginning. */
  | { readonly type: 'asked' }

/** A piece of a running turn's text. An empty one tells who runs it, and how far it is. */
export interface LiveText {
  readonly type: 'text'
  /** The user entry that the turn answers. */
  readonly turn: string
  /** Of the runner: a higher one has taken over. */
  readonly term: number
  /** How many entries the log had for the runner when the current model call began. */
  readonly length?: number | undefined
  /** Where the current model call begins in the text of the turn, and where the piece stands. */
  readonly start: number
  readonly offset: number
  readonly text: string
}

/**
 * A feed for one process.
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
      // Two that pass the same function are still two.
      const own = (news: FeedEvent): void => hear(news)
      listeners.set(thread, hearing.add(own))
      return () => {
        hearing.delete(own)
        if (hearing.size === 0 && listeners.get(thread) === hearing) listeners.delete(thread)
      }
    },
  }
}

/** How far someone has read a turn: the runner's term, and so much of the turn's text. */
export interface Position {
  readonly term: number
  readonly offset: number
}

/** What someone who follows a turn is shown. */
export type Shown =
  /** A piece of the turn's text. Whoever has it stands at the same term, and at `offset` + its length. */
  | { readonly type: 'text'; readonly term: number; readonly offset: number; readonly text: string }
  /** What was shown is void: the text comes again, from the beginning. */
  | { readonly type: 'reset'; readonly term: number }

/** The text of one turn, put together from what is on record and from what its runner tells, for one who follows it. */
export interface LiveTextReader {
  /** What the runner tells. Gives what can be shown now. */
  hear(news: LiveText): Shown[]
  /** The turn's text as far as it is on record. */
  read(recorded: string): Shown[]
  /** What was told beyond the record. */
  goOn(): Shown[]
  /** The turn has come to this term. */
  enter(term: number): Shown[]
  /**
   * The thread has come to this term, in this turn or in a later one: where that is another's than what was read
   * elsewhere, it is void.
   */
  doubt(term: number): Shown[]
  /** There will be no more than what is on record. */
  end(): Shown[]
  /** Whether something was told that does not go on from what is known: it must be read, or asked for. */
  readonly isBehind: boolean
  /** Of the runner, as far as is known. */
  readonly term: number
}

/** Someone begins to read at a position, or at the beginning: then the first term that is heard of is the runner's. */
export function createReading(start?: Position): LiveTextReader {
  let term = start?.term
  let recorded = ''
  /** What the model call has said that begins there. */
  let live = { start: 0, text: '' }
  let missed = false
  /** What has been shown, from an offset on: what was before that was shown by someone else. */
  let [from, shown] = [start?.offset ?? 0, '']

  const whole = (): string => recorded + (live.start === recorded.length ? live.text : '')
  const show = (text: string): Shown[] => {
    const at = from + shown.length
    if (text.length > at && text.startsWith(shown, from)) return [piece(at, text)]
    // Less is known than was shown, as after the beginning of a call whose text nobody has told yet.
    return at >= text.length && (from >= text.length || shown.startsWith(text.slice(from))) ? [] : anew(text)
  }
  const piece = (at: number, text: string): Shown => {
    shown = text.slice(from)
    return { type: 'text', term: term ?? 0, offset: at, text: text.slice(at) }
  }
  const anew = (text: string): Shown[] => {
    const isVoid = from + shown.length > 0
    ;[from, shown] = [0, '']
    return [...(isVoid ? [{ type: 'reset', term: term ?? 0 } as const] : []), ...(text === '' ? [] : [piece(0, text)])]
  }
  const enter = (next: number): Shown[] => {
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
      // As nearly always. To compare all that was said for each word would take time and memory with its square.
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
    // What was shown by someone else may have been another runner's.
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

  /** Whether news go on right behind all that is known, and all of that was shown. */
  function followsAll({ start, offset, text }: LiveText): boolean {
    const isLive = start === live.start && start === recorded.length && offset === start + live.text.length
    return isLive && text !== '' && from + shown.length === offset
  }

  function listen({ start, offset, text }: LiveText): void {
    // Of a call that is on record by now.
    if (start < recorded.length) return
    if (start !== live.start) live = { start, text: '' }
    const at = offset - start
    missed = at > live.text.length
    if (!missed && at + text.length > live.text.length) live = { start, text: live.text.slice(0, at) + text }
  }
}

/** The running side of a feed: tells what a turn shows. */
export interface LiveTextPublisher {
  /** A piece of what the current model call says. */
  say(text: string): void
  /** The current model call is over, and on record. */
  recorded(): void
  end(): void
}

/** What is told: a thread's turn, under a term. */
export interface Told {
  readonly thread: string
  readonly term: number
  /** The entries of the turn that it stands in, and how many entries there are, as of now. */
  readonly turn: () => readonly Entry[]
  readonly length: () => number
}

/** Publishes what a turn shows, from now on. Returns a function that stops it. */
export function publishText(feed: Feed, control: Pick<TurnControl, 'overhear'>, told: Told): () => void {
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

export function createPublisher(feed: Feed, { thread, term, turn, length }: Told): LiveTextPublisher {
  /** The turn, and where the current model call begins: in its text, and in the log. */
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
  // Whoever follows the turn learns at once that someone else has taken over.
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

/** The text of a turn as far as it is on record: what its answers say, one after the other. */
export function turnText(turn: readonly Entry[]): string {
  return turn.flatMap(({ kind, text }) => (kind === 'assistant' ? [text] : [])).join('')
}
