import { MinutebookError } from '../log/error.ts'
import type { Message } from '../log/message.ts'
import type { StoredEntry } from '../log/store.ts'
import { adopted } from '../incoming/adopted.ts'
import { alone } from './alone.ts'
import { written } from './fence.ts'
import type { Holding } from './holding.ts'
import { settle } from './settle.ts'
import { createTurn } from './turn.ts'

/** Puts messages from elsewhere on record. A turn that was cut short ends here. Throws `busy` where one runs. */
export async function adopt(holding: Holding, messages: readonly Message[], trusted: boolean): Promise<readonly StoredEntry[]> {
  const { log } = holding
  const entries = await alone(holding, createTurn().turn, { ifBusy: 'reject' }, async (term) => {
    const drafts = adopted(messages, trusted)
    log.checkRoom(drafts)
    if (messages.length > 0) await settle({ log, term, manner: { journal: false } })
    return written(log.append(drafts, { term }))
  })
  if (!entries) throw adoptBusy()
  return entries
}

export function adoptBusy(): MinutebookError {
  return new MinutebookError('busy', 'A turn is running on this thread; wait for it before you add to the record.')
}
