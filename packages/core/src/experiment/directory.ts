import type { NewRecord } from '../log/records.ts'
import type { Store } from '../log/store.ts'

/** By which a run is listed: a record of the run's own thread, so that it is written together with its first event. */
export function listed(run: string): NewRecord {
  return { name: recordName, value: run }
}

/** The names of all runs, the newest first. */
export async function listRuns(store: Store): Promise<readonly string[]> {
  return (await store.records.find({ name: recordName })).map(({ value }) => String(value))
}

const recordName = 'run'
