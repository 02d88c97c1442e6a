import type { Entry } from '../log/entry.ts'
import { journalOf } from '../note/journal.ts'
import { hanging } from '../record/hanging.ts'
import type { Draft } from '../record/draft.ts'
import type { LiveLog } from '../record/live-log.ts'
import { newestTurn } from '../record/next.ts'

/** The journal entry of the newest turn of a branch (the log's own unless told), where tools ran in it that no journal entry tells of yet. */
export function journalDrafts(log: LiveLog, branch: readonly Entry[] = log.branch()): Draft[] {
  const turn = newestTurn(branch)
  const text = journalOf(turn.slice(turn.findLastIndex(({ kind }) => kind === 'journal') + 1))
  return text === undefined ? [] : [hanging('journal', text)]
}
