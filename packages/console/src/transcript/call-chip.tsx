import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { receiptFacts, type CallBrief } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { grouped, percentOf } from '../ui/text.ts'
import { keepHead } from './folded-entry.tsx'

interface CallChipProps {
  readonly thread: string
  readonly call: CallBrief
}

/** The model call of an answer in a few words. It leads to the inspector. */
export function CallChip({ thread, call }: CallChipProps): ReactElement {
  const isWrong = receiptFacts(call.receipt).truncated === 'yes'
  return (
    <Link
      to="/threads/$thread/calls/$receipt"
      params={{ thread, receipt: call.receipt.id }}
      search={keepHead}
      data-call={call.receipt.id}

      title="How full the window was, how much of the prompt was that of the previous call, and how many messages the model did not see whole"
      className={`inline-flex min-h-6 items-center gap-1 rounded-full border px-2 text-xs hover:border-accent data-[status=active]:border-accent data-[status=active]:bg-accent-soft ${isWrong ? 'border-warn/40 text-warn' : 'border-line text-muted'}`}
    >
      <span className="font-semibold">Inspect</span> {callInBrief(call)}
    </Link>
  )
}

/**
 * What is known of a call without opening it.
 *
 * @example
 * callInBrief(call) // '87% · 64% reused · 24 left out'
 */
export function callInBrief({ receipt, window }: Pick<CallBrief, 'receipt' | 'window'>): string {
  const { predicted, reused } = receipt.tokens
  const { digested = 0, outlined = 0, omitted = 0 } = receipt.verdicts as Readonly<Record<string, number>>
  const left = digested + outlined + omitted
  return [
    window === null ? `${grouped(predicted)} tokens` : percentOf(predicted, window),
    ...(reused > 0 ? [`${percentOf(reused, predicted)} reused`] : []),
    ...(left > 0 ? [`${grouped(left)} left out`] : []),
    ...(receiptFacts(receipt).truncated === 'yes' ? ['cut by the server'] : []),
    ...(quiet.has(receipt.outcome) ? [] : [receipt.outcome]),
  ].join(' · ')
}

const quiet: ReadonlySet<string> = new Set(['stop', 'calls', 'unknown'])

/**
 * The model calls of each message: an answer has the call that it came from. A call without an answer is at the newest
 * message before it.
 *
 * @example
 * callsOf(entries, calls).get(answer.id)?.length // 1
 */
export function callsOf(
  entries: readonly Entry[],
  calls: readonly CallBrief[],
): ReadonlyMap<string, readonly CallBrief[]> {
  const found = new Map<string, CallBrief[]>()
  const holders = entries.filter(({ kind }) => kind === 'assistant' || kind === 'user')
  let at = 0
  for (const call of calls.toSorted((one, other) => one.receipt.seq - other.receipt.seq)) {
    while (at < holders.length && holders[at]!.seq < call.receipt.seq) at++
    const holder = holders[at - 1]
    if (holder) found.set(holder.id, [...(found.get(holder.id) ?? []), call])
  }
  return found
}
