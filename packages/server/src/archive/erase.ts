import { placeOfThread } from '@minutebook/experiment/run'
import type { Store } from 'minutebook'
import {
  prunePage,
  unknownEntry,
  recordNames,
  type Erasure,
  type PrunePage,
  type PrunePageResult,
} from 'minutebook/store'
import { runOfThread } from '../experiments/list.ts'
import { isReserved } from '../matching/directory.ts'
import { findSetup, readSetup } from '../stores/setup.ts'

type Erasable = Pick<Store, 'erase' | 'read' | 'records' | 'standing'>

/**
 * Erases entries of a thread, or everything that was said in it. Its setup stays recorded then, because it decides how
 * later turns are run. Throws `unknown_entry`, and erases nothing, if the thread does not have one of the entries.
 */
export async function eraseThread(
  store: Erasable,
  thread: string,
  entries: readonly string[] | undefined,
): Promise<Erasure> {
  const erasure = await erased(store, thread, entries)
  const run = await runOfThread(store, thread)
  return run === undefined ? erasure : { ...erasure, remains: [...erasure.remains, runRemains(run)] }
}

async function erased(store: Erasable, thread: string, entries: readonly string[] | undefined): Promise<Erasure> {
  if (entries) return erasedEntries(store, thread, entries)
  const setup = await readSetup(store, thread)
  const erasure = await store.erase(thread, undefined, { keep: [recordNames.setup] })
  return Object.values(setup).every((value) => value === undefined)
    ? erasure
    : { ...erasure, remains: [...erasure.remains, setupRemains] }
}

async function erasedEntries(store: Erasable, thread: string, entries: readonly string[]): Promise<Erasure> {
  const log = await store.read(thread)
  const known = new Set(log.map(({ id }) => id))
  const unknown = entries.find((id) => !known.has(id))
  if (unknown !== undefined) throw unknownEntry(unknown)
  return store.erase(thread, entries)
}

const setupRemains =
  'The setup of this thread, with its system text, is kept for later turns. To remove it too, save an empty setup and erase again.'

function runRemains(run: string): string {
  return `What was said here also remains in the log of the run "${run}", which no command erases, and in the threads of the participants who heard it (run/${run}/…). You can erase those threads as well, but only deleting the data folder or the database removes the log.`
}

/** Which old threads go. */
export type ArchivePrune = Pick<PrunePage, 'unwrittenSince' | 'dryRun' | 'limit' | 'after'>

/**
 * Removes a page of the old threads of people. These stay: threads that have something to do, threads of experiments,
 * because a run needs all of its threads, and internal ones. A chat of the gateway has nothing to do here, even if its
 * last question has no answer: its client must ask again.
 */
export function pruneArchive(store: Store, asked: ArchivePrune): Promise<PrunePageResult> {
  return prunePage(store, {
    ...asked,
    keeps: async (thread, isUnfinished) =>
      isReserved(thread) ||
      placeOfThread(thread) !== undefined ||
      (isUnfinished && (await findSetup(store, thread)) !== undefined),
  })
}
