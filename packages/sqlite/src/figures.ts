import type { DatabaseSync } from 'node:sqlite'
import {
  countedFrom,
  figureNames,
  mostKeys,
  mostModels,
  otherName,
  type StoredFigures,
  type CountText,
  type FigureQuery,
} from 'minutebook/store'
import { bounded } from './threads.ts'

/** The table of what was counted. `add` is to be run in a transaction. */
export interface FigureTable {
  add(count: CountText): void
  read(query: FigureQuery): StoredFigures[]
}

/** The columns of the figures, in the order of their names. */
const columns: readonly string[] = figureNames.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

/** A row for each hour, key and model. Names are JSON; the empty text is all others. */
export const figureSchema: string = `
  create table figure (
    hour     integer not null,                -- since 1970
    key      text not null,
    model    text not null,
    ${columns.map((column) => `${column} integer not null`).join(',\n    ')},
    primary key (hour, key, model)
  ) strict, without rowid;
`

export function createFigureTable(database: DatabaseSync): FigureTable {
  const ofHour = 'select 1 from figure where hour = :hour'
  const chosenKey = `case
      when exists (${ofHour} and key = :key) then :key
      when (select count(distinct key) from figure where hour = :hour) < ${mostKeys} then :key else '${otherName}' end`
  const chosenModel = `case
      when exists (${ofHour} and key = chosen.key and model = :model) then :model
      when (select count(*) from figure where hour = :hour and key = chosen.key) < ${mostModels} then :model
      else '${otherName}' end`
  const add = database.prepare(`
    insert into figure (hour, key, model, ${columns.join(', ')})
    select :hour, chosen.key, ${chosenModel}, ${columns.map((column) => `:${column}`).join(', ')}
    from (select ${chosenKey} as key) as chosen where true
    on conflict (hour, key, model) do update set ${columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', ')}
  `)
  const read = database.prepare(`
    select :from + cast((hour - :from) / :step as integer) * :step as first, model, key, ${columns.map((column) => `sum(${column}) as ${column}`).join(', ')}
    from figure where hour >= :from and hour < :to group by 1, 2, 3 order by 1
  `)
  return {
    add: ({ hour, key, model, values }) => {
      add.run({ hour, key, model, ...Object.fromEntries(columns.map((column, index) => [column, values[index] ?? 0])) })
    },
    read: ({ from = 0, to = Infinity, step = 1 }) =>
      read.all({ from, to: bounded(to), step }).map((row) =>
        countedFrom(
          Number(row['first']),
          String(row['model']),
          String(row['key']),
          columns.map((column) => Number(row[column])),
        ),
      ),
  }
}
