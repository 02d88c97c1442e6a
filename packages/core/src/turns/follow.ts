import type { Clock } from '../log/time.ts'
import type { LiveLog } from '../past/live-log.ts'
import { needsRunner, turnOf } from '../log/next.ts'
import { isTransient } from '../log/error.ts'
import type { StoredEntry } from '../log/store.ts'
import { createReading, turnText, type FeedEvent, type FollowEvent } from './feed.ts'
import type { ThreadHandle } from './turn-run.ts'

/** Milliseconds after which a log is read again if no event says that it has grown. */
const pollInterval = 2000

/** The thread that is polled, and what that takes. */
export interface PolledThread extends Pick<ThreadHandle, 'thread' | 'feed'> {
  readonly refresh: () => Promise<unknown>
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

/** Which turn is followed, and how many of its entries are known already. */
export interface ObserverOptions {
  /** The user entry of the turn. */
  readonly asked: StoredEntry
  /** Entries up to this seq are known already. */
  readonly since: number
}

/**
 * How does a sender see a turn that runs elsewhere? Follows it by its log and its live text until it is over, then
 * returns its entries. Returns undefined if the signal aborts first, or if the thread is removed.
 */
export async function observe(
  watched: PolledThread & Pick<ThreadHandle, 'log'>,
  { asked, since }: ObserverOptions,
  observer: Observer,
  signal: AbortSignal,
): Promise<readonly StoredEntry[] | undefined> {
  const { log, feed, thread } = watched
  const reading = createReading()
  const show = (pieces: readonly FollowEvent[]): void => pieces.forEach((shown) => observer.show(shown))
  const hear = (news: FeedEvent): boolean => {
    if (news.type !== 'text' || news.turn !== asked.id) return false
    const wasBehind = reading.isBehind
    show(reading.hear(news))
    // Read the log once for each gap: the runner may have no more to tell, and must not be asked without end.
    return reading.isBehind && !wasBehind
  }
  let [seen, hasAsked] = [since, false]
  for await (const _ of pollLog(watched, signal, hear)) {
    if (!log.past.has(asked.id)) await log.past.whole()
    if (!isThere(log, asked)) return undefined
    const turn = turnIn(log, asked)
    const isOver = !isAtWork(log, asked)
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

/** True if this is the newest turn of the log and a runner must go on with it. */
export function isAtWork(log: LiveLog, asked: Pick<StoredEntry, 'id'>): boolean {
  return isOpen(log, asked) && needsRunner(log.position.step ?? { do: 'rest' })
}

/** True if this is the newest turn of the log and it has not ended: a runner must go on with it, or it waits. */
export function isOpen(log: LiveLog, { id }: Pick<StoredEntry, 'id'>): boolean {
  const { turn, step } = log.position
  return turn[0]?.id === id && step !== undefined
}

/** False if the thread of this entry was removed. All of the log that follows the entry must be loaded. */
export function isThere(log: LiveLog, { id, seq }: Pick<StoredEntry, 'id' | 'seq'>): boolean {
  return log.since(seq)[0]?.id === id
}

/** The known entries of a turn. */
function turnIn(log: LiveLog, asked: StoredEntry): readonly StoredEntry[] {
  const newest = log.position.turn
  return newest[0]?.id === asked.id ? newest : turnOf(log.entries, asked)
}
