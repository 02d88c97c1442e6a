// What does `npm run bench:retention` leave for the pages? All its sums, so that every table and the plot can be made again.
import type { Measurement } from '../measurement.ts'
import type { Results } from '../results.ts'
import { collectResults } from '../results.ts'
import type { Provenance } from './provenance.ts'

/** What is in `bench/results/retention.json`. */
export interface RetentionData extends Provenance {
  /** The other libraries, by package. */
  readonly versions: Readonly<Record<string, string>>
  readonly budgets: readonly { readonly window: number; readonly reserve: number }[]
  readonly cells: readonly Cell[]
}

/** What one row did with the conversations of a set in a window. */
export interface Cell extends Measurement {
  readonly row: string
  readonly dataset: string
  readonly window: number
}

export function cellsOf(results: Results): Cell[] {
  return results.rows.flatMap((row) =>
    results.datasets.flatMap((dataset) =>
      results.windows.map((window) => ({ row, dataset, window, ...results.get(row, dataset, window) })),
    ),
  )
}

export function resultsOf({ cells }: RetentionData): Results {
  const each = <Key extends 'row' | 'dataset' | 'window'>(key: Key): Cell[Key][] => [
    ...new Set(cells.map((cell) => cell[key])),
  ]
  const collected = collectResults(each('row'), each('dataset'), each('window'))
  for (const { row, dataset, window, ...measured } of cells) collected.record(row, dataset, window, measured)
  return collected
}
