import { sentence } from '@minutebook/experiment'
import type { z } from 'zod'
import type { Failure } from './errors.ts'

/** What was sent, and what is wrong with it. */
export interface InvalidPart {
  readonly target: string
  readonly data: unknown
  readonly error: z.ZodError
}

/**
 * Names the field and what is wrong with it, or the names of unknown fields. Never repeats the values that were sent.
 */
export function invalidRequest({ target, data, error }: InvalidPart): Failure {
  const issues = error.issues.map(innermost)
  const place = places[target] ?? target
  const wrong = issues.find(({ code }) => code !== 'unrecognized_keys')
  const said = [
    ...(wrong ? [wrongText(place, wrong, data)] : []),
    ...issues.flatMap((issue) => unknownText(place, issue)),
  ]
  const text = said.length === 0 ? `the ${place} cannot be read` : said.join(', and ')
  return {
    status: 400,
    code: 'invalid_request',
    message: sentence(text),
    fix: 'Correct the request. /minutebook/v1/openapi.json describes this operation.',
  }
}

const places: Readonly<Record<string, string>> = { json: 'body', param: 'path' }

type Issue = z.core.$ZodIssue

function wrongText(place: string, issue: Issue, data: unknown): string {
  const field = [place, ...issue.path].join('.')
  if (issue.path.length > 0 && valueAt(data, issue.path) === undefined) return `the field ${field} is missing`
  return `the field ${field} is wrong: ${issue.code === 'invalid_union' ? 'it has the wrong type' : issue.message.replace(/\.$/, '')}`
}

function unknownText(place: string, issue: Issue): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return []
  const names = issue.keys
    .slice(0, 3)
    .map((key) => JSON.stringify(key.slice(0, 64)))
    .join(', ')
  return [`${[place, ...issue.path].join('.')} has no ${issue.keys.length === 1 ? 'field' : 'fields'} ${names}`]
}

/** If a value may have several forms: what is wrong with the form that fits it best. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const [deepest] = issue.errors
    .flatMap(([first]) => (first ? [innermost(first)] : []))
    .toSorted((one, other) => depthOf(other) - depthOf(one))
  return deepest && depthOf(deepest) > 0 ? { ...deepest, path: [...issue.path, ...deepest.path] } : issue
}

function depthOf({ path, code }: Issue): number {
  return code === 'unrecognized_keys' ? path.length + 1 : path.length
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[name] : undefined,
    data,
  )
}
