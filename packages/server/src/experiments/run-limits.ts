import type { Definition } from '@minutebook/experiment'
import { MinutebookError } from 'minutebook'
import { standingOf } from 'minutebook/experiment'
import { setTimeout as after } from 'node:timers/promises'
import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { experimentsOf } from './experiments-of.ts'

/**
 * A definition with the limits of the settings if it has none. Throws `invalid_experiment` if it has higher ones.
 *
 * @example
 * withinLimits(definition, { steps: 1000 })
 */
export function withinLimits(definition: Definition, ceilings: Config['runLimits']): Definition {
  const { limits = {} } = definition
  const problems = (['steps', 'tokens'] as const).flatMap((name) => {
    const [wanted, most] = [limits[name], ceilings[name]]
    return wanted === undefined || most === undefined || wanted <= most ? [] : [{ field: `limits.${name}`, problem: `is ${wanted}, and this server allows ${most}`, fix: `write less, or have runLimits.${name} raised` }]
  })
  if (problems.length > 0) throw new MinutebookError('invalid_experiment', `This experiment cannot run here:\n${problems.map(({ field, problem, fix }) => `${field} ${problem}; ${fix}.`).join('\n')}`, { problems })
  const own = { ...(ceilings.steps < usualSteps && { steps: ceilings.steps }), ...(ceilings.tokens !== undefined && { tokens: ceilings.tokens }) }
  return Object.keys(own).length === 0 ? definition : { ...definition, limits: { ...own, ...limits } }
}

/** What a run has whose definition says nothing. */
const usualSteps = 100

/** How many participants may play at once in a run of this definition. */
function parallelIn({ participants, steps = [] }: Pick<Definition, 'participants' | 'steps'>): number {
  return steps.reduce((most, { play, participants: playing }) => Math.max(most, play === 'parallel' ? (playing ?? Object.keys(participants)).length : 1), 1)
}

/**
 * Begins a run, or has one go on, with a place among the turns that its key may have at once, and that this instance takes on: as
 * many as it may play at once. They are left when the run is over or rests. Throws `rate_limited` or `overloaded` if there is no room.
 */
export async function withPlaceFor<T>(services: Services, { caller, tenant }: { readonly caller: Caller; readonly tenant: string }, definition: Pick<Definition, 'participants' | 'steps'>, begin: () => Promise<{ readonly run: string; readonly begun: T }>): Promise<T> {
  const { rateLimit, slots } = services.config
  const place = services.admission.enter(caller, 'turn', Math.min(parallelIn(definition), rateLimit?.turns ?? slots, slots))
  if ('refusal' in place) throw new MinutebookError(place.refusal.code, place.refusal.message)
  try {
    const { run, begun } = await begin()
    void rested(services, tenant, run).finally(place.leave)
    return begun
  } catch (error) {
    place.leave()
    throw error
  }
}

/** Resolves when a run is over or paused, on whatever instance it goes on; and when the server closes. */
async function rested(services: Services, tenant: string, run: string): Promise<void> {
  const { closing } = services
  let failures = 0
  while (!closing.aborted && failures < mostFailures) {
    await after(look, undefined, { ref: false, signal: closing }).catch(() => undefined)
    try {
      const { status } = standingOf(await experimentsOf(services, tenant).run(run).events())
      failures = 0
      if (status !== 'running' && status !== 'stopping') return
    } catch {
      // The record may be away for a while; a run that was erased is over.
      failures++
    }
  }
}

/** Milliseconds. */
const look = 500
const mostFailures = 120
