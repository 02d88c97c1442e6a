import { checkModules, type Definition, definitionValue, type Problem, problemText } from '@minutebook/experiment'
import { type Config, openStores, policiesOf, policyProblems } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { namingDatabase, serverFor } from '../connection/connection.ts'
import { configOf, type Location } from '../connection/location.ts'
import { clientOf, dataOf, type ServerAddress } from '../connection/server.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ExperimentFile } from './experiment-file.ts'

/** Where an experiment would run. */
export interface CheckedPlace {
  readonly config: Config
  /** Undefined: in this process. */
  readonly server: ServerAddress | undefined
}

export async function placeOf(terminal: Terminal, where: Location): Promise<CheckedPlace> {
  const config = await configOf(terminal, where)
  return { config, server: await serverFor(terminal, where, config) }
}

/**
 * Checks that the policies and modules of an experiment exist where it will run. Throws `invalid_experiment` with every
 * problem. Starts nothing, and runs nothing that the experiment names.
 */
export async function checkPlace(
  { config, server }: CheckedPlace,
  file: string,
  experiment: ExperimentFile,
): Promise<void> {
  const { definition } = experiment
  const problems = server
    ? (
        await dataOf<{ problems: readonly Problem[] }>(
          clientOf(server).POST('/minutebook/v1/experiments/check', {
            body: { definition: definitionValue(definition) as Record<string, unknown> },
          }),
        )
      ).problems
    : [...(await moduleProblems(experiment, file)), ...(await policiesIn(config, definition))]
  if (problems.length === 0) return
  const count = problems.length === 1 ? 'One thing' : `${problems.length} things`
  throw new MinutebookError(
    'invalid_experiment',
    `${count} must be fixed before this experiment can run:\n${problems.map((problem) => problemText(problem, file)).join('\n')}`,
    '',
    { problems, source: file },
  )
}

/** Opens the record only if a policy is named. */
async function policiesIn(config: Config, definition: Definition): Promise<readonly Problem[]> {
  if (Object.values(definition.participants).every(({ policy }) => typeof policy !== 'string')) return []
  const stores = await namingDatabase(config.database, () => openStores(config, { turns: false }))
  try {
    return await policyProblems(definition, policiesOf(config, stores.of('default').store))
  } finally {
    await stores.close()
  }
}

/** A problem for each tool whose file does not exist, or does not export it. */
async function moduleProblems(
  { definition, folder, text }: ExperimentFile,
  source: string,
): Promise<readonly Problem[]> {
  try {
    await checkModules(definition, { folder, text, source })
    return []
  } catch (error) {
    if (!MinutebookError.isInstance(error) || error.code !== 'invalid_experiment') throw error
    return error.details['problems'] as readonly Problem[]
  }
}
