import { readFileSync } from 'node:fs'

/** One statement, prepared once on each connection under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** The statement in the file of that name. */
export function statement(name: string): Statement {
  return { name: `minutebook ${name}`, text: readFileSync(new URL(`../../sql/${name}.sql`, import.meta.url), 'utf8') }
}
