import { placeOfThread, runThread, type Experiments } from '@minutebook/experiment/run'
import { LRUCache } from 'lru-cache'
import { MinutebookError, type Store } from 'minutebook'
import { limitIn, runBoard, type RunBoard, type RunViewer } from './board.ts'

/** A run in a list. */
export interface RunSummary extends Pick<
  RunBoard,
  | 'run'
  | 'name'
  | 'status'
  | 'reason'
  | 'waiting'
  | 'spending'
  | 'limit'
  | 'seed'
  | 'began'
  | 'changed'
  | 'forked'
  | 'answers'
> {
  /** The current or last round; 0 before the first. */
  readonly round: number
}

/** Which runs a list has. */
export interface RunPage {
  /** Default: 50. At most 200. */
  readonly limit?: number | undefined
  /** The last run of the page before. */
  readonly after?: string | undefined
}

/** A page of a list of runs. */
export interface RunList {
  readonly runs: readonly RunSummary[]
  /** Pass it as `after`, if there are more. */
  readonly next?: string
}

/** A page of the runs, the newest first. */
export async function listRuns(
  experiments: Experiments,
  store: Store,
  { limit = 50, after }: RunPage,
  viewer: RunViewer,
): Promise<RunList> {
  const names = await experiments.list()
  const before = after === undefined ? -1 : names.indexOf(after)
  if (after !== undefined && before < 0)
    throw new MinutebookError(
      'invalid_page',
      'There is no such page.',
      'Pass the value of `next` on the previous page.',
    )
  const page = names.slice(before + 1, before + 1 + limit)
  const runs: RunSummary[] = []
  // One after the other: each reads the log of its run.
  for (const run of page) runs.push(await runSummary(experiments, store, run, viewer))
  return { runs, ...(before + 1 + limit < names.length && { next: page.at(-1)! }) }
}

/** A summary of a run. A finished run is not read again as long as its log stays the same. */
export async function runSummary(
  experiments: Experiments,
  store: Store,
  run: string,
  viewer: RunViewer,
): Promise<RunSummary> {
  const cache = cacheOf(store)
  const { length } = await store.standing(runThread(run))
  const key = `${viewer} ${run}`
  const known = cache.get(key)
  if (known?.length === length) return known.summary
  const opened = experiments.run(run)
  const [board, begun] = [await opened.board(), await opened.begun()]
  const { name, status, reason, waiting, spending, seed, began, changed, forked, answers, rounds } = runBoard(
    board,
    begun,
    viewer,
  )
  const summary: RunSummary = {
    run,
    name,
    status,
    ...(reason !== undefined && { reason }),
    waiting,
    round: rounds.at(-1)?.round ?? 0,
    limit: limitIn(begun.definition),
    spending,
    seed,
    ...(began !== undefined && { began }),
    ...(changed !== undefined && { changed }),
    ...(forked && { forked }),
    ...(answers !== undefined && { answers }),
  }
  cache.set(key, { length, summary })
  return summary
}

interface Known {
  readonly length: number
  readonly summary: RunSummary
}

const caches = new WeakMap<Store, LRUCache<string, Known>>()

function cacheOf(store: Store): LRUCache<string, Known> {
  const cache = caches.get(store) ?? new LRUCache<string, Known>({ max: 2000 })
  caches.set(store, cache)
  return cache
}

/** The run that the participant of a thread belongs to; undefined if it does not exist. */
export async function runOfThread(store: Pick<Store, 'standing'>, thread: string): Promise<string | undefined> {
  const place = placeOfThread(thread)
  if (place?.participant === undefined) return undefined
  return (await store.standing(runThread(place.run))).length > 0 ? place.run : undefined
}

/** Whether a thread is that of a person in a run, who answers there. */
export async function isOfPerson(
  experiments: Pick<Experiments, 'run'>,
  store: Pick<Store, 'standing'>,
  thread: string,
): Promise<boolean> {
  const place = placeOfThread(thread)
  if (place?.participant === undefined || (await runOfThread(store, thread)) === undefined) return false
  return (await experiments.run(place.run).begun()).participants[place.participant] === null
}

/** Throws `run_thread` if a thread is a participant's: messages of others there would count as what the run did. */
export async function checkNotOfRun(store: Pick<Store, 'standing'>, thread: string): Promise<void> {
  const run = await runOfThread(store, thread)
  if (run !== undefined)
    throw new MinutebookError(
      'run_thread',
      `This thread belongs to the run "${run}".`,
      'Fork the thread to continue from there by hand.',
      { run },
    )
}
