import { openCalls } from '../record/next.ts'
import { overtaken } from '../turn/settle.ts'
import { closingDrafts, stopDrafts } from '../turn/stop.ts'
import type { Hosted } from './hosted.ts'

/** Closes calls that a resting thread ends with: nobody runs what came from elsewhere, and no message may come between calls and their results. False where there are none. */
export async function closeForeignCalls({ log, journal }: Hosted): Promise<boolean> {
  if (openCalls(log.branch()).length === 0) return false
  await log.append([...closingDrafts(log, true), ...stopDrafts(log, { journal }, overtaken)], { expected: log.tip })
  return true
}
