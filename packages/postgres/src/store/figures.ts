import {
  countedFrom,
  figureNames,
  mostKeys,
  mostModels,
  type StoredFigures,
  type CountText,
  type FigureQuery,
} from 'minutebook/store'
import { hasTable, type Session } from '../connection/connection.ts'
import { unlessOutdated } from '../connection/failure.ts'
import { requestOf, statement, type NamedStatement } from '../connection/statement.ts'
import type { Ask } from './snapshots.ts'
import { bounded } from './threads.ts'

// How are model calls counted? In the statement that appends the entry of a call, so that it costs no round trip. Each
// connection adds to the row of its slot: appends wait for each other only if their connections share one.

/** The columns of the figures, in the order of their names. */
const columns: readonly string[] = figureNames.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

/** More slots are fewer waits, and more rows to sum. */
const slots = 8

/** The texts in place of the open places of the statements that count. */
export const figureParts: Readonly<Record<string, string>> = {
  'figure-columns': columns.join(', '),
  'figure-values': columns.map((_, index) => `($figures::bigint[])[${index + 1}]`).join(', '),
  'figure-sums': columns.map((column) => `${column} = figure.${column} + excluded.${column}`).join(', '),
  'most-keys': String(mostKeys),
  'most-models': String(mostModels),
  slots: String(slots),
}

const count = statement('count', { ...figureParts, 'counted-if': '' })
const readFigures = statement('figures', {
  // As whole numbers below 2^53 they are exact. Sums of bigint are of any length, which takes twice as long and sorts.
  'summed-figures': columns.map((column) => `sum(${column}::float8) as ${column}`).join(', '),
})

/** An append that also counts, if it appends. */
export const appendCounted: NamedStatement = statement('append-counted', { ...figureParts, 'counted-if': 'advanced,' })

/** The parameters of a count. */
export function countColumns(counted: CountText | undefined): Readonly<Record<string, unknown>> {
  return { hour: counted?.hour, count_key: counted?.key, model: counted?.model, figures: counted?.values }
}

/** Counts inside of a transaction. A database of the version before, which others still use, cannot count yet. */
export async function countIn(session: Session, counted: CountText | undefined): Promise<void> {
  if (!counted || !(await hasTable(session, 'figure'))) return
  const { values } = requestOf(count, { tenant: session.tenant, ...countColumns(counted) })
  await session.run(count, values)
}

type FigureRow = Readonly<Record<string, unknown>>

export async function figuresOf(ask: Ask, tenant: string, query: FigureQuery = {}): Promise<StoredFigures[]> {
  const { from = 0, to = Infinity, step = 1 } = query
  const request = requestOf(readFigures, { tenant, from, to: bounded(to), step })
  const rows = await unlessOutdated(ask<FigureRow>(null, request), [])
  return rows.map((row) =>
    countedFrom(
      Number(row['first']),
      String(row['model']),
      String(row['key']),
      columns.map((column) => Number(row[column])),
    ),
  )
}
