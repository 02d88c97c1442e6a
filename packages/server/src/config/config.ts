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
  PolicyConfig,
  RateLimitConfig,
  StateConfig,
  TelemetryConfig,
  ToolConfig,
  UpstreamConfig,
} from './settings.ts'

/** Where settings come from. Flags go before the environment, the environment before the file. */
export interface ConfigSources {
  /** Of the YAML file. Default: `MINUTEBOOK_CONFIG`. false: none, not even one that is in the folder. */
  readonly path?: string | false | undefined
  /** What was said on the command line, by field; undefined was not said. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined
  /** `process.env` unless told. */
  readonly environment?: Environment | undefined
  /** The working directory unless told. */
  readonly folder?: string | undefined
  /**
   * Whether to use the `minutebook.yaml` of the folder, if no file is named. It decides where chats go and which
   * programs are started, and whoever made the folder has written it. Default: it is refused with `untrusted_config`.
   */
  readonly trusts?: ((file: FoundFile) => boolean) | undefined
}

/**
 * Reads and checks all settings, once. Throws one error that names every field that is wrong and how to mend it.
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

/** The file that the environment names; undefined if it names none. */
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

/** Neither used nor passed over in silence: both could surprise. */
function untrustedConfigError({ path }: Pick<FoundFile, 'path'>): MinutebookError {
  return new MinutebookError(
    'untrusted_config',
    `The file ${path} is in the working directory, and settings decide where chats go and which programs are started.`,
    'If it is yours, name it with --config or MINUTEBOOK_CONFIG (path in a program); to leave it out, pass --no-config (path: false).',
    { path },
  )
}

/**
 * The settings of a server that nobody configured.
 *
 * @example
 * await serve({ ...defaults(), port: 0 })
 */
export function defaults(environment: Environment = process.env): Config {
  return check({ data: dataFolder(environment) }).config ?? fail()
}

function fail(): never {
  throw new MinutebookError('bad_config', 'The defaults do not pass their own check.', 'Report this.')
}

/** A folder that is named in a file stands beside the file; that is done there. */
function placed(data: unknown, folder: string): unknown {
  return typeof data === 'string' && data !== '' ? resolve(folder, data) : data
}

/** Says with the field where it was set, if that was not the file. */
function withSource(problem: Problem, flags: Fields, names: ReadonlyMap<string, string>): Problem {
  const top = problem.field.split(/[.[]/, 1)[0] ?? ''
  if (Object.hasOwn(flags, top)) return problem
  const name = names.get(top)
  return name === undefined ? problem : { ...problem, field: `${problem.field} (${name})` }
}
