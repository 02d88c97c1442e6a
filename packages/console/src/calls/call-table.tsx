import { Link, useNavigate } from '@tanstack/react-router'
import { secondsText } from '@minutebook/inspect'
import { memo, type KeyboardEvent, type ReactElement } from 'react'
import { useIsAdmin } from '../api/api.tsx'
import type { CallFlag, ListedCall, Outcome } from '../api/call-list.ts'
import { threadTitle } from '../api/thread.ts'
import { grouped, percentOf, plural, readable } from '../ui/text.ts'
import { Badge } from '../ui/ui.tsx'
import { flagNames, flagTitles, outcomeNames, outcomeTitles } from './call-filters.tsx'

/** The calls, one per row. A row opens the inspector at its call; arrow keys move from row to row. */
export function CallTable({ calls }: { readonly calls: readonly ListedCall[] }): ReactElement {
  const isAdmin = useIsAdmin()
  return (
    <table className="w-full border-collapse text-[13px]" onKeyDown={moveBetweenRows}>
      <thead className="sticky top-0 z-10 bg-page text-left text-xs text-muted">
        <tr className="[&>th]:px-2 [&>th]:py-1.5 [&>th]:font-medium">
          <th scope="col">Time</th>
          <th scope="col">Thread</th>
          <th scope="col" className="hidden text-right lg:table-cell">
            Turn
          </th>
          <th scope="col" className="hidden md:table-cell">
            Model
          </th>
          {isAdmin && (
            <th scope="col" className="hidden xl:table-cell">
              Key
            </th>
          )}
          <th scope="col" className="hidden text-right sm:table-cell" title="Tokens of the prompt, as predicted">
            Sent
          </th>
          <th
            scope="col"
            className="hidden text-right lg:table-cell"
            title="Tokens of the prompt that the model server says it read"
          >
            Read
          </th>
          <th
            scope="col"
            className="hidden text-right lg:table-cell"
            title="How much of the prompt is the beginning of the previous one, which a model server can take from its cache"
          >
            Reused
          </th>
          <th scope="col" className="hidden text-right lg:table-cell" title="Entries that were left out of the prompt">
            Left out
          </th>
          <th scope="col" className="text-right">
            Duration
          </th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <Row key={`${call.thread} ${call.receipt}`} call={call} isAdmin={isAdmin} />
        ))}
      </tbody>
    </table>
  )
}

const Row = memo(function Row({
  call,
  isAdmin,
}: {
  readonly call: ListedCall
  readonly isAdmin: boolean
}): ReactElement {
  const { thread, title, receipt, ended, turn, model, owner, outcome, sent, reused, read, omitted } = call
  const navigate = useNavigate()
  const name = readable(threadTitle(thread, title))
  return (
    <tr
      data-call={receipt}
      onClick={() => void navigate({ to: '/threads/$thread/calls/$receipt', params: { thread, receipt } })}
      className="cursor-pointer border-t border-line align-top hover:bg-sunken [&>td]:px-2 [&>td]:py-1.5"
    >
      <td className="whitespace-nowrap">
        <Link
          to="/threads/$thread/calls/$receipt"
          params={{ thread, receipt }}
          aria-label={`${timeOf(ended)}: inspect the call in ${name}`}
          onClick={(event) => event.stopPropagation()}
          className="tabular-nums underline-offset-2 hover:underline"
        >
          <time dateTime={ended} title={new Date(ended).toLocaleString()}>
            {timeOf(ended)}
          </time>
        </Link>
      </td>
      <td className="w-full max-w-0">
        <span className="line-clamp-2 [overflow-wrap:anywhere] md:line-clamp-1" title={name}>
          {name}
        </span>
        <span className="block text-xs [overflow-wrap:anywhere] text-muted md:hidden">
          {model === null ? '' : `${readable(model)} · `}
          {plural(sent, 'token', 'tokens')}
        </span>
      </td>
      <td className="hidden text-right tabular-nums lg:table-cell">{turn ?? ''}</td>
      <td className="hidden max-w-48 md:table-cell">
        <span className="block truncate text-muted" title={model ?? ''}>
          {model === null ? '' : readable(model)}
        </span>
      </td>
      {isAdmin && (
        <td className="hidden max-w-32 xl:table-cell">
          <span className="block truncate text-muted" title={owner}>
            {readable(owner ?? '')}
          </span>
        </td>
      )}
      <td className="hidden text-right tabular-nums sm:table-cell">{grouped(sent)}</td>
      <td className="hidden text-right tabular-nums lg:table-cell">{read === undefined ? '' : grouped(read)}</td>
      <td className="hidden text-right tabular-nums lg:table-cell">{percentOf(reused, sent)}</td>
      <td className="hidden text-right tabular-nums lg:table-cell">{omitted === 0 ? '' : grouped(omitted)}</td>
      <td className="text-right whitespace-nowrap tabular-nums">
        <Duration call={call} />
      </td>
      <td>
        <span className="flex flex-wrap gap-1 sm:min-w-36">
          <Badge tone={outcomeTone(outcome)} title={outcomeTitles[outcome]}>
            {outcomeNames[outcome]}
          </Badge>
          {flagsOf(call).map((flag) => (
            <Badge key={flag} tone={flag === 'cut' ? 'bad' : 'warn'} title={flagTitles[flag]}>
              {flagNames[flag]}
            </Badge>
          ))}
        </span>
      </td>
    </tr>
  )
})

/** How long a call took: in words, and as a bar of waiting and writing. */
function Duration({ call: { total, firstToken } }: { readonly call: ListedCall }): ReactElement {
  const says =
    firstToken === undefined
      ? secondsText(total)
      : `${secondsText(total)}: waited ${secondsText(firstToken)}, wrote ${secondsText(total - firstToken)}`
  return <span title={says}>{secondsText(total)}</span>
}

/** The time of today, or the day as well. */
function timeOf(time: string): string {
  const then = new Date(time)
  const clock = then.toLocaleTimeString('en-GB')
  if (then.toDateString() === new Date().toDateString()) return clock
  return `${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${clock}`
}

const bad: ReadonlySet<Outcome> = new Set(['failed', 'cancelled', 'refused', 'unfit'])

function outcomeTone(outcome: Outcome): 'bad' | 'warn' | 'plain' {
  return outcome === 'failed' ? 'bad' : bad.has(outcome) || outcome === 'length' ? 'warn' : 'plain'
}

/** What is marked in a row. That entries were left out has a column of its own. */
function flagsOf({ cut, clipped, total }: ListedCall): readonly CallFlag[] {
  return [
    ...(cut ? ['cut' as const] : []),
    ...(clipped > 0 ? ['clipped' as const] : []),
    ...(total >= slowCall ? ['slow' as const] : []),
  ]
}

/** Milliseconds, as the server means it. */
const slowCall = 10_000

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-call] a')]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = links[at < 0 ? 0 : at + (event.key === 'ArrowDown' ? 1 : -1)]
  event.preventDefault()
  next?.focus()
}
