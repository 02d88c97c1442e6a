import { MinutebookError } from '../log/error.ts'
import type { StoredEntry } from '../log/store.ts'
import { isUnfinished, newestTurn } from '../record/next.ts'
import { createLimit } from '../turn/limit.ts'
import { stop } from '../turn/stop.ts'
import { cancelled } from '../turn/stopping.ts'
import { glances } from './glances.ts'
import type { Hosted } from './hosted.ts'
import { isAtWork } from './observe.ts'
import { mayPass } from './passing.ts'

/** Milliseconds that a runner has to stop by itself, and to record what it has shown so far. */
const patience = 3000

/** Ends a turn as cancelled, whoever runs it: by asking, and where that does not help, by taking its term. */
export async function cancelTurn(hosted: Hosted, asked: StoredEntry): Promise<void> {
  for (;;) {
    try {
      await hosted.engine.cancel(hosted.thread, asked.id)
      if (!(await isSoonOver(hosted, asked))) await takeOver(hosted, asked)
      return
    } catch (error) {
      const isOvertaken = MinutebookError.isInstance(error) && error.code === 'fenced'
      if (!isOvertaken && !mayPass(error)) throw error
    }
    await isSoonOver(hosted, asked).catch(() => undefined)
  }
}

/** Ends the turn that a thread stands in, whoever runs it. False where it stands in none. */
export async function cancelRunning(hosted: Hosted): Promise<boolean> {
  await hosted.refresh()
  const turn = newestTurn(hosted.log.branch())
  if (!turn[0] || !isUnfinished(turn)) return false
  await cancelTurn(hosted, turn[0])
  return true
}

async function isSoonOver(hosted: Hosted, asked: StoredEntry): Promise<boolean> {
  const limit = createLimit(new AbortController().signal, hosted.clock, patience)
  try {
    for await (const _ of glances(hosted, limit.signal)) if (!isAtWork(hosted.log, asked)) return true
    return false
  } finally {
    limit.release()
  }
}

async function takeOver({ store, wake, thread, log, journal, refresh }: Hosted, asked: StoredEntry): Promise<void> {
  const { term } = await store.claim(thread)
  await refresh()
  if (isAtWork(log, asked)) await stop({ log, term, manner: { journal } }, cancelled, true)
  // For what waits behind it, and for whoever was fenced by this.
  await wake(thread, [])
}
