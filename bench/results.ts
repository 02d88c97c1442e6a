import type { Measurement } from './measurement.ts'
import { add, nothing } from './measurement.ts'

/** The sums of a run, by row, dataset and window. */
export interface Results {
  readonly rows: readonly string[]
  readonly datasets: readonly string[]
  readonly windows: readonly number[]
  get(row: string, dataset: string, window: number): Measurement
}

export interface Collector extends Results {
  record(row: string, dataset: string, window: number, measured: Measurement): void
}

export function collectResults(
  rows: readonly string[],
  datasets: readonly string[],
  windows: readonly number[],
): Collector {
  const cells = new Map<string, Measurement>()
  const key = (row: string, dataset: string, window: number): string => JSON.stringify([row, dataset, window])
  const get = (row: string, dataset: string, window: number): Measurement =>
    cells.get(key(row, dataset, window)) ?? nothing
  return {
    rows,
    datasets,
    windows,
    get,
    record: (row, dataset, window, measured) =>
      void cells.set(key(row, dataset, window), add(get(row, dataset, window), measured)),
  }
}

/** All that one row did, over every dataset and window. */
export function sumOfRow(results: Results, row: string): Measurement {
  return results.datasets
    .flatMap((dataset) => results.windows.map((window) => results.get(row, dataset, window)))
    .reduce(add, nothing)
}
