import { sideEntry, type EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { LiveLog } from '../log/log.ts'
import type { AppendResult, StoredEntry } from '../log/store.ts'
import { journalOf } from './notes.ts'
import { interruptions, resultDraft } from './tool.ts'
import type { TurnRun } from './turn-run.ts'
import { resultOf, type StopReason, type TurnResult } from './turn.ts'

type Stopped = Pick<TurnRun, 'log' | 'term'> & { readonly config: Pick<TurnRun['config'], 'journal'> }

/**
 * How does a turn end without an answer? Records results for its open calls and a stop entry with the reason, so that
 * the thread can go on. Returns the turn's result.
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

/** The entries that end a turn: its journal, and a stop entry. Open calls must have results before. */
export function stopDrafts(
  log: LiveLog,
  { journal }: Stopped['config'],
  { status, code, reason }: StopReason,
  turn: readonly Entry[] = log.position.turn,
): EntryDraft[] {
  const content = JSON.stringify({ code, reason, upto: log.entries.at(-1)?.id ?? null })
  return [...(journal ? journalDrafts(turn) : []), sideEntry('stop', content, { status })]
}

/** The result of a stopped turn, with the error, which is not recorded. */
export function stoppedResult(log: LiveLog, { error }: StopReason): TurnResult {
  return { ...resultOf(log.position.turn), ...(error !== undefined && { error }) }
}

/** Records results for the open calls. `mayHaveRun`: a runner that died may have run them. */
export async function closeCalls({ log, term }: Pick<TurnRun, 'log' | 'term'>, mayHaveRun: boolean): Promise<void> {
  const results = closingDrafts(log, mayHaveRun)
  if (results.length) await appendOrThrowFenced(log.append(results, { term }))
}

/** Results for the open calls, which tell the model that they were interrupted. */
export function closingDrafts(log: LiveLog, mayHaveRun: boolean): EntryDraft[] {
  const text = mayHaveRun ? interruptions.unknown : interruptions.unrun
  return log.position.openCalls.map((call) => resultDraft(call, { text, status: 'cancelled' }))
}

/** The reason if the next message ends an unfinished turn. */
export const interruptedByNext: StopReason = {
  status: 'cancelled',
  code: 'interrupted',
  reason: 'The next message came before this turn was finished.',
}

/** The journal entry of a turn, for the tools that no journal entry covers yet. Empty if all are covered. */
export function journalDrafts(turn: readonly Entry[]): EntryDraft[] {
  const text = journalOf(turn.slice(turn.findLastIndex(({ kind }) => kind === 'journal') + 1))
  return text === undefined ? [] : [sideEntry('journal', text)]
}

/**
 * Reads what others have written. Throws `fenced` if that is more than waiting messages and revocations: another runner
 * writes the rest.
 */
export async function refreshOrThrowFenced({ log, refresh }: Pick<TurnRun, 'log' | 'refresh'>): Promise<void> {
  const { length } = log
  await refresh()
  if (log.since(length).some(({ kind }) => kind !== 'pending' && kind !== 'revocation')) throw fencedError('overtaken')
}

/**
 * Returns the appended entries. Throws `fenced` if the append was refused: then this runner must write nothing more,
 * not even a stop entry.
 */
export async function appendOrThrowFenced(appending: Promise<AppendResult>): Promise<readonly StoredEntry[]> {
  const appended = await appending
  if (appended.ok) return appended.entries
  throw fencedError(appended.reason)
}

/** The error of a runner whose thread another one has taken over. */
export function fencedError(reason: string): MinutebookError {
  return new MinutebookError(
    'fenced',
    'Another runner has taken over this thread.',
    'Read the thread to see how it goes on.',
    {
      reason,
    },
  )
}

/** The same message in the same place has the same id, so an erased one cannot be recorded there again. */
export function erasedBeforeError(): MinutebookError {
  return new MinutebookError(
    'erased_before',
    'The same message was erased in this place.',
    'Send it after a later entry, or change a word.',
  )
}
