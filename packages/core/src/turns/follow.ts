import type { Clock } from '../log/time.ts'
import type { LiveLog } from '../log/log.ts'
import { turnOf } from '../log/next.ts'
import { isTransient, type StoredEntry } from '../log/store.ts'
import { createReading, turnText, type FeedEvent, type Position, type FollowEvent } from './feed.ts'
import type { ThreadHandle } from './turn-run.ts'

/** How `thread.follow` follows a running turn. */
export interface FollowOptions {
  /** The position to continue from: the term of the last piece, and its offset plus its length. */
  readonly from?: Position | undefined
  /** Stops following. The turn goes on. */
  readonly signal?: AbortSignal | undefined
}

type Followed = PolledThread &
  Pick<ThreadHandle, 'log' | 'store'> & {
    /**
     * True for a book without a queue: a waiting message is then recorded by its own sender, so there is nothing to
     * wait for.
     */
    readonly runsHere: boolean
  }

/**
 * How does a client see the text of a turn that runs elsewhere? Yields the text of the newest turn while it is written,
 * on any instance. Ends when the turn ends, and at once if none runs.
 */
export async function* follow(
  followed: Followed,
  { from, signal }: FollowOptions,
): AsyncGenerator<FollowEvent, void, void> {
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  try {
    const asked = await running(followed, left.signal)
    if (!asked) return
    const start = from ?? { term: (await followed.store.standing(followed.thread)).term, offset: 0 }
    yield* streamed((show) => observe(followed, { asked, since: asked.seq, from: start }, { show }, left.signal))
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

/** The user entry of the turn that runs or is about to begin. Undefined if no turn does. */
async function running(followed: Followed, signal: AbortSignal): Promise<StoredEntry | undefined> {
  const { log } = followed
  for await (const _ of pollLog(followed, signal)) {
    const { next, turn, step } = log.position
    if (step) return turn[0]
    if (next.do === 'rest' || followed.runsHere) return undefined
  }
  return undefined
}

/** Turns the calls of `show` into an async generator that ends when `work` does. */
async function* streamed<T>(work: (show: (shown: T) => void) => Promise<unknown>): AsyncGenerator<T, void, void> {
  const queue: T[] = []
  let isOver = false
  let ring = (): void => undefined
  const working = work((shown) => {
    queue.push(shown)
    ring()
  }).finally(() => {
    isOver = true
    ring()
  })
  working.catch(() => undefined)
  while (queue.length > 0 || !isOver) {
    if (queue.length === 0) await new Promise<void>((resolve) => (ring = resolve))
    yield* queue.splice(0)
  }
  await working
}

/** Milliseconds after which a log is read again if no event says that it has grown. */
const pollInterval = 2000

/** The thread that is polled, and what that takes. */
export interface PolledThread extends Pick<ThreadHandle, 'thread' | 'feed' | 'refresh'> {
  readonly clock: Clock
}

/**
 * Yields after each refresh of a log: at once, then whenever it may have grown. After an abort it refreshes and yields
 * one last time, then ends. `hear` returns true for other events that are a reason to read the log.
 */
export async function* pollLog(
  { thread, feed, refresh, clock }: PolledThread,
  signal: AbortSignal,
  hear: (news: FeedEvent) => boolean = () => false,
): AsyncGenerator<void, void, void> {
  let bell = new AbortController()
  const ring = (): void => bell.abort()
  const heard = (news: FeedEvent): void => {
    if (news.type === 'grown' || hear(news)) ring()
  }
  const stop = await feed.listen(thread, heard).catch(() => () => undefined)
  signal.addEventListener('abort', ring, { once: true })
  try {
    for (let isLast = false; !isLast;) {
      isLast = signal.aborted
      bell = new AbortController()
      const isRead = await refresh().then(
        () => true,
        (error: unknown) => {
          if (!isTransient(error)) throw error
          return false
        },
      )
      if (isRead) yield
      if (!signal.aborted && !bell.signal.aborted) await clock.after(pollInterval, bell.signal)
    }
  } finally {
    stop()
    signal.removeEventListener('abort', ring)
  }
}

/** Gets the text and the entries of a turn that is followed. */
export interface Observer {
  show(shown: FollowEvent): void
  /** Called with each new entry of the turn, after its text was shown. */
  entry?(entry: StoredEntry, turn: readonly StoredEntry[]): void
}

/** Which turn is followed, and how much of it is known already. */
export interface ObserverOptions {
  /** The user entry of the turn. */
  readonly asked: StoredEntry
  /** Entries up to this seq are known already. */
  readonly since: number
  /** How much of the text is known already. Default: none of it. */
  readonly from?: Position | undefined
}

/**
 * Follows a turn by its log and its live text until it is over, then returns its entries. Returns undefined if the
 * signal aborts first.
 */
export async function observe(
  watched: PolledThread & Pick<ThreadHandle, 'log' | 'store'>,
  { asked, since, from }: ObserverOptions,
  observer: Observer,
  signal: AbortSignal,
): Promise<readonly StoredEntry[] | undefined> {
  const { log, feed, thread, store } = watched
  const reading = createReading(from)
  const show = (pieces: readonly FollowEvent[]): void => pieces.forEach((shown) => observer.show(shown))
  const hear = (news: FeedEvent): boolean => {
    if (news.type !== 'text' || news.turn !== asked.id) return false
    const wasBehind = reading.isBehind
    show(reading.hear(news))
    // Read the log once for each gap: the runner may have no more to tell, and must not be asked without end.
    return reading.isBehind && !wasBehind
  }
  let [seen, hasAsked, term] = [since, false, 0]
  const refresh = async (): Promise<void> => {
    // Read the term before the log: if the turn is still running afterwards, this is its term.
    if (from) term = (await store.standing(thread)).term
    await watched.refresh()
  }
  for await (const _ of pollLog({ ...watched, refresh }, signal, hear)) {
    if (!log.has(asked.id)) await log.whole()
    const turn = turnIn(log, asked)
    const isOver = !isAtWork(log, asked)
    // If the turn is over, read the term after the log: the runner that ended it may have claimed the thread in between.
    if (from) show(isOver ? reading.doubt((await store.standing(thread)).term) : reading.enter(term))
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

/** True if this is the newest turn of the log and it is unfinished. */
export function isAtWork(log: LiveLog, { id }: Pick<StoredEntry, 'id'>): boolean {
  const { turn, step } = log.position
  return turn[0]?.id === id && step !== undefined
}

/** The known entries of a turn. */
function turnIn(log: LiveLog, asked: StoredEntry): readonly StoredEntry[] {
  const newest = log.position.turn
  return newest[0]?.id === asked.id ? newest : turnOf(log.entries, asked)
}
