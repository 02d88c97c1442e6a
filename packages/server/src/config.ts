import { resolve } from 'node:path'
import { MinutebookError } from 'minutebook'
import { dataFolder } from './config/data-folder.ts'
import { readEnvironment, type Environment } from './config/environment.ts'
import { loadFile } from './config/file.ts'
import { problemText, type Problem } from './config/problem.ts'
import { check, type Fields } from './config/schema.ts'
import type { Config } from './config/settings.ts'

export type { Config, KeyConfig, McpConfig, ModelConfig, PolicyConfig, RateLimitConfig, StateConfig, TelemetryConfig, ToolConfig, UpstreamConfig } from './config/settings.ts'

/** Where settings come from. Flags go before the environment, the environment before the file. */
export interface ConfigSources {
  /** Of the YAML file: `MINUTEBOOK_CONFIG`, or `minutebook.yaml` in the folder where there is one, unless told. */
  readonly path?: string | undefined
  /** What was said on the command line, by field; undefined was not said. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined
  /** `process.env` unless told. */
  readonly environment?: Environment | undefined
  /** The working directory unless told. */
  readonly folder?: string | undefined
}

/**
 * Reads and checks all settings, once. Throws one error that names every field that is wrong and how to mend it.
 *
 * @example
 * const running = await serve(readConfig())
 */
export function readConfig({ path, flags = {}, environment = process.env, folder = process.cwd() }: ConfigSources = {}): Config {
  const file = loadFile(path ?? environment['MINUTEBOOK_CONFIG'], folder)
  const named = readEnvironment(environment)
  const said = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  const fields: Fields = { ...file.fields, ...named.fields, ...said }
  const checked = check({ ...fields, data: placed(fields['data'], folder) ?? dataFolder(environment) })
  const problems = [...file.problems, ...named.problems, ...checked.problems.map((problem) => withSource(problem, said, named.names))]
  if (checked.config && problems.length === 0) return checked.config
  throw new MinutebookError('bad_config', `The configuration cannot be used:\n${problems.map((problem) => `  ${problemText(problem)}`).join('\n')}`, { problems })
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
  throw new MinutebookError('bad_config', 'The defaults do not pass their own check. Report this.')
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
