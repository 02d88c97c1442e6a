import { MinutebookError } from 'minutebook'
import { resolve } from 'node:path'
import { problemText, type Problem } from './problems.ts'
import { check, type Fields } from './schema.ts'
import type { Config } from './settings.ts'
import {
  dataFolder,
  findFile,
  loadFile,
  readEnvironment,
  type Environment,
  type FoundFile,
  type LoadedFile,
} from './sources.ts'

export { dataFolder } from './sources.ts'
export { findFile, type FoundFile } from './sources.ts'
export type {
  Config,
  KeyConfig,
  McpConfig,
  ModelConfig,
  RateLimitConfig,
  StateConfig,
  TelemetryConfig,
  ToolConfig,
  UpstreamConfig,
  WebhookConfig,
} from './settings.ts'

/** The sources of settings. Flags go before the environment, the environment before the file. */
export interface ConfigSources {
  /** The path of the YAML file. Default: `MINUTEBOOK_CONFIG`. false: no file, not even one in the folder. */
  readonly path?: string | false | undefined
  /** What the command line says, by field; undefined if it says nothing. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined
  /** Default: `process.env`. */
  readonly environment?: Environment | undefined
  /** Default: the working directory. */
  readonly folder?: string | undefined
  /**
   * Whether to use the `minutebook.yaml` of the folder if no file is named. It decides where chats go and which
   * programs are started, and the owner of the folder wrote it. Default: it is refused with `untrusted_config`.
   */
  readonly trusts?: ((file: FoundFile) => boolean) | undefined
}

/**
 * Reads and checks all settings, once. Throws one error that names every wrong field and how to fix it.
 *
 * @example
 * const running = await serve(readConfig())
 */
export function readConfig({
  path,
  flags = {},
  environment = process.env,
  folder = process.cwd(),
  trusts = () => false,
}: ConfigSources = {}): Config {
  const file = fileFrom(path ?? namedIn(environment), folder, trusts)
  const named = readEnvironment(environment)
  const said = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  const fields: Fields = { ...file.fields, ...named.fields, ...said }
  const checked = check({ ...fields, data: placed(fields['data'], folder) ?? dataFolder(environment) })
  const problems = [
    ...file.problems,
    ...named.problems,
    ...checked.problems.map((problem) => withSource(problem, said, named.names)),
  ]
  if (checked.config && problems.length === 0) return checked.config
  throw new MinutebookError(
    'bad_config',
    `The configuration cannot be used:\n${problems.map((problem) => `  ${problemText(problem)}`).join('\n')}`,
    '',
    { problems },
  )
}

/** The file that the environment names; undefined if it names no file. */
export function namedIn(environment: Environment): string | undefined {
  const name = environment['MINUTEBOOK_CONFIG']
  return name === '' ? undefined : name
}

function fileFrom(named: string | false | undefined, folder: string, trusts: (file: FoundFile) => boolean): LoadedFile {
  if (named !== undefined) return named === false ? noFile : loadFile(named, folder)
  const found = findFile(folder)
  if (found && !trusts(found)) throw untrustedConfigError(found)
  return found ?? noFile
}

const noFile: LoadedFile = { fields: {}, problems: [] }

/** Using the file or ignoring it silently could both surprise. */
function untrustedConfigError({ path }: Pick<FoundFile, 'path'>): MinutebookError {
  return new MinutebookError(
    'untrusted_config',
    `The file ${path} is in the working directory, but you have not approved it. Its settings decide where chats are sent and which programs are started.`,
    'If you trust this file, pass its path with --config or MINUTEBOOK_CONFIG (in code: the `path` option). To ignore it, pass --no-config (in code: `path: false`).',
    { path },
  )
}

/**
 * The settings of a server without configuration.
 *
 * @example
 * await serve({ ...defaults(), port: 0 })
 */
export function defaults(environment: Environment = process.env): Config {
  return check({ data: dataFolder(environment) }).config ?? fail()
}

function fail(): never {
  throw new MinutebookError(
    'bad_config',
    'The defaults do not pass their own check.',
    'This is a bug in Minutebook: please report it.',
  )
}

/** A folder in a settings file is relative to that file, which is resolved there. */
function placed(data: unknown, folder: string): unknown {
  return typeof data === 'string' && data !== '' ? resolve(folder, data) : data
}

/** Adds the source of a field to its problem, if that is not the file. */
function withSource(problem: Problem, flags: Fields, names: ReadonlyMap<string, string>): Problem {
  const top = problem.field.split(/[.[]/, 1)[0] ?? ''
  if (Object.hasOwn(flags, top)) return problem
  const name = names.get(top)
  return name === undefined ? problem : { ...problem, field: `${problem.field} (${name})` }
}
