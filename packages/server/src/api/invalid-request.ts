import type { z } from 'zod'
import type { Failure } from './failure.ts'

/** What was sent, and what is wrong with it. */
export interface Unfit {
  readonly target: string
  readonly data: unknown
  readonly error: z.ZodError
}

/**
 * Names the field and what is wrong with it; of fields that there are not, their names. Never repeats what was sent in
 * them.
 */
export function invalidRequest({ target, data, error: { issues } }: Unfit): Failure {
  const place = places[target] ?? target
  const wrong = issues.find(({ code }) => code !== 'unrecognized_keys')
  const said = [
    ...(wrong ? [wrongText(place, innermost(wrong), data)] : []),
    ...issues.flatMap((issue) => unknownText(place, issue)),
  ]
  const text = said.length === 0 ? `the ${place} cannot be read` : said.join(', and ')
  return {
    status: 400,
    code: 'invalid_request',
    message: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
    fix: 'Correct it by what /minutebook/v1/openapi.json says of this operation.',
  }
}

const places: Readonly<Record<string, string>> = { json: 'body', param: 'path' }

type Issue = z.core.$ZodIssue

function wrongText(place: string, issue: Issue, data: unknown): string {
  const field = [place, ...issue.path].join('.')
  if (issue.path.length > 0 && valueAt(data, issue.path) === undefined) return `the field ${field} is missing`
  return `the field ${field} is wrong: ${issue.code === 'invalid_union' ? 'it is of another type than it should be' : issue.message.replace(/\.$/, '')}`
}

function unknownText(place: string, issue: Issue): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return []
  const names = issue.keys
    .slice(0, 3)
    .map((key) => JSON.stringify(key.slice(0, 64)))
    .join(', ')
  return [`${[place, ...issue.path].join('.')} has no ${issue.keys.length === 1 ? 'field' : 'fields'} ${names}`]
}

/** Of several forms that a value may have, what is wrong with the one that fits it furthest. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const [deepest] = issue.errors
    .flatMap(([first]) => (first ? [innermost(first)] : []))
    .toSorted((one, other) => other.path.length - one.path.length)
  return deepest && deepest.path.length > 0 ? { ...deepest, path: [...issue.path, ...deepest.path] } : issue
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[name] : undefined,
    data,
  )
}
