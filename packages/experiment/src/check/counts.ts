import { isFields, sizeWithin } from '../plain-value.ts'
import type { Finding, Path } from '../problem.ts'

/**
 * Finds lists, maps and expressions of which there are more than an experiment may have. Asked before all other checks,
 * whose work grows with them.
 */
export function checkCounts(value: unknown): Finding[] {
  if (sizeWithin(value, mostHeld, Infinity) === undefined)
    return [{ path: [], problem: `is larger than ${mostHeld} characters and items together`, fix: 'shorten it' }]
  const found = countsIn(value, [])
  return found.length > 0 ? found.slice(0, 1) : checkExpressionCount(value)
}

/** By path; `*` means any name or index. Others may have `mostEntries`. */
const most: ReadonlyMap<string, number> = new Map([
  ['participants', 100],
  ['participants.*.history', 1000],
  ['tools', 100],
  ['rounds', 100],
])
const mostEntries = 500
const mostExpressions = 1000
const mostCharacters = 100_000
/** Of the whole experiment, with its histories and values. */
const mostHeld = 1_000_000

/** Where the writer's own values begin: nothing is looked up in them, and their size is limited elsewhere. */
const values: ReadonlySet<string> = new Set([
  'environment.*',
  'participants.*.history.*',
  'participants.*.model',
  'tools.*.parameters.*',
])

function countsIn(value: unknown, path: Path): Finding[] {
  const place = path.map((part, index) => (index % 2 === 1 || typeof part === 'number' ? '*' : part)).join('.')
  if (typeof value !== 'object' || value === null || values.has(place)) return []
  const limit = most.get(place) ?? mostEntries
  const entries = Object.entries(value)
  if (entries.length > limit)
    return [
      {
        path,
        problem: `has ${entries.length} ${Array.isArray(value) ? 'items' : 'fields'}, and ${limit} are the most`,
        fix: 'write fewer',
      },
    ]
  return entries.flatMap(([name, inner]) => countsIn(inner, [...path, Array.isArray(value) ? Number(name) : name]))
}

function checkExpressionCount(value: unknown): Finding[] {
  const { hooks, goals, tools } = fieldsOf(value)
  const texts = [
    ...Object.values(fieldsOf(hooks)).flatMap(textsIn),
    ...Object.values(fieldsOf(goals)).flatMap(textsIn),
    ...Object.values(fieldsOf(tools)).flatMap((tool) => {
      const { require, changes, result } = fieldsOf(tool)
      return [
        ...(Array.isArray(require) ? require.map((one) => fieldsOf(one)['when']) : []),
        ...textsIn(changes),
        result,
      ]
    }),
  ].filter((text) => typeof text === 'string')
  if (texts.length > mostExpressions)
    return [
      { path: [], problem: `has ${texts.length} expressions, and ${mostExpressions} are the most`, fix: 'write fewer' },
    ]
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > mostCharacters)
    return [
      {
        path: [],
        problem: `has expressions of ${length} characters together, and ${mostCharacters} are the most`,
        fix: 'write shorter ones',
      },
    ]
  return []
}

function textsIn(value: unknown): unknown[] {
  return Object.values(fieldsOf(value))
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {}
}
