import { MinutebookError } from '../log/error.ts'
import { alone } from './alone.ts'
import type { Holding } from './holding.ts'
import type { Entering } from './lanes.ts'
import type { Manner, Running } from './running.ts'
import type { TurnControl, TurnResult } from './turn.ts'

/** Runs one turn's work when its time has come, and ends the turn whatever happens. */
export async function drive(holding: Holding, control: TurnControl, manner: Manner, entering: Entering, work: (running: Running) => Promise<TurnResult>): Promise<void> {
  const { log, refresh } = holding
  try {
    control.end((await alone(holding, control.turn, entering, (term) => work({ log, term, control, manner, refresh }))) ?? busy(entering.advice))
  } catch (error) {
    control.end(failureOf(error))
  }
}

function busy(advice = 'wait for it, or cancel it'): TurnResult {
  return { status: 'busy', text: '', turn: null, answer: null, reason: { code: 'busy', message: `A turn is running on this thread; ${advice}.` } }
}

function failureOf(error: unknown): TurnResult {
  const known = MinutebookError.isInstance(error) ? { code: error.code, message: error.message } : undefined
  if (known?.code === 'fenced') return { status: 'fenced', text: '', turn: null, answer: null, reason: known }
  return { status: 'failed', text: '', turn: null, answer: null, reason: known ?? broken, error }
}

const broken = { code: 'broken', message: 'The turn could not be recorded; see the error. What was recorded before is safe, and resume() goes on from there.' }
