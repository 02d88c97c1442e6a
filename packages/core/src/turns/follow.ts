import type { Clock } from '../log/clock.ts'
import type { LiveLog } from '../log/log.ts'
import { turnOf } from '../log/next.ts'
import { isTransient, type StoredEntry } from '../log/store.ts'
import { createReading, turnText, type FeedEvent, type Position, type Shown } from './feed.ts'
import type { ThreadHandle } from './turn-run.ts'

/** How a running turn is followed. */
export interface FollowOptions {
  /** Where to go on: the term of the last piece, and its offset + length. */
  readonly from?: Position | undefined
  /** Ends the following, not the turn. */
  readonly signal?: AbortSignal | undefined
}

type Followed = PolledThread &
  Pick<ThreadHandle, 'log' | 'store'> & {
    /** If turns run where they are asked for, what waits is said by those who asked. */
    readonly runsHere: boolean
  }

/**
 * The text of the turn that a thread stands in, as it is written, wherever that is. Ends when the turn does; at once
 * where none runs.
 */
export async function* follow(followed: Followed, { from, signal }: FollowOptions): AsyncGenerator<Shown, void, void> {
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

/** The user entry of the turn that runs, or is about to. */
async function running(followed: Followed, signal: AbortSignal): Promise<StoredEntry | undefined> {
  const { log } = followed
  for await (const _ of pollLog(followed, signal)) {
    const { next, turn, step } = log.position
    if (step) return turn[0]
    if (next.do === 'rest' || followed.runsHere) return undefined
  }
  return undefined
}

/** What some work shows, to be iterated while it is done. */
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

/** Milliseconds between two looks at a log that nobody says anything about. */
const pollInterval = 2000

/** What is looked at, and with what. */
export interface PolledThread extends Pick<ThreadHandle, 'thread' | 'feed' | 'refresh'> {
  readonly clock: Clock
}

/**
 * Reads a log whenever it may have grown, the first time at once, until it is left or the signal aborts: that ends it
 * after one last look. `hear` says of other news whether they are a reason to read, too.
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

/**
 * Follows a turn by its log, and by what its runner tells, until it is over: then gives its entries. Undefined where
 * the signal aborts before.
 */
export async function observe(
  watched: PolledThread & Pick<ThreadHandle, 'log' | 'store'>,
  { asked, since, from }: Observing,
  observer: Observer,
  signal: AbortSignal,
): Promise<readonly StoredEntry[] | undefined> {
  const { log, feed, thread, store } = watched
  const reading = createReading(from)
  const show = (pieces: readonly Shown[]): void => pieces.forEach((shown) => observer.show(shown))
  const hear = (news: FeedEvent): boolean => {
    if (news.type !== 'text' || news.turn !== asked.id) return false
    const wasBehind = reading.isBehind
    show(reading.hear(news))
    // Once: whoever tells may know no more, and must not be asked without end.
    return reading.isBehind && !wasBehind
  }
  let [seen, hasAsked, term] = [since, false, 0]
  const refresh = async (): Promise<void> => {
    // Whoever goes on from a position must know whose it was. Before the log: the term is of this turn if that still
    // runs then.
    if (from) term = (await store.standing(thread)).term
    await watched.refresh()
  }
  for await (const _ of pollLog({ ...watched, refresh }, signal, hear)) {
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
  const { turn, step } = log.position
  return turn[0]?.id === id && step !== undefined
}

/** The entries of a turn as far as they are known. */
function turnIn(log: LiveLog, asked: StoredEntry): readonly StoredEntry[] {
  const newest = log.position.turn
  return newest[0]?.id === asked.id ? newest : turnOf(log.entries, asked)
}
