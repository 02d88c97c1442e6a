import { readFileSync } from 'node:fs'

/** One statement, prepared once on each connection under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A statement whose file names its parameters, such as `$tenant`. */
export interface NamedStatement extends Statement {
  /** In the order of their numbers. */
  readonly parameters: readonly string[]
}

/** A statement, and what it is run with. */
export interface Request {
  readonly statement: Statement
  readonly values: readonly unknown[]
  /** Whether it may take longer than usual. */
  readonly isLong?: boolean | undefined
}

/**
 * The statement in the file of that name. In place of `{part}` it has the text that is given for it, such as the name of
 * a table, or else the part of that name, which several statements share.
 */
export function statement(name: string, given: Readonly<Record<string, string>> = {}): NamedStatement {
  const filled = (text: string): string =>
    text.replaceAll(/\{([a-z-]+)\}/g, (_, part: string) => given[part] ?? filled(read(`parts/${part}`).trim()))
  const whole = filled(read(name))
  const parameters = [...new Set([...whole.matchAll(/\$([a-z_]+)/g)].map(([, parameter]) => parameter!))]
  const text = whole.replaceAll(/\$([a-z_]+)/g, (_, parameter: string) => `$${parameters.indexOf(parameter) + 1}`)
  return { name: `minutebook ${name}`, text, parameters }
}

function read(name: string): string {
  return readFileSync(new URL(`../../sql/${name}.sql`, import.meta.url), 'utf8')
}

/** Values by the names of a statement's parameters. The statement may have no parameter for some of them. */
export function requestOf(named: NamedStatement, values: Readonly<Record<string, unknown>>): Request {
  return { statement: named, values: named.parameters.map((parameter) => values[parameter]) }
}
