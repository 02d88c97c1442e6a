import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { ProblemRow } from '../api/overview.ts'
import { grouped, readable } from '../ui/text.ts'
import { tokenBar } from './bars.ts'
import './overview.css'

interface NeedsALookProps {
  readonly problems: readonly ProblemRow[]
  readonly count: number
  readonly all: boolean
}

/** Threads with problems, the worst first. Each leads to the call. */
export function NeedsALook({ problems, count, all }: NeedsALookProps): ReactElement {
  return (
    <section aria-labelledby="look" className="rounded-lg border border-line bg-surface" data-needs-a-look>
      <h2 id="look" className="px-3 pt-3 pb-2 text-sm font-semibold">
        Needs a look{' '}
        {count > 0 && (
          <span className="font-normal text-muted">
            {problems.length < count || !all
              ? `the worst ${problems.length} of ${all ? '' : 'more than '}${grouped(count)} threads`
              : `${grouped(count)} ${count === 1 ? 'thread' : 'threads'}, the worst first`}
          </span>
        )}
      </h2>
      {problems.length === 0 ? (
        <p className="px-3 pb-3 text-muted">No thread had a problem in this range.</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {problems.map((row) => (
            <Row key={row.thread} row={row} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ row }: { readonly row: ProblemRow }): ReactElement {
  const { thread, title, model, reasons, calls } = row
  const receipt = reasons.find((reason) => reason.receipt !== null)?.receipt
  const name = readable(title ?? thread)
  const look = 'font-medium after:absolute after:inset-0 hover:underline'
  return (
    <li
      data-problem={thread}
      className="relative grid items-center gap-x-4 gap-y-1 px-3 py-2 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_9rem] lg:grid-cols-[minmax(0,2fr)_9rem_minmax(0,3fr)]"
    >
      <p className="min-w-0" dir="auto">
        {receipt ? (
          <Link to="/threads/$thread/calls/$receipt" params={{ thread, receipt }} className={look} title={name}>
            <span className="line-clamp-2 [overflow-wrap:anywhere]">{name}</span>
          </Link>
        ) : (
          <Link to="/threads/$thread" params={{ thread }} className={look} title={name}>
            <span className="line-clamp-2 [overflow-wrap:anywhere]">{name}</span>
          </Link>
        )}
        {model !== null && <span className="block truncate text-xs text-muted">{readable(model)}</span>}
      </p>
      <Sparkline calls={calls} />
      <ul className="text-[13px] sm:col-span-2 lg:col-span-1">
        {reasons.map(({ reason, calls: count }) => (
          <li key={reason}>
            <b className={`font-semibold ${tones[reason]}`}>{words[reason]}</b>{' '}
            <span className="text-muted">{detail(row, reason, count)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}

type Reason = ProblemRow['reasons'][number]['reason']

const words: Readonly<Record<Reason, string>> = {
  cut: 'The server cut the prompt',
  overflow: 'Did not fit the window',
  failed: 'Failed',
  question: 'Its question was clipped',
  turn: 'A part of its turn was left out',
  partial: 'The answer was cut off',
}

const tones: Readonly<Record<Reason, string>> = {
  cut: 'text-bad',
  overflow: 'text-bad',
  failed: 'text-bad',
  question: 'text-warn',
  turn: 'text-warn',
  partial: 'text-warn',
}

/** The numbers of a reason. */
function detail({ calls }: ProblemRow, reason: Reason, count: number): string {
  if (reason === 'overflow') return 'and no model was called'
  if (count === 0) return 'before its newest calls'
  const times =
    calls.length === 1
      ? 'in its only call'
      : count === calls.length
        ? `in all of its newest ${count} calls`
        : `in ${count} of its newest ${calls.length} calls`
  const newest = calls.findLast(({ problems }) => problems.includes(reason))
  if (reason !== 'cut' || newest === undefined || newest.read === null) return times
  return `${times}: read ${grouped(newest.read)} of ${grouped(newest.sent)} tokens`
}

/** The prompts of the newest calls, to scale: the height is the window, if that is known. */
function Sparkline({ calls }: { readonly calls: ProblemRow['calls'] }): ReactElement {
  const window = calls.at(-1)?.window ?? null
  const sent = Math.max(1, ...calls.map((call) => call.sent))
  // A prompt that is small in its window is still a line that can be seen.
  const top = window === null ? sent : Math.min(Math.max(window, sent), 4 * sent)
  const width = Math.max(calls.length, 12)
  return (
    <svg
      role="img"
      aria-label={
        calls.length === 0
          ? 'No calls'
          : `Newest calls: ${calls.map((call) => grouped(call.sent)).join(', ')} tokens sent${window === null ? '' : `, window ${grouped(window)}`}`
      }
      viewBox={`0 0 ${width} ${top}`}
      preserveAspectRatio="none"
      className="h-8 w-36 rounded-sm bg-sunken"
      data-sparkline={calls.length}
    >
      {calls.map((call, index) => {
        const lost = call.problems.includes('cut') ? Math.max(0, call.sent - (call.read ?? call.sent)) : 0
        const { reused, fresh, cut } = tokenBar({ sentTokens: call.sent, reusedTokens: call.reused, cutTokens: lost })
        const isFailed = call.problems.includes('failed')
        return (
          <g key={call.receipt}>
            <rect
              x={index + 0.08}
              width={0.84}
              y={top - reused}
              height={reused}
              className={isFailed ? 'bar-failed' : 'bar-reused'}
            />
            <rect
              x={index + 0.08}
              width={0.84}
              y={top - reused - fresh}
              height={fresh}
              className={isFailed ? 'bar-failed' : 'bar-fresh'}
            />
            <rect x={index + 0.08} width={0.84} y={top - reused - fresh - cut} height={cut} className="bar-cut" />
          </g>
        )
      })}
    </svg>
  )
}
