import {
  courseOf,
  outcomeTable,
  runThread,
  type Experiments,
  type OutcomeTable,
  type RunCourse,
  type RunSeries,
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
  const found: { readonly run: string; readonly variable: string; readonly values: readonly (number | null)[] }[] = []
  for (const run of compared) {
    const { series } = await readCourse(experiments, store, run, viewer)
    for (const variable of followed) {
      const values = series.get(variable)
      if (values) found.push({ run, variable, values })
    }
  }
  // Of all runs the same rounds, so that a mean can be made of them.
  const every = stepFor(Math.max(0, ...found.map(({ values }) => values.length)), most)
  return found.map(({ run, variable, values }) => ({ run, variable, points: thinned(values, every) }))
}

/** Of all series of an answer together. */
const mostPoints = 100_000

/** Every how many of `length` values are sent, so that they are about `most`. */
function stepFor(length: number, most: number): number {
  return Math.max(1, Math.ceil((length - 1) / Math.max(1, most - 1)))
}

/**
 * Every n-th of these values, and the last one.
 *
 * @example
 * thinned([5, 6, 7, 8], 2) // [[0, 5], [2, 7], [3, 8]]
 */
export function thinned<T>(values: readonly T[], every: number): (readonly [index: number, value: T])[] {
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
