import { checkDefinition, compileExperiment, type Runners } from '@minutebook/experiment'
import { localQueue, MinutebookError, openBook, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { openExperiments, runThread, type Experiment, type Value } from '@minutebook/experiment/run'
import { usedIn } from './compiled.ts'
import { runDesk, type RunDesk } from './run-desk.ts'

/** The runs of a store that nobody serves: they can be read, and told what is wanted of them. None goes on. */
export function offlineRuns(store: Store): RunDesk {
  const queue = localQueue(store)
  const experiments = openExperiments({
    store,
    queue,
    book: openBook({ store, queue }),
    clock: systemClock,
    experiment: ({ definition }) => idle(definition),
    thread: () => {
      throw new MinutebookError(
        'not_served',
        'Nobody runs this experiment here.',
        'Go on with it by: minutebook runs resume',
      )
    },
  })
  const desk = runDesk(experiments, store, 'all')
  return {
    ...desk,
    steer: async (run, command) => {
      await desk.steer(run, command)
      // Where nobody is at work, it is over at once.
      if (command === 'stop') await experiments.work.instead(runThread(run))
      return desk.summary(run)
    },
  }
}

/** The experiment, with tools that are never run. */
function idle(value: Value): Experiment {
  const definition = checkDefinition(value, { registered: usedIn(value) })
  const names = [...Object.keys(definition.tools ?? {}), ...usedIn(definition)]
  const runners: Runners = Object.fromEntries(
    names.map((name) => [name, { parameters: { type: 'object' }, run: () => null }]),
  )
  return compileExperiment(definition, { tools: runners })
}
