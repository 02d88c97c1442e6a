import { hanging } from './hanging.ts'
import type { Draft } from './draft.ts'
import type { LiveLog } from './live-log.ts'

/** The entry that asks for another answer to what it will hang off. It names the newest entry, so that asking again is another one. */
export function retryDraft(log: LiveLog): Draft {
  return hanging('retry', JSON.stringify({ upto: log.entries.at(-1)?.id ?? null }))
}
