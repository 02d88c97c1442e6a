import { sha256 } from '#sha256'
import { branchOf, headOf } from '../log/log.ts'
import { entryOf, sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { newestTurn, next, nextStep, waitingIn } from '../log/next.ts'
import { notImportableError } from '../log/stored-entry.ts'
import { closingDrafts, stopDraft } from './stop-turn.ts'
import type { StopReason } from './turn.ts'

/**
 * What ends the open work of a log that comes from a file? Anyone may have written the file, and a missing line can make
 * a call that waited for approval look free to run. So nothing of the log may run later: its open turn gets a stop,
 * open calls get results, and waiting messages are revoked. Returns the entries to write after those of the log. Their
 * ids depend on the log alone, so importing it again writes nothing new. Throws `corrupt_line` if something is left to
 * do after them: then the file has entries of its own in their places.
 */
export function closingEntries(log: readonly Entry[], time: string): readonly Entry[] {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const closing: Entry[] = []
  const add = ({ message, facts }: EntryDraft, after: Entry | undefined): Entry => {
    const entry = entryOf(message, after, { time, ...facts })
    if (!byId.has(entry.id)) closing.push({ ...entry, seq: (log.at(-1)?.seq ?? -1) + 1 + closing.length })
    return entry
  }
  for (const { id, parent } of waitingIn(log)) add(sideEntry('revocation', id), byId.get(parent ?? ''))
  const head = headOf(log)
  const branch = branchOf(log, head, null)
  if (nextStep(branch)) {
    let last = byId.get(head ?? '')
    for (const result of closingDrafts(newestTurn(branch), true)) last = add(result, last)
    // A file can contain any entry that follows from one of its ids. It cannot contain a hash of all of them.
    add(stopDraft(restored, sha256(JSON.stringify(log.map(({ id }) => id)))), last)
  }
  checkEnded([...log, ...closing])
  return closing
}

function checkEnded(log: readonly Entry[]): void {
  const head = headOf(log)
  const left = next(branchOf(log, head, null), log)
  if (left.do === 'rest') return
  const { seq } = left.do === 'admit' ? left.pending : log.find(({ id }) => id === head)!
  throw notImportableError(seq, 'the work that it leaves open cannot be ended')
}

const restored: StopReason = {
  status: 'cancelled',
  code: 'restored',
  reason: 'This turn was not over when the thread was exported.',
  fix: 'Retry the turn to have it answered here.',
}
