import type { Clock } from '../record/clock.ts'
import type { createTurnstile } from '../record/turnstile.ts'
import type { Holding } from '../turn/holding.ts'
import type { Engine } from './engine.ts'

/** A thread whose turns are run by whoever an engine wakes. */
export interface Hosted extends Holding {
  readonly engine: Engine
  /** The engine's, for whoever passes it on. */
  readonly wake: Engine['wake']
  readonly clock: Clock
  readonly journal: boolean
  /** Finding out how the thread stands and writing by it: one at a time, for this holder. */
  readonly inTurn: ReturnType<typeof createTurnstile>
}
