import type { Store } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { runThread } from '@minutebook/experiment/run'

/**
 * Where the file of an experiment stands that was begun on this machine: its tools are found there when the run goes
 * on.
 */
export async function folderOf(store: Pick<Store, 'records'>, run: string): Promise<string | undefined> {
  const [kept] = await store.records.find({ name: recordName, thread: runThread(run) })
  return kept && String(kept.value)
}

/** What tells that of a run; none if it was not begun from a file. */
export function folderRecords(folder: string | undefined): readonly NewRecord[] {
  return folder === undefined ? [] : [{ name: recordName, value: folder }]
}

const recordName = 'folder'
