import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { Holding } from './holding.ts'
import { isUnfinished, newestTurn } from '../record/next.ts'
import { resultOf } from './result.ts'
import { driven, type RunOptions } from './resume.ts'
import { run } from './run.ts'
import { closeCalls } from './stop.ts'
import { cancelled } from './stopping.ts'
import type { Turn } from './turn.ts'

/** Answers the newest user entry again: where its turn is unfinished, it goes on. */
export function retry(holding: Holding, options: RunOptions): Turn {
  return driven(holding, options, async (running) => {
    const { log, control } = running
    const turn = newestTurn(log.branch())
    const [asked] = turn
    if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswer()
    control.record(asked)
    if (isUnfinished(turn)) return run(running, { found: true })
    // Nothing has begun, so nothing need be on record.
    if (control.signal.aborted) return { status: 'cancelled', text: '', turn: asked.id, answer: null, reason: { code: cancelled.code, message: cancelled.reason } }
    await closeCalls(running, true)
    if (resultOf(turn).answer !== null) log.checkout(asked.id)
    return run(running, { again: true })
  })
}

export function nothingToAnswer(): MinutebookError {
  return new MinutebookError('nothing_to_answer', 'There is no message of a user to answer again; send one.')
}
