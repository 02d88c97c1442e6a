import {
  courseOf,
  outcomeTable,
  runThread,
  type Experiments,
  type OutcomeTable,
  type RunCourse,
  type Value,
} from '@minutebook/experiment/run'
import { LRUCache } from 'lru-cache'
import type { Store } from 'minutebook'
import { runBoard, type RunViewer } from './board.ts'

/** How many runs are compared at once. */
export const mostCompared = 100
/** How many variables are followed at once. */
export const mostFollowed = 8

/** The outcomes of runs next to each other, without their boards. Throws `unknown_run`. */
export async function outcomesOf(
  experiments: Experiments,
  store: Store,
  runs: readonly string[],
  viewer: RunViewer,
): Promise<OutcomeTable> {
  const read: { readonly course: RunCourse; readonly definition: Value | undefined }[] = []
  // One after the other: each may read the log of its run.
  for (const run of comparedRuns(runs)) {
    const course = await readCourse(experiments, store, run, viewer)
    const { definition } = await experiments.run(run).begun()
    read.push({ course, definition: viewer === 'all' ? definition : undefined })
  }
  return outcomeTable(read)
}

/** A variable of a run over its rounds. */
export interface RunSeries {
  readonly run: string
  readonly variable: string
  /** Round and value; round 0 is the start. Of a run with very many rounds, every n-th and the last. */
  readonly points: readonly (readonly [round: number, value: number | null])[]
}

/** The variables of runs that are numbers. Runs that have no such variable are left out. Throws `unknown_run`. */
export async function seriesOf(
  experiments: Experiments,
  store: Store,
  runs: readonly string[],
  variables: readonly string[],
  viewer: RunViewer,
): Promise<readonly RunSeries[]> {
  const [compared, followed] = [comparedRuns(runs), [...new Set(variables)].slice(0, mostFollowed)]
  const most = Math.floor(mostPoints / Math.max(1, compared.length * followed.length))
  const found: RunSeries[] = []
  for (const run of compared) {
    const { series } = await readCourse(experiments, store, run, viewer)
    for (const variable of followed) {
      const values = series.get(variable)
      if (values) found.push({ run, variable, points: thinned(values, most) })
    }
  }
  return found
}

/** Of all series of an answer together. */
const mostPoints = 100_000

/**
 * At most so many of these values, evenly spaced, the first and the last among them.
 *
 * @example
 * thinned([5, 6, 7, 8, 9], 3) // [[0, 5], [2, 7], [4, 9]]
 */
export function thinned<T>(values: readonly T[], most: number): (readonly [number, T])[] {
  const every = Math.max(1, Math.ceil((values.length - 1) / Math.max(1, most - 1)))
  const last = values.length - 1
  return values.flatMap((value, index) => (index % every === 0 || index === last ? [[index, value] as const] : []))
}

function comparedRuns(runs: readonly string[]): readonly string[] {
  return [...new Set(runs)].slice(0, mostCompared)
}

/** A run is not read again as long as its log stays the same. */
async function readCourse(experiments: Experiments, store: Store, run: string, viewer: RunViewer): Promise<RunCourse> {
  const cache = cacheOf(store)
  const { length, erasures } = await store.standing(runThread(run))
  const key = `${viewer} ${run}`
  const known = cache.get(key)
  if (known?.length === length && known.erasures === erasures) return known.course
  const opened = experiments.run(run)
  const course = courseOf(runBoard(await opened.board(), await opened.begun(), viewer))
  cache.set(key, { length, erasures, course })
  return course
}

interface Known {
  readonly length: number
  readonly erasures: number
  readonly course: RunCourse
}

const caches = new WeakMap<Store, LRUCache<string, Known>>()

function cacheOf(store: Store): LRUCache<string, Known> {
  const cache =
    caches.get(store) ??
    new LRUCache<string, Known>({
      max: 1000,
      // Numbers that are kept: some 16 MB.
      maxSize: 2_000_000,
      sizeCalculation: ({ course: { series } }) =>
        100 + [...series.values()].reduce((sum, { length }) => sum + length, 0),
    })
  caches.set(store, cache)
  return cache
}
