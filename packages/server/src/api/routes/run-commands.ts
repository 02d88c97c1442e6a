import { runThread } from '@minutebook/experiment/run'
import type { Definition } from '@minutebook/experiment'
import { isWithin } from '../../config/caller.ts'
import { wakeRun } from '../../experiments/experiments.ts'
import { withPlaceFor } from '../../experiments/limits.ts'
import { openRuns, type RunCommand, type RunArchive } from '../../experiments/runs.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { summaryExample } from '../schema/run-examples.ts'
import { runParams, runSummary } from '../schema/run.ts'

/** Pauses, resumes, stops or retries a run. */
export function steering(command: RunCommand): Operation {
  const { summary, description, status } = steers[command]
  return operation({
    method: 'post',
    path: `/runs/{run}/${command}`,
    id: `${command}Run`,
    tag: 'runs',
    scope: 'app',
    summary,
    description,
    params: runParams,
    status: 200,
    says: 'The command is recorded.',
    schema: runSummary,
    example: { ...summaryExample, status },
    errors: ['unknown_run', 'not_possible'],
    answer: async ({ params: { run }, call }) => {
      const {
        services,
        caller,
        caller: { tenant },
      } = call
      await services.worker.workFor(tenant)
      const archive = runArchiveOf(call)
      const summary = await archive.summary(run)
      const isNew = services.hostedRuns.host(tenant, run)
      if (!(isNew && command === 'resume' && summary.status === 'running')) {
        if (command !== 'resume' && command !== 'retry') return archive.steer(run, command)
        const { definition } = await services.experiments(tenant).run(run).begun()
        return withPlaceFor(services, { caller, run }, definition as unknown as Definition, async (owner) => {
          await call.store.records.put(runThread(run), [owner])
          return archive.steer(run, command)
        })
      }
      // No participant played it here: it was never paused.
      await wakeRun(services, tenant, run)
      return summary
    },
  })
}

export function runArchiveOf({ services, store, caller }: ApiCall): RunArchive {
  return openRuns(services.experiments(caller.tenant), store, isWithin(caller.scope, 'app') ? 'all' : 'viewer')
}

const steers: Readonly<
  Record<
    RunCommand,
    { readonly summary: string; readonly description: string; readonly status: 'paused' | 'running' | 'stopping' }
  >
> = {
  pause: {
    summary: 'Pause a run',
    description: 'No further turn begins. Running turns are finished.',
    status: 'paused',
  },
  resume: { summary: 'Resume a paused run', description: 'The run continues where it was paused.', status: 'running' },
  stop: { summary: 'Stop a run', description: 'The server asks running turns to stop.', status: 'stopping' },
  retry: {
    summary: 'Retry a run that failed or was stopped',
    description: 'The run continues where it ended. Nothing that is recorded is done again.',
    status: 'running',
  },
}

/** Runs of experiments: start, watch, steer and export them. */
