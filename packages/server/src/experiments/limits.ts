import type { Definition } from '@minutebook/experiment'
import { runThread, standingOf, type RunStatus } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { setTimeout as after } from 'node:timers/promises'
import type { Owner } from '../auth/limits.ts'
import type { Config } from '../config/config.ts'
import { refusalError } from '../http/reply.ts'
import type { Services } from '../services.ts'

/**
 * A definition with the limits of the settings if it has none. Throws `invalid_experiment` if it has higher ones.
 *
 * @example
 * withinLimits(definition, { rounds: 1000 })
 */
export function withinLimits(definition: Definition, ceilings: Config['runLimits']): Definition {
  const { limits = {} } = definition
  const problems = (['rounds', 'tokens'] as const).flatMap((name) => {
    const [wanted, most] = [limits[name], ceilings[name]]
    return wanted === undefined || most === undefined || wanted <= most
      ? []
      : [
          {
            field: `limits.${name}`,
            problem: `is ${wanted}, but this server allows at most ${most}`,
            fix: `write a smaller number, or ask the operator to raise runLimits.${name}`,
          },
        ]
  })
  if (problems.length > 0)
    throw new MinutebookError(
      'invalid_experiment',
      `This experiment cannot run here:\n${problems.map(({ field, problem, fix }) => `${field} ${problem}; ${fix}.`).join('\n')}`,
      '',
      { problems },
    )
  const own = {
    ...(ceilings.rounds < usualRounds && { rounds: ceilings.rounds }),
    ...(ceilings.tokens !== undefined && { tokens: ceilings.tokens }),
  }
  return Object.keys(own).length === 0 ? definition : { ...definition, limits: { ...own, ...limits } }
}

/** The rounds of a run whose definition names no limit. */
const usualRounds = 100

/** How many participants may play at once in a run of this definition. */
function parallelIn({ participants, rounds = [] }: Playing): number {
  return rounds.reduce(
    (most, { play, participants: playing }) =>
      Math.max(most, play === 'parallel' ? (playing ?? Object.keys(participants)).length : 1),
    1,
  )
}

/** A run, and the key that it counts for. */
export interface OwnedRun {
  readonly caller: Owner
  readonly run: string
}

type Playing = Pick<Definition, 'participants' | 'rounds'>

/**
 * Starts or continues a run with places among the turns that its key may have at once and that this instance accepts:
 * as many as the run may play at once. The places are free again when the run is over or rests. Throws `rate_limited`
 * or `overloaded` if there is no room. `begin` gets the record of the run's owner, so the run counts for its key on
 * every instance.
 */
export async function withPlaceFor<T>(
  services: Services,
  { caller, run }: OwnedRun,
  definition: Playing,
  begin: (owner: NewRecord) => Promise<T>,
): Promise<T> {
  const place = services.turnLimits.enter(caller, 'turn', turnsOf(services, definition))
  if ('refusal' in place) throw refusalError(place.refusal)
  const uncount = counted(services, caller.tenant, run)
  const leave = (): void => {
    uncount()
    place.leave()
  }
  try {
    const begun = await begin({ name: ownerName, value: caller.name })
    void rested(services, caller.tenant, run).finally(leave)
    return begun
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * Counts a run for its key that continues here and was started elsewhere, or before a restart. It was accepted there,
 * so it is never refused now.
 */
export async function countRun(services: Services, tenant: string, run: string): Promise<void> {
  if (isCounted(services, tenant, run)) return
  const uncount = counted(services, tenant, run)
  try {
    const owner = await ownerOfRun(services, tenant, run)
    const opened = services.experiments(tenant).run(run)
    const { status } = standingOf(await opened.events())
    // Who waits for a person is woken because there is an answer.
    if (owner === undefined || (isResting(status) && status !== 'waiting')) return uncount()
    const leave = services.turnLimits.goOn(
      { name: owner, tenant },
      turnsOf(services, (await opened.begun()).definition as unknown as Playing),
    )
    void rested(services, tenant, run).finally(() => {
      uncount()
      leave()
    })
  } catch (error) {
    uncount()
    throw error
  }
}

/** The name of the key that a run counts for; '' without keys. Undefined if no request started it. */
export async function ownerOfRun(services: Services, tenant: string, run: string): Promise<string | undefined> {
  const [owner] = await services.stores.of(tenant).store.records.find({ name: ownerName, thread: runThread(run) })
  return owner && String(owner.value)
}

const ownerName = 'owner'

/** How many turns a run counts as. */
function turnsOf({ config: { rateLimit, slots } }: Services, definition: Playing): number {
  return Math.min(parallelIn(definition), rateLimit?.turns ?? slots, slots)
}

function isCounted(services: Services, tenant: string, run: string): boolean {
  return services.countedRuns.has(`${tenant} ${run}`)
}

/** The run counts here from now on, until the returned function is called. */
function counted(services: Services, tenant: string, run: string): () => void {
  const runs = services.countedRuns
  const name = `${tenant} ${run}`
  runs.set(name, (runs.get(name) ?? 0) + 1)
  return () => {
    const rest = (runs.get(name) ?? 1) - 1
    if (rest > 0) runs.set(name, rest)
    else runs.delete(name)
  }
}

function isResting(status: RunStatus): boolean {
  return status !== 'running' && status !== 'stopping'
}

/** Resolves when a run is over, paused or waits for a person, on whichever instance it runs, and when the server closes. */
async function rested(services: Services, tenant: string, run: string): Promise<void> {
  const { closing } = services
  let failures = 0
  while (!closing.aborted && failures < mostFailures) {
    await after(look, undefined, { ref: false, signal: closing }).catch(() => undefined)
    try {
      const { status } = standingOf(await services.experiments(tenant).run(run).events())
      failures = 0
      if (isResting(status)) return
    } catch {
      // The store may be unreachable for a while; a run that was erased is over.
      failures++
    }
  }
}

/** Milliseconds. */
const look = 500
const mostFailures = 120
