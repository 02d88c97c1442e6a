/** Who decided first about a call? For a person who comes second. */

import { type Archive, printableLine } from '@minutebook/server'
import { type Entry, MinutebookError } from 'minutebook'
import { deciderText } from '@minutebook/inspect'
import { type KeptDecision, standingsIn } from 'minutebook/inspect'
import { entryIn } from 'minutebook/store'
import { ago } from '../terminal/text.ts'
import { isCalled } from './open-call.ts'

/**
 * The decision about a call that no longer waits, from the log of its thread. Without a thread: from those that were
 * written last. Undefined if there is none, or if the key may not read logs.
 */
export async function firstDecision(
  archive: Pick<Archive, 'threads' | 'export'>,
  named: string,
  thread: string | undefined,
): Promise<KeptDecision | undefined> {
  try {
    const threads =
      thread === undefined ? (await archive.threads({ limit: most })).threads.map((each) => each.thread) : [thread]
    for (const each of threads) {
      const found = decisionIn(await logOf(archive, each), named)
      if (found) return found
    }
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
  }
  return undefined
}

/** Threads that are looked at: the decision has just been written to one of them. */
const most = 20

async function logOf(archive: Pick<Archive, 'export'>, thread: string): Promise<readonly Entry[]> {
  const log: Entry[] = []
  for await (const line of archive.export(thread)) {
    const entry = entryIn(line, log.length)
    if (entry) log.push(entry)
  }
  return log
}

function decisionIn(log: readonly Entry[], named: string): KeptDecision | undefined {
  const waits = log.filter(({ kind }) => kind === 'wait')
  const issuers = new Set(waits.map(({ parent }) => parent))
  return log
    .filter(({ id }) => issuers.has(id))
    .flatMap((issuer) => standingsIn(issuer, log))
    .find(({ gate, taken }) => gate && taken && isCalled(gate, named))?.taken
}

/** Says who was first, when, and with what. */
export function secondError({ decision, by, via, time }: KeptDecision): MinutebookError {
  const who = printableLine(deciderText({ by, via }) ?? 'Someone')
  const when = time === undefined ? '' : ` (${ago(time, Date.now())})`
  return new MinutebookError(
    'already_decided',
    `${who} has decided about this call before${when}: ${decisionText(decision)}.`,
    'The first decision counts.',
    { decision, by, via, time },
  )
}

function decisionText(decision: KeptDecision['decision']): string {
  if (decision.do === 'run') return 'run it'
  if (decision.do === 'refuse')
    return `refuse it${decision.reason === undefined ? '' : ` (${valueText(decision.reason)})`}`
  return `answer it with ${valueText(decision.output)}`
}

function valueText(value: unknown): string {
  return printableLine(JSON.stringify(value)).slice(0, 200)
}
