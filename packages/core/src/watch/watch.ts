import { MinutebookError } from '../log/error.ts'
import type { LiveText, FeedEvent } from '../turns/feed.ts'
import type { ThreadHandle } from '../turns/turn-run.ts'
import { pollLog, type PolledThread } from '../turns/follow.ts'
import { createTail } from './log-tail.ts'
import { createWatching, type WatchEvent, type WatchView, type WatchPosition } from './watch-view.ts'

/** How `thread.watch` watches a thread. */
export interface WatchOptions {
  /** The position of the last event that you have seen. Default: the beginning of the thread. */
  readonly from?: WatchPosition | undefined
  /** Stops watching. A running turn goes on. */
  readonly signal?: AbortSignal | undefined
}

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
export async function* watch(
  thread: Thread,
  { from = beginning, signal }: WatchOptions,
): AsyncGenerator<WatchEvent, void, void> {
  // The position may come from a client. Another number than these would never be reached.
  if (![from.seq, from.term, from.offset].every((number) => Number.isSafeInteger(number) && number >= 0))
    throw unknownPositionError('The position has other numbers than a position has.')
  const left = new AbortController()
  const outlet = createOutlet(joined)
  const leave = (): void => {
    left.abort()
    outlet.end()
  }
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  void look(thread, from, outlet, left.signal).catch((cause: unknown) => outlet.end({ cause }))
  try {
    yield* outlet.taken()
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

const beginning: WatchPosition = { seq: 0, term: 0, offset: 0 }

/** Puts what is read from the log and heard from the feed into the queue, until the signal aborts. */
async function look(
  { store, ...glanced }: Thread,
  from: WatchPosition,
  outlet: AsyncQueue<WatchEvent>,
  signal: AbortSignal,
): Promise<void> {
  const { feed, thread } = glanced
  const watching = createWatching(from)
  const tail = createTail(store, thread, from.seq)
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
      if (tail.standing.length < watching.position.seq || tail.standing.term < from.term)
        throw unknownPositionError('The position is beyond the end of this thread, so it belongs to another thread.')
      const { seq } = watching.position
      const change = await tail.change(seq)
      const entries = tail.since(seq)
      const { term } = tail.standing
      outlet.put(change ? watching.move(entries, change, term) : watching.read(entries, await tail.view(entries), term))
    } while (!tail.isWhole)
    most = Infinity
    const turn = await tail.turn()
    outlet.put(watching.stand(turn, tail.since(turn[0]?.seq ?? 0), tail.standing.term))
    ear.goOn()
  }
  for await (const _ of pollLog({ ...glanced, refresh }, signal, (news) => ear.hear(news)))
    if (ear.isToAsk()) feed.publish(thread, { type: 'asked' })
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

function createListener(watching: WatchView, outlet: AsyncQueue<WatchEvent>): LiveTextListener {
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
function joined(last: WatchEvent, next: WatchEvent): WatchEvent | undefined {
  if (
    last.type !== 'text' ||
    next.type !== 'text' ||
    last.term !== next.term ||
    last.offset + last.text.length !== next.offset
  )
    return undefined
  return { ...next, offset: last.offset, text: last.text + next.text }
}

function unknownPositionError(problem: string): MinutebookError {
  return new MinutebookError('unknown_position', problem, 'Watch from the beginning.')
}

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
