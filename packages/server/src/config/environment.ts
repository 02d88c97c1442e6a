import { nearestName } from 'minutebook/inspect'
import { parseDocument } from 'yaml'
import type { Problem } from './problem.ts'
import { fieldNames, isFields, type Fields } from './schema.ts'

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What the environment says, unchecked, and which variable said it. */
export interface NamedFields {
  readonly fields: Fields
  readonly names: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

const prefix = 'MINUTEBOOK_'
const lists: ReadonlySet<string> = new Set(['allowHosts', 'allowOrigins', 'upstreams'])
const structures: ReadonlySet<string> = new Set([
  'upstreams',
  'keys',
  'models',
  'policy',
  'policies',
  'allowHosts',
  'allowOrigins',
  'tools',
  'mcp',
  'states',
  'rateLimit',
  'runLimits',
  'telemetry',
])
const numbers: ReadonlySet<string> = new Set([
  'port',
  'bodyLimit',
  'bodiesLimit',
  'threadLimit',
  'poolSize',
  'slots',
  'queueLimit',
  'callTimeout',
  'drainNotice',
])

/** Variables of the command: the file of the settings, and the server and key that it is to use. */
const others: readonly string[] = ['MINUTEBOOK_CONFIG', 'MINUTEBOOK_SERVER', 'MINUTEBOOK_KEY']

/**
 * Every setting has a variable: `bodyLimit` is `MINUTEBOOK_BODY_LIMIT`. Lists are separated by commas or written as
 * JSON.
 */
export function readEnvironment(environment: Environment): NamedFields {
  const fields: Record<string, unknown> = {}
  const names = new Map<string, string>()
  const problems: Problem[] = []
  const known = new Map(fieldNames.map((field) => [variableOf(field), field]))
  for (const [name, value] of Object.entries(environment)) {
    if (
      !name.startsWith(prefix) ||
      others.includes(name) ||
      value === undefined ||
      value === '' ||
      isOrchestration(name, value)
    )
      continue
    const field = known.get(name)
    if (field === undefined) problems.push({ field: name, text: unknown(name, [...known.keys(), ...others]) })
    else {
      fields[field] = valueOf(field, value)
      names.set(field, name)
    }
  }
  return { fields, names, problems }
}

function variableOf(field: string): string {
  return prefix + field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** Kubernetes sets such variables by itself for a service that is called minutebook. */
function isOrchestration(name: string, value: string): boolean {
  return (
    name.startsWith('MINUTEBOOK_SERVICE_') ||
    name.startsWith('MINUTEBOOK_PORT_') ||
    (name === 'MINUTEBOOK_PORT' && value.startsWith('tcp://'))
  )
}

function valueOf(field: string, value: string): unknown {
  if (structures.has(field) && /^\s*[[{]/.test(value)) return parsed(value)
  if (lists.has(field))
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  if (numbers.has(field)) return /^\d+$/.test(value) ? Number(value) : value
  if (field === 'record') return truths.get(value.toLowerCase()) ?? value
  return value
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
])

/** A text that cannot be read stays as it is: the check of its field says what is wanted. */
function parsed(value: string): unknown {
  const document = parseDocument(value, { prettyErrors: false })
  const structure: unknown = document.errors.length === 0 ? document.toJS() : undefined
  return Array.isArray(structure) || isFields(structure) ? structure : value
}

function unknown(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return `there is no such variable. ${near === undefined ? `Remove it; there is ${known.join(', ')}.` : `Did you mean ${near}?`}`
}
