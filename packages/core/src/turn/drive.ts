import { MinutebookError } from '../log/error.ts'
import { alone } from './alone.ts'
import type { Holding } from './holding.ts'
import type { IfBusy } from './lanes.ts'
import type { Manner, Running } from './running.ts'
import type { TurnControl, TurnResult } from './turn.ts'

/** Runs one turn's work when its time has come, and ends the turn whatever happens. */
export async function drive(holding: Holding, control: TurnControl, manner: Manner, ifBusy: IfBusy, work: (running: Running) => Promise<TurnResult>): Promise<void> {
  const { log, refresh } = holding
  try {
    control.end((await alone(holding, control.turn, ifBusy, (term) => work({ log, term, control, manner, refresh }))) ?? busy)
  } catch (error) {
    control.end(failureOf(error))
  }
}

const busy: TurnResult = {
  status: 'busy', text: '', turn: null,
  reason: { code: 'busy', message: 'A turn is running on this thread; send with ifBusy "queue" or "interrupt", or wait for it.' },
}

function failureOf(error: unknown): TurnResult {
  const known = MinutebookError.isInstance(error) ? { code: error.code, message: error.message } : undefined
  if (known?.code === 'fenced') return { status: 'fenced', text: '', turn: null, reason: known }
  return { status: 'failed', text: '', turn: null, reason: known ?? broken, error }
}

const broken = { code: 'broken', message: 'The turn could not be recorded; see the error. What was recorded before is safe, and resume() goes on from there.' }
