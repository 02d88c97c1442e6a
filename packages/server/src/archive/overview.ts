import { MinutebookError, type Store } from 'minutebook'
import { figureName, sumFigures, type Figures, type StoredFigures } from 'minutebook/store'
import { findProblems, type SummaryReader, type ThreadProblems } from './problems.ts'

/** Which calls an overview sums up. */
export interface OverviewQuery {
  /** The first hour, and the hour to stop before, as ISO 8601 times. Default: the last 24 hours. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** How many hours are summed in a step. Default: so that there are at most 60 steps. */
  readonly step?: number | undefined
  /** Only calls of this model, and for this key. Default: of all. */
  readonly model?: string | undefined
  readonly key?: string | undefined
  /** How many threads with problems are listed. Default: 12. At most 50. */
  readonly limit?: number | undefined
}

/** What happened in all threads, in a range of time: figures, and the threads that need a look. */
export interface Overview {
  readonly from: string
  readonly to: string
  /** In hours. */
  readonly step: number
  readonly totals: Figures
  /** One for each step, the oldest first. */
  readonly series: readonly { readonly from: string; readonly figures: Figures }[]
  /** The models and the keys in this range, the most used first, whatever the query chooses. */
  readonly models: readonly NamedCalls[]
  readonly keys: readonly NamedCalls[]
  /** Threads with problems, the worst first. */
  readonly problems: readonly ThreadProblems[]
  /** How many threads have problems. If `all` is false, only the newest were looked at, and there may be more. */
  readonly threads: { readonly count: number; readonly all: boolean }
}

/** How often a model was called, or for a key. Null: all others. */
export interface NamedCalls {
  readonly name: string | null
  readonly calls: number
}

/**
 * Sums up the figures of a store, and finds the threads that need a look. It reads as many rows as there are hours,
 * models and keys in the range, and the newest entries of the listed threads: the number of threads and of calls does
 * not matter. `now`: in milliseconds. `summary`: reads what a list says of a thread.
 */
export async function readOverview(
  store: Store,
  query: OverviewQuery,
  { now, summary }: { readonly now: number; readonly summary: SummaryReader },
): Promise<Overview> {
  const { limit = 12 } = query
  // As the lists of models and keys have them.
  const [model, key] = [query.model, query.key].map((name) => (name === undefined ? undefined : figureName(name)))
  const { from, to, step } = rangeOf(query, now)
  const rows = await store.figures({ from, to, step })
  const chosen = rows.filter(
    (row) => (model === undefined || row.model === model) && (key === undefined || row.key === key),
  )
  const found = await findProblems(store, { from, to, model, key, limit: Math.min(limit, mostThreads) }, summary)
  const byHour = new Map<number, Figures[]>()
  for (const { hour, figures } of chosen) {
    const others = byHour.get(hour)
    if (others) others.push(figures)
    else byHour.set(hour, [figures])
  }
  const hours = Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step)
  return {
    from: timeOf(from),
    to: timeOf(to),
    step,
    totals: sumFigures(chosen.map(({ figures }) => figures)),
    series: hours.map((hour) => ({
      from: timeOf(hour),
      figures: sumFigures(byHour.get(hour) ?? []),
    })),
    models: named(rows, ({ model: name }) => name),
    keys: named(rows, ({ key: name }) => name),
    problems: found.threads,
    threads: { count: found.count, all: found.all },
  }
}

const mostThreads = 50
const usualSteps = 60
/** A series is never longer, whatever step is asked for. */
const mostSteps = 400
/** Steps that people expect: hours, days, weeks and about months. */
const steps = [1, 2, 3, 6, 12, 24, 48, 168, 720, 2160, 8760] as const

/** The range in hours since 1970. It begins at a multiple of its step, so that days begin at midnight (UTC). */
function rangeOf(
  { from, to, step }: OverviewQuery,
  now: number,
): { readonly from: number; readonly to: number; readonly step: number } {
  const last = to === undefined ? Math.floor(now / hourLength) + 1 : Math.ceil(hoursIn(to))
  const first = from === undefined ? last - 24 : Math.floor(hoursIn(from))
  if (!(first < last)) throw rangeError()
  const least = Math.ceil((last - first) / mostSteps)
  const usual = steps.find((hours) => (last - first) / hours <= usualSteps) ?? least
  const chosen = Math.max(step ?? usual, least)
  return { from: Math.floor(first / chosen) * chosen, to: last, step: chosen }
}

const hourLength = 3_600_000

function hoursIn(time: string): number {
  const hours = Date.parse(time) / hourLength
  if (hours >= 0 && hours < mostHours) return hours
  throw rangeError()
}

/** Until the year 2500. */
const mostHours = 4_650_000

function timeOf(hour: number): string {
  return new Date(hour * hourLength).toISOString()
}

function rangeError(): MinutebookError {
  return new MinutebookError(
    'invalid_range',
    'There is no such range of time.',
    'Pass ISO 8601 times, such as 2026-11-18T00:00:00Z, with "from" before "to".',
  )
}

function named(rows: readonly StoredFigures[], nameOf: (row: StoredFigures) => string | null): NamedCalls[] {
  const sums = new Map<string | null, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.figures.calls + row.figures.unsent)
  const all = [...sums].map(([name, calls]) => ({ name, calls })).toSorted((one, other) => other.calls - one.calls)
  return all.slice(0, mostNames)
}

/** For a list to choose from. */
const mostNames = 100
