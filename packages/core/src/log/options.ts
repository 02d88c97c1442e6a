import { MinutebookError, nearestName } from './error.ts'

/** The names of all options of a type. The compiler sees to it that none is missing, and that there is no other. */
export type OptionNames<O extends object> = Readonly<Record<keyof O, true>>

/**
 * Throws `invalid_options` if options are not an object, or have one that is unknown, which would have no effect. An
 * option that is undefined counts as not given. `taker`: who takes them, as the error names it.
 */
export function checkNames(taker: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null)
    throw new MinutebookError(
      'invalid_options',
      `${taker} takes an object with options, and got ${shown(options)}.`,
      namesText(known),
    )
  const unknown = unknownName(options, known)
  if (unknown === undefined) return
  const meant = nearestName(unknown, Object.keys(known))
  throw new MinutebookError(
    'invalid_options',
    `${taker} has no option ${unknown.slice(0, 64)}.`,
    `${meant === undefined ? '' : `Did you mean ${meant}? `}${namesText(known)}`,
    { option: unknown },
  )
}

function namesText(known: object): string {
  return `The options are ${Object.keys(known).join(', ')}.`
}

/** The first name in an object that is not known and has a value. */
export function unknownName(given: object, known: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in given)
    if (!Object.hasOwn(known, name) && (given as Readonly<Record<string, unknown>>)[name] !== undefined) return name
  return undefined
}

/** The error for an option with a value that is of no use. `what`: "is …" or "has …". */
export function invalidOptionsError(option: string, what: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_options', `The option ${option} ${what}.`, fix, { option })
}

/** Throws `invalid_options` if an option has a value that is not a list. */
export function checkList(option: string, value: unknown): void {
  if (value !== undefined && !Array.isArray(value))
    throw invalidOptionsError(option, `is ${shown(value)}, and must be a list`, `Pass { ${option}: […] }.`)
}

/** A value in the words of an error. */
export function shown(value: unknown): string {
  return typeof value === 'string'
    ? `the text "${value.slice(0, 64)}"`
    : typeof value === 'function'
      ? 'a function'
      : String(value)
}
