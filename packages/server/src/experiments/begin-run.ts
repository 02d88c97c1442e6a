import { checkDefinition, definitionValue, readExperiment, toolsOf, type Definition } from '@minutebook/experiment'
import { MinutebookError } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { checkRunName, type Experiment, type Run, type Value } from '@minutebook/experiment/run'
import { randomBytes } from 'node:crypto'
import type { Caller } from '../caller.ts'
import type { Services } from '../services.ts'
import { toolboxOf } from '../tools/toolbox.ts'
import { policiesOf } from '../turns/policies.ts'
import { checkSetup } from '../turns/send-turn.ts'
import { workFor } from '../turns/start-work.ts'
import { compiled } from './compiled.ts'
import { experimentsOf } from './experiments-of.ts'
import { localTools } from './local-tools.ts'
import { mergePatch } from './merge-patch.ts'
import { newName } from './new-name.ts'
import { policyProblems } from './policy-problems.ts'
import { folderRecords } from './run-folder.ts'
import { withinLimits, withPlaceFor } from './run-limits.ts'
import { takeRun } from './taken-runs.ts'
import { refusalError } from '../refusal.ts'

/** A run that is to be begun. */
export interface RunWish {
  /** As data, or as a text of YAML. */
  readonly definition: unknown
  /** Its name: one is made up unless told. */
  readonly run?: string | undefined
  readonly seed?: number | undefined
  /** The run whose answers are given again, in place of asking models. */
  readonly answers?: string | undefined
}

/** A run that is to be taken from another. */
export interface ForkWish {
  readonly as?: string | undefined
  /** The first round that is played anew. */
  readonly round: number
  /** JSON merge patch of the definition. */
  readonly changes?: Value | undefined
}

export interface BeginPlace {
  readonly tenant: string
  /** Whose key it counts for while it is under way; nobody's for whoever runs this process. */
  readonly caller?: Caller | undefined
  /**
   * Of whoever runs this process: where the file of the experiment stands. Then its tools may be anything that they may
   * do.
   */
  readonly folder?: string | undefined
}

/**
 * Begins a run. Throws `invalid_experiment` with all that is wrong, and `tool_not_allowed` for tools that are not the
 * operator's.
 *
 * @example
 * const run = await beginRun(services, { tenant: 'default' }, { definition: text })
 */
export async function beginRun(
  services: Services,
  place: BeginPlace,
  { definition: given, run, seed, answers }: RunWish,
): Promise<Run> {
  const experiments = experimentsOf(services, place.tenant)
  const definition = await limitedDefinition(services, place, given)
  const experiment = await playable(services, place, definition)
  if (answers !== undefined) await experiments.run(answers).begun()
  return begun(services, place, definition, definition.name, run, (name, records) =>
    experiments.begin(name, experiment, { definition: definitionValue(definition), seed, answers, records }),
  )
}

/** A new run that did what another did before a round, and goes on from there with its changes. */
export async function forkRun(
  services: Services,
  place: BeginPlace,
  from: string,
  { as, round, changes = {} }: ForkWish,
): Promise<Run> {
  const experiments = experimentsOf(services, place.tenant)
  const { definition: value } = await experiments.run(from).begun()
  if (typeof changes === 'object' && changes !== null && 'seed' in changes)
    throw new MinutebookError(
      'invalid_fork',
      'A fork keeps the seed of its run.',
      'Leave the seed out of the changes, or begin a run of its own.',
    )
  const definition = await limitedDefinition(services, place, mergePatch(value, changes))
  const experiment = await playable(services, place, definition)
  return begun(services, place, definition, from, as, (name, records) =>
    experiments.fork(from, { as: name, round, experiment, definition: definitionValue(definition), records }),
  )
}

/** One that runs on a server has no more than its settings allow. */
async function limitedDefinition(
  services: Services,
  { tenant, folder }: BeginPlace,
  given: unknown,
): Promise<Definition> {
  const definition = await checkedDefinition(services, tenant, given)
  return folder === undefined ? withinLimits(definition, services.config.runLimits) : definition
}

/** A definition that arrives as data or text, checked. */
export async function checkedDefinition(services: Services, tenant: string, given: unknown): Promise<Definition> {
  const registered = (await toolboxOf(services).all(tenant)).map(({ name }) => name)
  return typeof given === 'string' ? readExperiment(given, { registered }) : checkDefinition(given, { registered })
}

/** Throws where a participant's model or policy is not there, or a tool may not be. */
async function playable(
  services: Services,
  { tenant, folder }: BeginPlace,
  definition: Definition,
): Promise<Experiment> {
  if (folder === undefined)
    await toolsOf(definition, {
      kind: 'server',
      registered: Object.fromEntries((await toolboxOf(services).all(tenant)).map((tool) => [tool.name, tool])),
    })
  else await localTools(services).open(definitionValue(definition), folder, tenant)
  for (const { model } of Object.values(definition.participants))
    await checkSetup(services, tenant, { model: model.name })
  const [lacking] = await policyProblems(definition, policiesOf(services.config, services.stores.of(tenant).store))
  if (lacking)
    throw refusalError({ code: 'unknown_policy', message: `${lacking.field}: ${lacking.problem}; ${lacking.fix}.` })
  return compiled(services, tenant, definitionValue(definition))
}

async function begun(
  services: Services,
  { tenant, caller, folder }: BeginPlace,
  definition: Definition,
  like: string,
  wanted: string | undefined,
  begin: (name: string, records: readonly NewRecord[]) => Promise<Run>,
): Promise<Run> {
  await workFor(services, tenant)
  const name = wanted === undefined ? newName(like, randomBytes) : checkRunName(wanted)
  takeRun(services, tenant, name)
  const records = folderRecords(folder)
  return caller
    ? withPlaceFor(services, { caller, run: name }, definition, (owner) => begin(name, [...records, owner]))
    : begin(name, records)
}
