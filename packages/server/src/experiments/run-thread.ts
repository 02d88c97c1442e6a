import { MinutebookError, type Store } from 'minutebook'
import { placeOfThread, runThread } from '@minutebook/experiment/run'

/** The run that a thread is a participant's of; undefined where there is none. */
export async function runOfThread(store: Pick<Store, 'standing'>, thread: string): Promise<string | undefined> {
  const place = placeOfThread(thread)
  if (place?.participant === undefined) return undefined
  return (await store.standing(runThread(place.run))).length > 0 ? place.run : undefined
}

/**
 * Throws `run_thread` where a thread is a participant's: what others said there would be taken for what the run did.
 */
export async function checkNotOfRun(store: Pick<Store, 'standing'>, thread: string): Promise<void> {
  const run = await runOfThread(store, thread)
  if (run !== undefined)
    throw new MinutebookError(
      'run_thread',
      `This thread belongs to the run "${run}".`,
      'Fork it to go on from there by hand.',
      { run },
    )
}
