import type { Entry } from '../log/entry.ts'
import { written } from './fence.ts'
import { journalDrafts } from './journal-entry.ts'
import { hanging } from '../record/hanging.ts'
import type { Draft } from '../record/draft.ts'
import type { LiveLog } from '../record/live-log.ts'
import { newestTurn, openCalls } from '../record/next.ts'
import { resultDraft } from './run-calls.ts'
import { resultOf } from './result.ts'
import { interruptions } from '../tool/run-tool.ts'
import type { Running } from './running.ts'
import type { Stopping } from './stopping.ts'
import type { TurnResult } from './turn.ts'

type Stopped = Pick<Running, 'log' | 'term'> & { readonly manner: Pick<Running['manner'], 'journal'> }

/** Ends a turn where it stands, so that the thread can go on: open calls get results that say so, and a stop entry the reason. */
export async function stop({ log, term, manner }: Stopped, stopping: Stopping, found: boolean): Promise<TurnResult> {
  await closeCalls({ log, term }, found)
  await written(log.append(stopDrafts(log, manner, stopping), { term }))
  return stoppedResult(log, stopping)
}

/** The entries that say of a turn without open calls that it stopped. */
export function stopDrafts(log: LiveLog, { journal }: Stopped['manner'], { status, code, reason }: Stopping, branch: readonly Entry[] = log.branch()): Draft[] {
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
