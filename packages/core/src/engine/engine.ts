import type { NewEntry } from '../log/entry.ts'
import type { Appended, AppendTerms } from '../log/store.ts'

/**
 * Says which threads need work, to whoever can do it: one at a time for each thread over all instances, and again
 * elsewhere where an instance dies. The log remains the journal of what was done; an engine only rings.
 */
export interface Engine {
  /** Appends entries and says that the thread needs work: both or neither. Without entries it only says so. */
  wake(thread: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<Appended>
  /**
   * From now on this instance runs threads that were woken. `run` does some work and wakes the thread again where there is
   * more; it rejects only where it is to be tried again. The answer ends that: no further runs begin, those under way are
   * waited for.
   */
  onWake(run: (thread: string, signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>
  /**
   * Asks whoever runs this turn (the id of its user entry) to stop: aborts the signal of the thread's run, with the turn as
   * reason. Only a hint: it may come too late, or to nobody.
   */
  cancel(thread: string, turn: string): Promise<void>
}
