import { sideEntry, type EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { LiveLog } from '../log/log.ts'
import type { Appended, StoredEntry } from '../log/store.ts'
import { journalOf } from './notes.ts'
import { interruptions, resultDraft } from './tool.ts'
import type { TurnRun } from './turn-run.ts'
import { resultOf, type StopReason, type TurnResult } from './turn.ts'

type Stopped = Pick<TurnRun, 'log' | 'term'> & { readonly config: Pick<TurnRun['config'], 'journal'> }

/**
 * Ends a turn where it stands, so that the thread can go on: open calls get results that say so, and a stop entry the
 * reason.
 */
export async function stop(
  { log, term, config }: Stopped,
  stopping: StopReason,
  mayHaveRun: boolean,
): Promise<TurnResult> {
  await closeCalls({ log, term }, mayHaveRun)
  await appendOrThrowFenced(log.append(stopDrafts(log, config, stopping), { term }))
  return stoppedResult(log, stopping)
}

/** The entries that say of a turn without open calls that it stopped. */
export function stopDrafts(
  log: LiveLog,
  { journal }: Stopped['config'],
  { status, code, reason }: StopReason,
  turn: readonly Entry[] = log.position.turn,
): EntryDraft[] {
  const content = JSON.stringify({ code, reason, upto: log.entries.at(-1)?.id ?? null })
  return [...(journal ? journalDrafts(turn) : []), sideEntry('stop', content, { status })]
}

/** How a turn ended that was stopped, with what is not on record. */
export function stoppedResult(log: LiveLog, { error }: StopReason): TurnResult {
  return { ...resultOf(log.position.turn), ...(error !== undefined && { error }) }
}

/** Gives the open calls results. `mayHaveRun`: a runner that died may have run them. */
export async function closeCalls({ log, term }: Pick<TurnRun, 'log' | 'term'>, mayHaveRun: boolean): Promise<void> {
  const results = closingDrafts(log, mayHaveRun)
  if (results.length) await appendOrThrowFenced(log.append(results, { term }))
}

/** Results for the open calls. */
export function closingDrafts(log: LiveLog, mayHaveRun: boolean): EntryDraft[] {
  const text = mayHaveRun ? interruptions.unknown : interruptions.unrun
  return log.position.openCalls.map((call) => resultDraft(call, { text, status: 'cancelled' }))
}

/** Why a turn ends that the next message finds unfinished. */
export const interruptedByNext: StopReason = {
  status: 'cancelled',
  code: 'interrupted',
  reason: 'The next message came before this turn was finished.',
}

/** The journal entry of a turn, if tools ran in it that no journal entry tells of yet. */
export function journalDrafts(turn: readonly Entry[]): EntryDraft[] {
  const text = journalOf(turn.slice(turn.findLastIndex(({ kind }) => kind === 'journal') + 1))
  return text === undefined ? [] : [sideEntry('journal', text)]
}

/**
 * Reads what others have written. Throws `fenced` where that is more than messages that wait and what was taken back:
 * the rest is for whoever runs the thread.
 */
export async function refreshOrThrowFenced({ log, refresh }: Pick<TurnRun, 'log' | 'refresh'>): Promise<void> {
  const { length } = log
  await refresh()
  if (log.since(length).some(({ kind }) => kind !== 'pending' && kind !== 'revocation')) throw fencedError('overtaken')
}

/** What was appended. Throws `fenced` where it could not be: nothing more may be written, not even that. */
export async function appendOrThrowFenced(appending: Promise<Appended>): Promise<readonly StoredEntry[]> {
  const appended = await appending
  if (appended.ok) return appended.entries
  throw fencedError(appended.reason)
}

/** Someone else runs the thread now. */
export function fencedError(reason: string): MinutebookError {
  return new MinutebookError('fenced', 'Someone else has taken over this thread; read it to see how it goes on.', {
    reason,
  })
}

/** The same words in the same place have the same id, and what was erased does not come back. */
export function erasedBeforeError(): MinutebookError {
  return new MinutebookError(
    'erased_before',
    'This very message was said and erased here; say it after a later entry, or change a word.',
  )
}
