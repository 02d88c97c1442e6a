import { hanging, type Draft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { LiveLog } from '../log/log.ts'
import { isUnfinished, newestTurn, openCalls } from '../log/next.ts'
import type { Appended, StoredEntry } from '../log/store.ts'
import { journalOf } from './notes.ts'
import { interruptions, resultDraft } from './tool.ts'
import type { Running } from './turn-run.ts'
import { resultOf, type Stopping, type TurnResult } from './turn.ts'

type Stopped = Pick<Running, 'log' | 'term'> & { readonly manner: Pick<Running['manner'], 'journal'> }

/**
 * Ends a turn where it stands, so that the thread can go on: open calls get results that say so, and a stop entry the
 * reason.
 */
export async function stop({ log, term, manner }: Stopped, stopping: Stopping, found: boolean): Promise<TurnResult> {
  await closeCalls({ log, term }, found)
  await written(log.append(stopDrafts(log, manner, stopping), { term }))
  return stoppedResult(log, stopping)
}

/** The entries that say of a turn without open calls that it stopped. */
export function stopDrafts(
  log: LiveLog,
  { journal }: Stopped['manner'],
  { status, code, reason }: Stopping,
  branch: readonly Entry[] = log.branch(),
): Draft[] {
  const content = JSON.stringify({ code, reason, upto: log.entries.at(-1)?.id ?? null })
  return [...(journal ? journalDrafts(log, branch) : []), hanging('stop', content, { status })]
}

/** How a turn ended that was stopped, with what is not on record. */
export function stoppedResult(log: LiveLog, { error }: Stopping): TurnResult {
  return { ...resultOf(newestTurn(log.branch())), ...(error !== undefined && { error }) }
}

/** Gives the open calls results. `found`: someone who died may have run them. */
export async function closeCalls({ log, term }: Pick<Running, 'log' | 'term'>, found: boolean): Promise<void> {
  const results = closingDrafts(log, found)
  if (results.length) await written(log.append(results, { term }))
}

/** Results for the open calls. */
export function closingDrafts(log: LiveLog, found: boolean): Draft[] {
  const text = found ? interruptions.unknown : interruptions.unrun
  return openCalls(log.branch()).map((call) => resultDraft(call, { text, status: 'cancelled' }))
}

/** Why a turn ends that the next message finds unfinished. */
export const overtaken: Stopping = {
  status: 'cancelled',
  code: 'interrupted',
  reason: 'The next message came before this turn was finished.',
}

/**
 * Ends the turn that the log stands in, where that is unfinished: no message may come between calls and their results.
 */
export async function settle(running: Parameters<typeof stop>[0]): Promise<void> {
  const branch = running.log.branch()
  if (isUnfinished(branch) || openCalls(branch).length > 0) await stop(running, overtaken, true)
}

/**
 * The journal entry of the newest turn of a branch (the log's own unless told), where tools ran in it that no journal
 * entry tells of yet.
 */
export function journalDrafts(log: LiveLog, branch: readonly Entry[] = log.branch()): Draft[] {
  const turn = newestTurn(branch)
  const text = journalOf(turn.slice(turn.findLastIndex(({ kind }) => kind === 'journal') + 1))
  return text === undefined ? [] : [hanging('journal', text)]
}

/**
 * Reads what others have written. Throws `fenced` where that is more than messages that wait and what was taken back:
 * the rest is for whoever runs the thread.
 */
export async function refreshed({ log, refresh }: Pick<Running, 'log' | 'refresh'>): Promise<void> {
  const { length } = log
  await refresh()
  if (log.since(length).some(({ kind }) => kind !== 'pending' && kind !== 'revocation')) throw fenced('overtaken')
}

/** What was appended. Throws `fenced` where it could not be: nothing more may be written, not even that. */
export async function written(appending: Promise<Appended>): Promise<readonly StoredEntry[]> {
  const appended = await appending
  if (appended.ok) return appended.entries
  throw fenced(appended.reason)
}

/** Someone else runs the thread now. */
export function fenced(reason: string): MinutebookError {
  return new MinutebookError('fenced', 'Someone else has taken over this thread; read it to see how it goes on.', {
    reason,
  })
}

/** The same words in the same place have the same id, and what was erased does not come back. */
export function erasedBefore(): MinutebookError {
  return new MinutebookError(
    'erased_before',
    'This very message was said and erased here; say it after a later entry, or change a word.',
  )
}
