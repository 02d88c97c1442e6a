import { readMessage, type Message } from '../log/message.ts'
import type { StoredEntry } from '../log/store.ts'
import { adopted } from '../incoming/adopted.ts'
import type { Draft } from '../record/draft.ts'
import { next } from '../record/next.ts'
import { adoptBusy } from '../turn/adopt.ts'
import { stopDrafts } from '../turn/stop.ts'
import type { Stopping } from '../turn/stopping.ts'
import { closeForeignCalls } from './foreign-calls.ts'
import type { Hosted } from './hosted.ts'

const unanswered: Stopping = { status: 'cancelled', code: 'adopted', reason: 'This was recorded without an answer.' }

/** Puts messages from elsewhere on record, on a thread that rests and goes on resting. Throws `busy` where it does not. */
export function adoptHosted(hosted: Hosted, messages: readonly Message[], trusted: boolean): Promise<readonly StoredEntry[]> {
  const { log } = hosted
  return hosted.inTurn(async () => {
    for (;;) {
      await hosted.refresh()
      if (next(log.branch(), log.entries).do !== 'rest') throw adoptBusy()
      if (messages.length > 0 && (await closeForeignCalls(hosted))) continue
      const drafts = adopted(messages, trusted)
      log.checkRoom(drafts)
      const appended = await log.append([...drafts, ...(wantsAnswer(drafts) ? stopDrafts(log, { journal: false }, unanswered) : [])], { expected: log.tip })
      if (appended.ok) return appended.entries.slice(0, drafts.length)
    }
  })
}

/** Whoever is woken next would answer it. */
function wantsAnswer(drafts: readonly Draft[]): boolean {
  const spoken = drafts.map(({ message }) => readMessage(message).kind).findLast((kind) => kind !== 'system')
  return spoken === 'user' || spoken === 'tool'
}
