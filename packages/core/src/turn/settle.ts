import { isUnfinished, openCalls } from '../record/next.ts'
import { stop } from './stop.ts'
import type { Stopping } from './stopping.ts'

/** Why a turn ends that the next message finds unfinished. */
export const overtaken: Stopping = { status: 'cancelled', code: 'interrupted', reason: 'The next message came before this turn was finished.' }

/** Ends the turn that the log stands in, where that is unfinished: no message may come between calls and their results. */
export async function settle(running: Parameters<typeof stop>[0]): Promise<void> {
  const branch = running.log.branch()
  if (isUnfinished(branch) || openCalls(branch).length > 0) await stop(running, overtaken, true)
}
