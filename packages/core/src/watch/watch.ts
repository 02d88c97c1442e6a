import { isUnfinished, next } from '../log/next.ts'
import { checkNames, type OptionNames } from '../log/options.ts'
import type { LiveText, FeedEvent } from '../turns/feed.ts'
import type { ThreadHandle } from '../turns/turn-run.ts'
import { resultOf } from '../turns/turn-result.ts'
import { pollLog, type PolledThread } from '../turns/follow.ts'
import { createTail } from './log-tail.ts'
import { checkReached, readPosition, positionText, type WatchPosition } from '../turns/position.ts'
import { createWatching, type ViewEvent, type WatchEvent, type WatchView } from './watch-view.ts'

/** How `thread.watch` watches a thread. */
export interface WatchOptions {
  /**
   * The position of the last event that you have seen. `start`: the beginning of the thread. `now`: the message whose
   * turn runs, or the end of the thread if none runs. Default: `start`.
   */
  readonly from?: string | undefined
  /** `rest`: stop when no turn runs and no message waits, with an `end` as the last event. Default: go on. */
  readonly until?: 'rest' | undefined
  /** Stops watching. A running turn goes on. */
  readonly signal?: AbortSignal | undefined
}

const watchOptions: OptionNames<WatchOptions> = { from: true, until: true, signal: true }

type Thread = Omit<PolledThread, 'refresh'> & Pick<ThreadHandle, 'store'>

/**
 * The number of entries that are read at a time. If an answer is half shown, everything is read at once instead, so
 * that the answer comes together with its receipt.
 */
const page = 512

/**
 * How does a client see a thread live? Yields its visible entries and the text of running turns, on any instance. Live
 * text may be lost: the log then provides it.
 */
export async function* watch(thread: Thread, options: WatchOptions): AsyncGenerator<WatchEvent, void, void> {
  checkNames('thread.watch', options, watchOptions)
  const { from = 'start', until, signal } = options
  const place = from === 'now' ? await now(thread) : from === 'start' ? beginning : readPosition(from)
  // One who waits for the rest is always told of it.
  const begin = until ? { ...place, isEnd: false } : place
  const left = new AbortController()
  const outlet = createOutlet(joined)
  const leave = (): void => {
    left.abort()
    outlet.end()
  }
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  void look(thread, begin, outlet, until, left.signal).then(
    () => outlet.end(),
    (cause: unknown) => outlet.end({ cause }),
  )
  try {
    for await (const event of outlet.taken()) yield { ...event, position: positionText(event.position) }
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

const beginning: WatchPosition = { seq: 0, term: 0, offset: 0 }

/** The place before the question whose turn runs, or the end of the thread. */
async function now({ store, thread }: Thread): Promise<WatchPosition> {
  const tail = createTail(store, thread, (await store.standing(thread)).length)
  await tail.read()
  const turn = await tail.turn()
  return { ...beginning, seq: isUnfinished(turn) ? turn[0]!.seq : tail.standing.length }
}

/** Puts what is read from the log and heard from the feed into the queue, until the signal aborts. */
async function look(
  { store, ...glanced }: Thread,
  from: WatchPosition,
  outlet: AsyncQueue<WatchEvent<WatchPosition>>,
  until: WatchOptions['until'],
  signal: AbortSignal,
): Promise<void> {
  const { feed, thread } = glanced
  const watching = createWatching(from)
  const tail = createTail(store, thread, from.seq)
  const put = async (events: readonly ViewEvent[]): Promise<void> => {
    for (const event of events) outlet.put(event.type === 'end' ? await ended(event.position) : [event])
  }
  /** Without a turn, only those who wait for the rest are told of it. */
  const ended = async (position: WatchPosition): Promise<WatchEvent<WatchPosition>[]> => {
    const turn = await tail.turn(position.seq)
    if (turn.length === 0 && !until) return []
    return [{ type: 'end', result: resultOf(turn), key: turn[0]?.key, position }]
  }
  const ear = createListener(watching, outlet)
  /**
   * No limit once everything was read: from then on only new entries are read, and an answer must come together with
   * its receipt.
   */
  let most = from.offset > 0 ? Infinity : page
  const refresh = async (): Promise<void> => {
    do {
      await outlet.drained()
      if (signal.aborted) return
      await tail.read(most)
      checkReached({ seq: watching.position.seq, term: from.term }, tail.standing)
      const { seq } = watching.position
      const change = await tail.change(seq)
      const entries = tail.since(seq)
      const { term } = tail.standing
      await put(change ? watching.move(entries, change, term) : watching.read(entries, await tail.view(entries), term))
    } while (!tail.isWhole)
    most = Infinity
    const turn = await tail.turn()
    await put(watching.stand(turn, tail.since(turn[0]?.seq ?? 0), tail.standing.term))
    ear.goOn()
  }
  for await (const _ of pollLog({ ...glanced, refresh }, signal, (news) => ear.hear(news))) {
    if (ear.isToAsk()) feed.publish(thread, { type: 'asked' })
    if (until && !isUnfinished(await tail.turn()) && !(await isWaiting(store, thread, tail.standing.length))) return
  }
}

/** Takes the feed events of the runner. */
interface LiveTextListener {
  /** Returns true if the log must be read because of this event. */
  hear(news: FeedEvent): boolean
  /** Call it when the log was read. */
  goOn(): void
  /** True if the runner must be asked for all text of its current model call. */
  isToAsk(): boolean
}

function createListener(watching: WatchView, outlet: AsyncQueue<WatchEvent<WatchPosition>>): LiveTextListener {
  /** The last live text of a model call that the log does not show yet. It is used once the log was read. */
  let ahead: LiveText | undefined
  let hasAsked = false
  return {
    hear: (news) => {
      if (news.type !== 'text') return false
      const wasBehind = watching.isBehind
      const seen = watching.hear(news)
      if (seen) {
        outlet.put(seen)
        // Read the log once for each gap: the runner may have no more to tell, and must not be asked without end.
        return watching.isBehind && !wasBehind
      }
      const isKnown =
        ahead?.turn === news.turn &&
        ahead.term === news.term &&
        ahead.start === news.start &&
        ahead.length === news.length
      ahead = news
      return !isKnown
    },
    goOn: () => {
      const seen = ahead && watching.hear(ahead)
      if (!seen) return
      ahead = undefined
      outlet.put(seen)
    },
    isToAsk: () => {
      const isToAsk = !hasAsked || watching.isBehind
      hasAsked = true
      return isToAsk
    },
  }
}

/** Joins two pieces of text if the second continues the first. Returns undefined if they cannot be joined. */
function joined(
  last: WatchEvent<WatchPosition>,
  next: WatchEvent<WatchPosition>,
): WatchEvent<WatchPosition> | undefined {
  if (last.type !== 'text' || next.type !== 'text') return undefined
  if (last.position.term !== next.position.term || last.offset + last.text.length !== next.offset) return undefined
  return { ...next, offset: last.offset, text: last.text + next.text }
}

/** True if a message waits to be said, or was said since the log had this length. */
async function isWaiting(store: Thread['store'], thread: string, length: number): Promise<boolean> {
  const newest = await store.read(thread, { from: Math.max(0, length - mostWaiting) })
  return (
    next([], newest).do !== 'rest' ||
    newest.some(({ seq, kind }) => seq >= length && (kind === 'user' || kind === 'retry'))
  )
}

/** How many entries are searched for waiting messages. */
const mostWaiting = 512

/** An async queue: items are put in at any time, and the consumer takes them at its own pace. */
interface AsyncQueue<T> {
  put(items: readonly T[]): void
  /** Ends the queue. With an error, the consumer gets the error after the last item. */
  end(error?: { readonly cause: unknown }): void
  /** Resolves when the queue is empty or has ended. */
  drained(): Promise<void>
  /** Yields the items until the queue ends. */
  taken(): AsyncGenerator<T, void, void>
}

/**
 * Creates a queue. `joined` merges two neighbouring items if it can, so that the queue of a slow consumer does not grow
 * with every piece.
 */
function createOutlet<T>(joined: (last: T, next: T) => T | undefined): AsyncQueue<T> {
  const waiting: T[] = []
  let end: { readonly error: { readonly cause: unknown } | undefined } | undefined
  let bells: (() => void)[] = []
  const ring = (): void => {
    for (const bell of bells.splice(0)) bell()
  }
  const rung = (): Promise<void> => new Promise((resolve) => bells.push(resolve))
  return {
    put: (items) => {
      for (const item of items) {
        const last = waiting.at(-1)
        const both = last === undefined ? undefined : joined(last, item)
        if (both === undefined) waiting.push(item)
        else waiting[waiting.length - 1] = both
      }
      if (items.length > 0) ring()
    },
    end: (error) => {
      end ??= { error }
      ring()
    },
    drained: async () => {
      while (waiting.length > 0 && !end) await rung()
    },
    taken: async function* () {
      for (;;) {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) yield item
        ring()
        if (end) break
        if (waiting.length === 0) await rung()
      }
      if (end.error) throw end.error.cause
    },
  }
}
