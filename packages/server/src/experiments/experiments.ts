import {
  openExperiments,
  participantThread,
  runThread,
  type Experiments,
  type ParticipantSeat,
} from '@minutebook/experiment/run'
import { MinutebookError, type ThreadOptions } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import type { Services } from '../services.ts'
import { failing, withoutTool } from '../turns/model-failure.ts'
import { threadOptions } from '../turns/thread-options.ts'
import { compiledExperiment, missingFor } from './compile.ts'
import { ownerOfRun } from './limits.ts'

/**
 * The runs of a tenant. A process has one for each tenant: `services.experiments`.
 *
 * @example
 * const board = await services.experiments('default').run('stand-1').board()
 */
export function openTenantExperiments(services: Services, tenant: string): Experiments {
  return openExperiments({
    ...services.stores.of(tenant),
    clock: systemClock,
    experiment: ({ definition }) => compiledExperiment(services, tenant, definition),
    thread: (seat) => seatOptions(services, tenant, seat),
    atOnce: services.config.rateLimit?.turns,
  })
}

/**
 * How a participant's turns are run: with the window that its model really has, or less if it says so, and with its
 * options and seed in every call. If something is missing, its turns fail, so the run shows that and can be retried.
 */
async function seatOptions(
  services: Services,
  tenant: string,
  { run, name, participant, experiment }: ParticipantSeat,
): Promise<ThreadOptions> {
  const {
    model: { name: model, options, ...choice },
    policy,
  } = participant
  const thread = participantThread(run, name)
  try {
    const setup = { ...choice, model, policy, tools: [] }
    const owner = (await ownerOfRun(services, tenant, run)) ?? ''
    const given = await threadOptions(services, { tenant, thread }, { setup }, { options, owner })
    const [missing] = missingFor(experiment, participant.tools ?? [])
    const chosen =
      missing && given.model
        ? withoutTool({ model, protocol: given.model.wire === 'openai' ? 'openai' : 'ollama' }, missing, () =>
            services.requestLog.missingTool({ tenant, thread, ...missing }),
          )
        : given.model
    return { ...given, model: chosen, journal: false }
  } catch (error) {
    if (!MinutebookError.isInstance(error) || !absent.has(error.code)) throw error
    return { model: failing({ model }, () => error), window: 4096 }
  }
}

const absent: ReadonlySet<string> = new Set(['no_model', 'unknown_model'])

/** Continues a run that no instance played. */
export async function wakeRun(services: Services, tenant: string, run: string): Promise<void> {
  await services.stores.of(tenant).queue.wake(runThread(run), [])
}
