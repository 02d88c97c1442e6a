import { branchOf, headOf } from '../log/branch.ts'
import { entryOf, sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { newestTurn, nextStep, waitingIn } from '../log/next.ts'
import { closingDrafts, stopDraft } from './stop-turn.ts'
import type { StopReason } from './turn.ts'

/**
 * What ends the open work of a log that comes from a file? Anyone may have written the file, and a missing line can make
 * a call that waited for approval look free to run. So nothing of the log may run later: its open turn gets a stop,
 * open calls get results, and waiting messages are revoked. Returns the entries to write after those of the log. Their
 * ids depend on the log alone, so importing it again writes nothing new.
 */
export function closingEntries(log: readonly Entry[], time: string): readonly Entry[] {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const closing: Entry[] = []
  const add = ({ message, facts }: EntryDraft, after: Entry | undefined): Entry => {
    const entry = entryOf(message, after, { time, ...facts })
    if (!byId.has(entry.id)) closing.push(entry)
    return entry
  }
  for (const { id, parent } of waitingIn(log)) add(sideEntry('revocation', id), byId.get(parent ?? ''))
  const head = headOf(log)
  const branch = branchOf(log, head, null)
  if (!nextStep(branch)) return closing
  let last = byId.get(head ?? '')
  for (const result of closingDrafts(newestTurn(branch), true)) last = add(result, last)
  add(stopDraft(restored, log.at(-1)?.id ?? null), last)
  return closing
}

const restored: StopReason = {
  status: 'cancelled',
  code: 'restored',
  reason: 'This turn was not over when the thread was exported.',
  fix: 'Retry the turn to have it answered here.',
}
