import type { Feed } from '../turns/feed.ts'
import { MinutebookError } from '../log/error.ts'
import { boardOf, type Board } from './board.ts'
import type { Crew } from './crew.ts'
import { entryOfEvent, type Begun, type Command, type Recorded } from './event.ts'
import { manifestOf, type Manifest } from './manifest.ts'
import type { RunLog } from './run-log.ts'
import { participantThread, runThread } from './run-name.ts'
import { isOver, standingOf, type RunStatus } from './standing.ts'

/** One run of an experiment, on record. */
export interface Run {
  readonly id: string
  /** What happened, oldest first. Throws `unknown_run`, as all others do. */
  events(): Promise<readonly Recorded[]>
  begun(): Promise<Recorded<Begun>>
  board(): Promise<Board>
  /** The board whenever something has happened, until the run is over or the signal aborts. */
  watch(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Board>
  /** What it was really made with. */
  manifest(): Promise<Manifest>
  /** No further turn begins; those under way are finished. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Ends it, and asks turns under way to stop. */
  stop(): Promise<void>
  /** Goes on with a run that failed or was stopped, where it was. */
  retry(): Promise<void>
}

export function openRun({ store, engine, clock }: Crew, feed: Feed | undefined, log: RunLog): Run {
  const thread = runThread(log.run)
  const board = async (): Promise<Board> => {
    const { begun, events } = await log.begun()
    return boardOf(log.run, begun, events)
  }
  const want = (type: Command['type'], from: readonly RunStatus[]) => async (): Promise<void> => {
    const { events } = await log.begun()
    const { status } = standingOf(events)
    if (!from.includes(status)) throw new MinutebookError('not_possible', `This run is ${statusWords[status]} and cannot be ${type}.`, { run: log.run, status })
    await engine.wake(thread, [entryOfEvent({ type, at: events.length }, clock.now())])
    feed?.publish(thread, { type: 'grown' })
  }
  return {
    id: log.run,
    events: async () => (await log.begun()).events,
    begun: async () => (await log.begun()).begun,
    board,
    watch: async function* ({ signal } = {}) {
      let seen = -1
      for (;;) {
        const { begun, events } = await log.begun()
        const over = isOver(standingOf(events).status)
        if (events.length !== seen) yield boardOf(log.run, begun, events)
        seen = events.length
        if (over || signal?.aborted) return
        await news(feed, thread, clock, signal)
      }
    },
    manifest: async () => {
      const { begun } = await log.begun()
      const threads = Object.keys(begun.participants).map(async (name) => [name, await store.read(participantThread(log.run, name))] as const)
      return manifestOf(begun, new Map(await Promise.all(threads)))
    },
    pause: want('paused', ['running']),
    resume: want('resumed', ['paused']),
    stop: want('stopped', ['running', 'paused']),
    retry: want('retried', ['error', 'stopped']),
  }
}

/** Something may have happened. */
async function news(feed: Feed | undefined, thread: string, clock: Crew['clock'], signal: AbortSignal | undefined): Promise<void> {
  const enough = new AbortController()
  const end = (): void => enough.abort()
  signal?.addEventListener('abort', end, { once: true })
  const leave = await feed?.listen(thread, end)
  await clock.after(feed ? seldom : often, enough.signal)
  leave?.()
  signal?.removeEventListener('abort', end)
}

/** Milliseconds: with a feed that tells, and without. */
const seldom = 2000
const often = 250

const statusWords: Readonly<Record<RunStatus, string>> = {
  running: 'running', paused: 'paused', stopping: 'being stopped', success: 'over', failure: 'over', limit: 'over', stopped: 'stopped', error: 'over',
}
