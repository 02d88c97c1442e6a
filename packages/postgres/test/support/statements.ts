import { readdirSync } from 'node:fs'
import { statement } from '../../src/connection/statement.ts'
import { figureParts } from '../../src/store/figures.ts'

const given = { table: 'job', ...figureParts, 'summed-figures': 'sum(calls)' }
const folder = new URL('../../sql/', import.meta.url)

/** Every statement by the name of its file, as Postgres gets it. */
export function statementTexts(): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => file.slice(0, -'.sql'.length))
    .map((name) => [name, statement(name, { ...given, 'counted-if': name === 'count' ? '' : 'advanced,' }).text])
}
