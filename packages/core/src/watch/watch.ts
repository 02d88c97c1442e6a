import { MinutebookError } from '../log/error.ts'
import type { LiveText, FeedEvent } from '../turns/feed.ts'
import type { ThreadHandle } from '../turns/turn-run.ts'
import { pollLog, type PolledThread } from '../turns/follow.ts'
import { createTail } from './log-tail.ts'
import { createWatching, type Watched, type WatchView, type WatchPosition } from './watch-view.ts'

/** How a thread is watched. */
export interface WatchOptions {
  /** Where to go on: the position of the last event. From the beginning unless told. */
  readonly from?: WatchPosition | undefined
  /** Ends the watching, not the turn. */
  readonly signal?: AbortSignal | undefined
}

type Thread = Omit<PolledThread, 'refresh'> & Pick<ThreadHandle, 'store'>

/** How many entries are read at a time, where nobody waits for the answer to what is half shown. */
const page = 512

/** The thread as people see it, live, on any instance. What its runner tells may be lost: then the log tells. */
export async function* watch(
  thread: Thread,
  { from = beginning, signal }: WatchOptions,
): AsyncGenerator<Watched, void, void> {
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

/** What is read and told, as it comes, until the signal aborts. */
async function look(
  { store, ...glanced }: Thread,
  from: WatchPosition,
  outlet: AsyncQueue<Watched>,
  signal: AbortSignal,
): Promise<void> {
  const { feed, thread } = glanced
  const watching = createWatching(from)
  const tail = createTail(store, thread, from.seq)
  const ear = createListener(watching, outlet)
  /** Once all was read, what is read is what was just written, and an answer is read with its end. */
  let most = from.offset > 0 ? Infinity : page
  const refresh = async (): Promise<void> => {
    do {
      await outlet.drained()
      if (signal.aborted) return
      await tail.read(most)
      if (tail.standing.length < watching.position.seq || tail.standing.term < from.term) throw unknownPosition()
      const entries = tail.since(watching.position.seq)
      outlet.put(watching.read(entries, await tail.view(entries), tail.standing.term))
    } while (!tail.isWhole)
    most = Infinity
    const turn = await tail.turn()
    outlet.put(watching.stand(turn, tail.since(turn[0]?.seq ?? 0), tail.standing.term))
    ear.goOn()
  }
  for await (const _ of pollLog({ ...glanced, refresh }, signal, (news) => ear.hear(news)))
    if (ear.isToAsk()) feed.publish(thread, { type: 'asked' })
}

/** Hears what a runner tells. */
interface LiveTextListener {
  /** Whether the log must be read for it. */
  hear(news: FeedEvent): boolean
  /** To be called when the log was read. */
  goOn(): void
  /** Whether the runner is to tell all that its call has said so far. */
  isToAsk(): boolean
}

function createListener(watching: WatchView, outlet: AsyncQueue<Watched>): LiveTextListener {
  /** Told last of a call that is not known to run: the log will tell. */
  let ahead: LiveText | undefined
  let hasAsked = false
  return {
    hear: (news) => {
      if (news.type !== 'text') return false
      const wasBehind = watching.isBehind
      const seen = watching.hear(news)
      if (seen) {
        outlet.put(seen)
        // Once: whoever tells may know no more, and must not be asked without end.
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

/** Pieces that go on from each other are one. */
function joined(last: Watched, next: Watched): Watched | undefined {
  if (
    last.type !== 'text' ||
    next.type !== 'text' ||
    last.term !== next.term ||
    last.offset + last.text.length !== next.offset
  )
    return undefined
  return { ...next, offset: last.offset, text: last.text + next.text }
}

function unknownPosition(): MinutebookError {
  return new MinutebookError(
    'unknown_position',
    'This thread has not come as far as this position, so it is of another one; watch from the beginning.',
  )
}

/** Passes on what comes in at any time to one who takes it at their own pace. */
interface AsyncQueue<T> {
  put(items: readonly T[]): void
  /** Ends it, with an error where there is one. */
  end(error?: { readonly cause: unknown }): void
  /** Resolves when all that was put in has been taken out, or it is ended. */
  drained(): Promise<void>
  taken(): AsyncGenerator<T, void, void>
}

/**
 * `joined`: two neighbours as one, where they can be: so what waits for someone slow does not grow with every piece.
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
