import { MinutebookError } from '../log/error.ts'
import { createTelling } from '../feed/telling.ts'
import { newestTurn } from '../record/next.ts'
import { alone } from './alone.ts'
import type { Holding } from './holding.ts'
import type { Entering } from './lanes.ts'
import type { Manner, Running } from './running.ts'
import type { TurnControl, TurnResult } from './turn.ts'

/** Runs one turn's work when its time has come, and ends the turn whatever happens. */
export async function drive(holding: Holding, control: TurnControl, manner: Manner, entering: Entering, work: (running: Running) => Promise<TurnResult>): Promise<void> {
  try {
    control.end((await alone(holding, control.turn, entering, (term) => told(holding, control, term, manner, work), manner)) ?? busy(entering.advice))
  } catch (error) {
    control.end(failureOf(error))
  }
}

/** Runs a turn's work, and tells those who follow it what it shows. */
export async function told<T>({ thread, store, log, feed, refresh }: Holding, control: TurnControl, term: number, manner: Manner, work: (running: Running) => Promise<T>): Promise<T> {
  const telling = createTelling(feed, { thread, term, turn: () => newestTurn(log.branch()), length: () => log.length })
  const stop = control.overhear((event) => {
    if (event.type === 'text') telling.say(event.text)
    if (event.type === 'receipt') telling.recorded()
  })
  try {
    return await work({ store, log, term, control, manner, refresh })
  } finally {
    stop()
    telling.end()
  }
}

export function busy(advice = 'wait for it, or cancel it'): TurnResult {
  return { status: 'busy', text: '', turn: null, answer: null, reason: { code: 'busy', message: `A turn is running on this thread; ${advice}.` } }
}

/** How a turn ends that could not be recorded. */
export function failureOf(error: unknown): TurnResult {
  const known = MinutebookError.isInstance(error) ? { code: error.code, message: error.message } : undefined
  if (known?.code === 'fenced') return { status: 'fenced', text: '', turn: null, answer: null, reason: known }
  return { status: 'failed', text: '', turn: null, answer: null, reason: known ?? broken, error }
}

const broken = { code: 'broken', message: 'The turn could not be recorded; see the error. What was recorded before is safe, and resume() goes on from there.' }
