import { traits } from '../log/kind.ts'
import { isUnfinished, newestTurn, next } from '../record/next.ts'
import { busy } from '../turn/drive.ts'
import { resultOf } from '../turn/result.ts'
import type { RunOptions } from '../turn/resume.ts'
import { nothingToAnswer } from '../turn/retry.ts'
import { closingDrafts } from '../turn/stop.ts'
import { takenBack } from '../turn/send.ts'
import type { Turn, TurnResult } from '../turn/turn.ts'
import { attend, type Awaited } from './attend.ts'
import type { Hosted } from './hosted.ts'
import { askAgain, attended, type Put } from './post.ts'

/** Has the newest user entry answered again, by whoever is woken: where its turn is unfinished, it goes on. */
export function retryHosted(hosted: Hosted, options: RunOptions): Turn {
  return attended(options, async (control) => {
    for (;;) {
      if (control.signal.aborted) return takenBack
      const put = await hosted.inTurn(() => putRetry(hosted))
      if (put !== 'again' && put !== 'wait') return 'status' in put ? put : attend(hosted, control, put)
    }
  })
}

async function putRetry(hosted: Hosted): Promise<Put> {
  const { log } = hosted
  await hosted.refresh()
  const turn = newestTurn(log.branch())
  const [asked] = turn
  if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswer()
  if (isUnfinished(turn)) {
    await hosted.wake(hosted.thread, [])
    return standingTurn(hosted)
  }
  if (next(log.branch(), log.entries).do === 'admit') return busy()
  return resultOf(turn).answer === null ? askAgain(hosted, closingDrafts(log, true), undefined) : askAgain(hosted, [], asked)
}

/** Follows what is unfinished, then what waits, until the thread rests; wakes it first. */
export function resumeHosted(hosted: Hosted, options: RunOptions): Turn {
  return attended(options, async (control) => {
    const { log } = hosted
    let result: TurnResult | undefined
    for (;;) {
      await hosted.refresh()
      const coming = next(log.branch(), log.entries)
      if (coming.do === 'rest') return resultOf(newestTurn(log.branch()))
      if (result && control.signal.aborted) return result
      if (!result) await hosted.wake(hosted.thread, [])
      result = await attend(hosted, control, coming.do === 'admit' ? { pending: coming.pending } : standingTurn(hosted))
    }
  })
}

/** The turn that the thread stands in, from here on. */
function standingTurn({ log }: Hosted): Awaited {
  return { asked: newestTurn(log.branch())[0]!, since: log.length - 1 }
}
