import {
  checkDefinition,
  definitionValue,
  readExperiment,
  sentence,
  toolsOf,
  type Definition,
  type Problem,
} from '@minutebook/experiment'
import { checkRunName, runThread, type Experiment, type Run, type Value } from '@minutebook/experiment/run'
import { MinutebookError, type Store } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { randomBytes } from 'node:crypto'
import type { Caller } from '../config/caller.ts'
import type { Services } from '../services.ts'
import { policiesOf, type Policies } from '../stores/policies.ts'
import { checkSetup } from '../turns/turns.ts'
import { compiledExperiment } from './compile.ts'
import { withinLimits, withPlaceFor } from './limits.ts'

/** A run that is to be begun. */
export interface NewRun {
  /** As data, or as a text of YAML. */
  readonly definition: unknown
  /** Its name. Default: a generated one. */
  readonly run?: string | undefined
  readonly seed?: number | undefined
  /** The run whose recorded answers are used instead of asking models. */
  readonly answers?: string | undefined
}

/** A run that is to be taken from another. */
export interface NewFork {
  readonly as?: string | undefined
  /** The first round that is played again. */
  readonly round: number
  /** JSON merge patch of the definition. */
  readonly changes?: Value | undefined
}

/** Where a run belongs, and for whom it runs. */
export interface BeginPlace {
  readonly tenant: string
  /** The key that it counts for while it runs; undefined for the user who runs this process. */
  readonly caller?: Caller | undefined
  /**
   * The folder of the experiment's file, if the user who runs this process starts it. Its tools may then be anything
   * that this user may do.
   */
  readonly folder?: string | undefined
}

/**
 * Starts a run. Throws `invalid_experiment` with everything that is wrong, and `tool_not_allowed` for tools that the
 * operator has not registered.
 *
 * @example
 * const run = await beginRun(services, { tenant: 'default' }, { definition: text })
 */
export async function beginRun(
  services: Services,
  place: BeginPlace,
  { definition: given, run, seed, answers }: NewRun,
): Promise<Run> {
  const experiments = services.experiments(place.tenant)
  const definition = await limitedDefinition(services, place, given)
  const experiment = await playable(services, place, definition)
  if (answers !== undefined) await experiments.run(answers).begun()
  return begun(services, place, definition, definition.name, run, (name, records) =>
    experiments.begin(name, experiment, { definition: definitionValue(definition), seed, answers, records }),
  )
}

/** Starts a run that shares what another did before a round, and continues from there with its changes. */
export async function forkRun(
  services: Services,
  place: BeginPlace,
  from: string,
  { as, round, changes = {} }: NewFork,
): Promise<Run> {
  const experiments = services.experiments(place.tenant)
  const { definition: value } = await experiments.run(from).begun()
  if (typeof changes === 'object' && changes !== null && 'seed' in changes)
    throw new MinutebookError(
      'invalid_fork',
      'A fork keeps the seed of its run.',
      'Leave the seed out of the changes, or start a new run.',
    )
  const definition = await limitedDefinition(services, place, mergePatch(value, changes))
  const experiment = await playable(services, place, definition)
  return begun(services, place, definition, from, as, (name, records) =>
    experiments.fork(from, { as: name, round, experiment, definition: definitionValue(definition), records }),
  )
}

/** A run on a server gets no more than its settings allow. */
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
  const registered = (await services.toolbox.all(tenant)).map(({ name }) => name)
  return typeof given === 'string' ? readExperiment(given, { registered }) : checkDefinition(given, { registered })
}

/** Throws if a participant's model or policy is missing, or a tool is not allowed. */
async function playable(
  services: Services,
  { tenant, folder }: BeginPlace,
  definition: Definition,
): Promise<Experiment> {
  if (folder === undefined)
    await toolsOf(definition, {
      kind: 'server',
      registered: Object.fromEntries((await services.toolbox.all(tenant)).map((tool) => [tool.name, tool])),
    })
  else await services.localTools.open(definitionValue(definition), folder, tenant)
  for (const { model } of Object.values(definition.participants))
    if (model) await checkSetup(services, tenant, { model: model.name })
  const [lacking] = await policyProblems(definition, policiesOf(services.config, services.stores.of(tenant).store))
  if (lacking)
    throw new MinutebookError('unknown_policy', `${lacking.field}: ${lacking.problem}.`, sentence(lacking.fix))
  return compiledExperiment(services, tenant, definitionValue(definition))
}

async function begun(
  services: Services,
  { tenant, caller, folder }: BeginPlace,
  definition: Definition,
  like: string,
  wanted: string | undefined,
  begin: (name: string, records: readonly NewRecord[]) => Promise<Run>,
): Promise<Run> {
  await services.worker.workFor(tenant)
  const name = wanted === undefined ? newName(like, randomBytes) : checkRunName(wanted)
  services.hostedRuns.host(tenant, name)
  const records = folderRecords(folder)
  return caller
    ? withPlaceFor(services, { caller, run: name }, definition, (owner) => begin(name, [...records, owner]))
    : begin(name, records)
}

/**
 * A name for a new run, like another name. Random, because many may be started at the same time, on any instance.
 *
 * @example
 * newName('Lemonade stand', randomBytes) // 'lemonade-stand-k3v9x2'
 */
export function newName(like: string, random: (bytes: number) => Uint8Array): string {
  return `${stemOf(like)}-${Array.from(random(letters), (byte) => alphabet.charAt(byte % 32)).join('')}`
}

function stemOf(like: string): string {
  const words = like
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  // Of a run that was named here: without the random part.
  const own = words.length > 1 && isRandom.test(words.at(-1)!) ? words.slice(0, -1) : words
  return own.join('-').slice(0, longest).replace(/-$/, '') || 'run'
}

const letters = 6
const longest = 60
/** Without letters that look like others. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const isRandom = /^(?=.*\d)[0-9a-hjkmnp-tv-z]{6}$/

/**
 * A value with changes, by RFC 7396: named fields are replaced, null removes, maps are changed field by field.
 *
 * @example
 * mergePatch({ limits: { rounds: 3 } }, { limits: { rounds: 5 } }) // { limits: { rounds: 5 } }
 */
export function mergePatch(value: Value | undefined, changes: Value): Value {
  if (!isMap(changes)) return changes
  const fields = new Map(Object.entries(isMap(value) ? value : {}))
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) fields.delete(name)
    else fields.set(name, mergePatch(fields.get(name), change))
  }
  return Object.fromEntries(fields)
}

function isMap(value: Value | undefined): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * For an experiment that was started on this machine: the folder of its file. The experiment's tools are loaded from
 * there when the run continues.
 */
export async function folderOf(store: Pick<Store, 'records'>, run: string): Promise<string | undefined> {
  const [kept] = await store.records.find({ name: recordName, thread: runThread(run) })
  return kept && String(kept.value)
}

/** The record of that folder; empty if the run was not started from a file. */
function folderRecords(folder: string | undefined): readonly NewRecord[] {
  return folder === undefined ? [] : [{ name: recordName, value: folder }]
}

const recordName = 'folder'

/** The policies that participants name and that do not exist. */
export async function policyProblems(
  { participants }: Pick<Definition, 'participants'>,
  policies: Pick<Policies, 'find' | 'list'>,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const [name, { policy }] of Object.entries(participants)) {
    if (typeof policy !== 'string' || (await policies.find(policy))) continue
    const known = (await policies.list()).map((each) => each.name)
    problems.push({
      field: `participants.${name}.policy`,
      problem: `there is no policy "${policy}"`,
      fix: `name one of these: ${[...new Set(known)].slice(0, mostNamed).join(', ')}`,
    })
  }
  return problems
}

const mostNamed = 20

/** Opens the tools of a run that was started on this machine, so that it can continue here. */
export async function openLocalRun(services: Services, tenant: string, run: string): Promise<void> {
  const folder = await folderOf(services.stores.of(tenant).store, run)
  const { definition } = await services.experiments(tenant).run(run).begun()
  if (folder !== undefined) await services.localTools.open(definition, folder, tenant)
}
