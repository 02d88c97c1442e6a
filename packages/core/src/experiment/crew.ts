import type { Book } from '../book/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { Store } from '../log/store.ts'
import type { ThreadOptions } from '../book/thread-options.ts'
import type { Clock } from '../log/clock.ts'
import type { Begun } from './event.ts'
import type { Experiment, Participant } from './experiment.ts'

/** What experiments are run with. */
export interface Crew {
  readonly store: Store
  readonly engine: Engine
  readonly book: Book
  readonly clock: Clock
  /** Makes the experiment of a run from what is on record of it; the same each time. Throws where that cannot be done here. */
  readonly experiment: (begun: Begun) => Experiment | Promise<Experiment>
  /** How a participant's turns are run: its model and window, and the tools that are not of the experiment. */
  readonly thread: (seat: Seat) => ThreadOptions | Promise<ThreadOptions>
  /** Turns of one run that are under way at once, at most. Default: as many as play in parallel. */
  readonly atOnce?: number | undefined
}

/** A participant of a run. */
export interface Seat {
  readonly run: string
  readonly name: string
  readonly participant: Participant
  readonly experiment: Experiment
}
