import { written } from './fence.ts'
import { journalDrafts } from './journal-entry.ts'
import { hanging } from '../record/hanging.ts'
import { newestTurn, openCalls } from '../record/next.ts'
import { resultDraft } from './run-calls.ts'
import { resultOf } from './result.ts'
import { interruptions } from '../tool/run-tool.ts'
import type { Running } from './running.ts'
import type { TurnResult } from './turn.ts'

/** Why a turn ends without an answer. */
export interface Stopping {
  readonly status: 'cancelled' | 'failed'
  readonly code: string
  readonly reason: string
  /** What was thrown: for the caller, never for the record. */
  readonly error?: unknown
}

export const cancelled: Stopping = { status: 'cancelled', code: 'cancelled', reason: 'The turn was cancelled.' }

type Stopped = Pick<Running, 'log' | 'term'> & { readonly manner: Pick<Running['manner'], 'journal'> }

/** Ends a turn where it stands, so that the thread can go on: open calls get results that say so, and a stop entry the reason. */
export async function stop({ log, term, manner }: Stopped, { status, code, reason, error }: Stopping, found: boolean): Promise<TurnResult> {
  await closeCalls({ log, term }, found)
  const content = JSON.stringify({ code, reason, upto: log.entries.at(-1)?.id ?? null })
  await written(log.append([...(manner.journal ? journalDrafts(log) : []), hanging('stop', content, { status })], { term }))
  return { ...resultOf(newestTurn(log.branch())), ...(error !== undefined && { error }) }
}

/** Gives the open calls results. `found`: someone who died may have run them. */
export async function closeCalls({ log, term }: Pick<Running, 'log' | 'term'>, found: boolean): Promise<void> {
  const text = found ? interruptions.unknown : interruptions.unrun
  const results = openCalls(log.branch()).map((call) => resultDraft(call, { text, status: 'cancelled' }))
  if (results.length) await written(log.append(results, { term }))
}
