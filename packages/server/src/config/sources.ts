import { nearestName } from 'minutebook/inspect'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from './problems.ts'
import { fieldNames, isFields, type Fields } from './schema.ts'

/** What a file says, unchecked. */
export interface LoadedFile {
  readonly fields: Fields
  readonly problems: readonly Problem[]
}

/** A file of settings in a folder that was not named. */
export interface FoundFile {
  readonly path: string
  /** Its text as it was read: this text is trusted, not a later content of the file. */
  readonly text: string
  /** What it says, unchecked. */
  readonly fields: Fields
}

/** Reads the named file, which must exist. */
export function loadFile(named: string, folder: string): LoadedFile {
  const path = resolve(folder, named)
  try {
    return readText(readFileSync(path, 'utf8'), path)
  } catch (error) {
    return unreadable(path, error)
  }
}

/** The `minutebook.yaml` of a folder; undefined if it does not exist. Only reads the file. */
export function findFile(folder: string): (FoundFile & LoadedFile) | undefined {
  const path = resolve(folder, fileName)
  if (!existsSync(path)) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    return { path, text, ...readText(text, path) }
  } catch (error) {
    return { path, text: '', ...unreadable(path, error) }
  }
}

const fileName = 'minutebook.yaml'

function unreadable(path: string, error: unknown): LoadedFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  return broken(`The file "${path}" cannot be read (${code}). Correct the path in --config or MINUTEBOOK_CONFIG.`)
}

function readText(text: string, path: string): LoadedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    return {
      fields: {},
      problems: document.errors.map(({ code, pos }) => ({
        field: '',
        text: `${basename(path)}, line ${lines.linePos(pos[0]).line}: this is not YAML (${code}). Fix that line.`,
      })),
    }
  }
  const fields: unknown = document.toJS() ?? {}
  if (!isFields(fields)) return broken(`${basename(path)} must contain settings by name, such as "port: 11435".`)
  return { fields: withPlace(fields, dirname(path)), problems: [] }
}

/** Paths in a file are relative to its folder. */
function withPlace(fields: Fields, folder: string): Fields {
  const { data } = fields
  if (typeof data !== 'string' || data === '') return fields
  return { ...fields, data: data.startsWith('~/') ? join(homedir(), data.slice(2)) : resolve(folder, data) }
}

function broken(text: string): LoadedFile {
  return { fields: {}, problems: [{ field: '', text }] }
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What the environment sets, unchecked, and the variable of each field. */
export interface NamedFields {
  readonly fields: Fields
  readonly names: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

const prefix = 'MINUTEBOOK_'
const lists: ReadonlySet<string> = new Set(['allowHosts', 'allowOrigins', 'upstreams', 'stabilise'])
const structures: ReadonlySet<string> = new Set([
  'upstreams',
  'keys',
  'models',
  'prices',
  'policy',
  'policies',
  'allowHosts',
  'allowOrigins',
  'stabilise',
  'tools',
  'mcp',
  'states',
  'webhooks',
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
  'databaseTimeout',
  'slots',
  'queueLimit',
  'callTimeout',
  'drainNotice',
])

/** Variables of the command: the file of the settings, and the server and key to use. */
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

/** The variable of the environment that has a setting. */
export function variableOf(field: string): string {
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

/** A text that cannot be parsed stays unchanged: the check of its field says what is expected. */
function parsed(value: string): unknown {
  const document = parseDocument(value, { prettyErrors: false })
  const structure: unknown = document.errors.length === 0 ? document.toJS() : undefined
  return Array.isArray(structure) || isFields(structure) ? structure : value
}

function unknown(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return `there is no such variable. ${near === undefined ? `Remove it; there is ${known.join(', ')}.` : `Did you mean ${near}?`}`
}

/** Where this kind of system keeps the data of a user's programs. */
export function dataFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'minutebook')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'minutebook')
  const shared = environment['XDG_DATA_HOME']
  // A relative path there is to be ignored.
  return join(shared?.startsWith('/') ? shared : join(home, '.local', 'share'), 'minutebook')
}
