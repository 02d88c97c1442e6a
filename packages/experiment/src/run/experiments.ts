import type { Feed, ThreadOptions, WorkOptions } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { conduct } from './conduct.ts'
import type { Experiment, Value } from './experiment.ts'
import { isOver, standingOf } from './next-move.ts'
import { seatOptions, type ExperimentRuntime } from './play-turn.ts'
import type { RunEvent } from './run-event.ts'
import { checkRunName, listRuns, openRunLog, placeOfThread, runThread, type RunLog } from './run-log.ts'
import {
  begunOf,
  checkFree,
  eventsBefore,
  forkedEvents,
  forkThreads,
  foundRun,
  lastOf,
  openRun,
  type Run,
} from './run.ts'

/** The runs of a store, and how they are run in this process. */
export interface Experiments {
  /** Starts a run, under an unused name. It continues on any instance that works. */
  begin(run: string, experiment: Experiment, options?: BeginOptions): Promise<Run>
  /** A run by its name. Light: nothing is read. */
  run(run: string): Run
  /** The names of all runs, the newest first. */
  list(): Promise<readonly string[]>
  /** A new run that did what another did before a round, and goes on from there with another experiment. */
  fork(run: string, options: ForkOptions): Promise<Run>
  /** For `book.work`: what has participants' turns run, and runs go on. */
  readonly work: { readonly [Name in 'options' | 'handleWake' | 'onIdle']: NonNullable<WorkOptions[Name]> }
  /** Wakes every run that is not over: for a queue that forgets, when a process starts. */
  wake(): Promise<void>
}

/** How a run begins. */
export interface BeginOptions {
  /** What the experiment can be made from again; its name, if the runtime knows it by that. */
  readonly definition?: Value | undefined
  /** Default: that of the run whose answers are given again, else that of the experiment, else 1. */
  readonly seed?: number | undefined
  /** The run whose answers are given again, in place of asking models. */
  readonly answers?: string | undefined
  /** Records of the run that are written together with its beginning. */
  readonly records?: readonly NewRecord[] | undefined
}

/** How a run is forked. */
export interface ForkOptions {
  readonly as: string
  /** The first round that is played again. */
  readonly round: number
  /** With its one change. A variable that begins with another value has it from that round on. */
  readonly experiment: Experiment
  readonly definition?: Value | undefined
  /** Records of the run that are written together with its beginning. */
  readonly records?: readonly NewRecord[] | undefined
}

/** What experiments are opened with. */
export interface ExperimentsOptions extends ExperimentRuntime {
  /** Informs other instances of progress; without one, watchers look again after a while. */
  readonly feed?: Feed | undefined
}

/**
 * @example
 * const experiments = openExperiments({ book, store, queue, clock: systemClock, experiment: () => counting, thread: () => ({ model, window: 4096 }) })
 * const stop = await book.work(experiments.work)
 * const run = await experiments.begin('first', counting)
 * for await (const { status, rounds } of run.watch()) console.log(status, rounds.length)
 */
export function openExperiments({ feed, ...runtime }: ExperimentsOptions): Experiments {
  const { store, queue, clock } = runtime
  const logOf = createShelf((id) => openRunLog(store, clock, id, () => feed?.publish(runThread(id), { type: 'grown' })))
  const run = (id: string): Run => openRun(runtime, feed, logOf(id))
  const ring = async (id: string): Promise<void> => void (await queue.wake(runThread(id), []))
  const list = (): Promise<readonly string[]> => listRuns(store)
  const beginWith = async (
    id: string,
    events: readonly RunEvent[],
    records: readonly NewRecord[] = [],
  ): Promise<Run> => {
    await foundRun(runtime, checkRunName(id), events, records)
    return run(id)
  }
  return {
    run,
    list,
    begin: async (id, experiment, { definition = experiment.name, seed: wanted, answers, records } = {}) => {
      const replayed = answers === undefined ? undefined : (await logOf(answers).begun()).begun
      await checkFree(store, checkRunName(id), Object.keys(experiment.participants))
      const seed = wanted ?? replayed?.seed ?? experiment.seed ?? 1
      return beginWith(
        id,
        [begunOf(experiment, { definition, seed, ...(answers !== undefined && { answers }) })],
        records,
      )
    },
    fork: async (from, { as, round, experiment, definition = experiment.name, records }) => {
      const { begun, events } = await logOf(from).begun()
      const kept = eventsBefore(events, round)
      const names = Object.keys(experiment.participants)
      // These begin without a past. Threads of the others may be there if the same fork was interrupted before.
      const beginners = names.filter((name) => !lastOf(name, kept))
      await checkFree(store, checkRunName(as), beginners)
      await forkThreads(runtime.book, { from, as }, names, kept)
      return beginWith(
        as,
        forkedEvents(
          begun,
          { ...begunOf(experiment, { definition, seed: begun.seed }), forked: { run: from, round } },
          kept,
        ),
        records,
      )
    },
    work: {
      options: async (thread): Promise<ThreadOptions> => {
        const place = placeOfThread(thread)
        if (place?.participant === undefined) return {}
        const log = logOf(place.run)
        const { begun } = await log.begun()
        const experiment = await runtime.experiment(begun)
        return experiment.participants[place.participant]
          ? seatOptions({ runtime, log, experiment, begun }, place.participant)
          : {}
      },
      handleWake: async (thread) => {
        const place = placeOfThread(thread)
        if (!place || place.participant !== undefined) return false
        await conduct(runtime, logOf(place.run))
        return true
      },
      onIdle: async (thread) => {
        const place = placeOfThread(thread)
        if (place?.participant !== undefined) await ring(place.run)
      },
    },
    wake: async () => {
      for (const id of await list()) if (!isOver(standingOf(await logOf(id).events()).status)) await ring(id)
    },
  }
}

/** Keeps the last used logs, so that a long one is not read again for each turn. */
function createShelf(open: (run: string) => RunLog): (run: string) => RunLog {
  const logs = new Map<string, RunLog>()
  return (run) => {
    const log = logs.get(run) ?? open(run)
    logs.delete(run)
    logs.set(run, log)
    for (const oldest of logs.keys()) if (logs.size > most) logs.delete(oldest)
    return log
  }
}

const most = 100
