import { MinutebookError } from '../log/error.ts'
import type { NewRecord } from '../log/records.ts'
import type { Store } from '../log/store.ts'
import type { Crew } from './crew.ts'
import { entryOfEvent, type Begun, type RunEvent } from './event.ts'
import type { Experiment } from './experiment.ts'
import { listed } from './directory.ts'
import { runThread } from './run-name.ts'

/** The first event of a run. */
export function begunOf({ name, environment, participants, prices = {} }: Experiment, made: Pick<Begun, 'definition' | 'seed' | 'answers'>): Begun {
  return {
    type: 'begun',
    name,
    ...made,
    environment: Object.fromEntries(Object.entries(environment).map(([variable, { initial }]) => [variable, initial])),
    participants: Object.fromEntries(Object.entries(participants).map(([who, { model }]) => [who, model.name])),
    prices,
  }
}

/** Begins the log of a run, lists it and has it go on: all or nothing. Throws `run_exists` where there is one of that name. */
export async function foundRun({ store, engine, clock }: Pick<Crew, 'store' | 'engine' | 'clock'>, run: string, events: readonly RunEvent[], records: readonly NewRecord[]): Promise<void> {
  const thread = runThread(run)
  const time = clock.now()
  const entries = events.map((event) => entryOfEvent(event, time))
  await checkFree(store, run)
  await engine.wake(thread, entries, { records: [listed(run), ...records] })
  const [first] = await store.read(thread, { to: 1 })
  // Somebody was faster.
  if (first?.id !== entries[0]?.id) throw taken(run)
}

/** Throws `run_exists` where there is a run of that name. */
export async function checkFree(store: Store, run: string): Promise<void> {
  if ((await store.standing(runThread(run))).length > 0) throw taken(run)
}

function taken(run: string): MinutebookError {
  return new MinutebookError('run_exists', `There is a run "${run}" already; begin this one under another name.`, { run })
}
