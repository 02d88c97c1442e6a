import { Link } from '@tanstack/react-router'
import { restorationText } from '@minutebook/inspect'
import type { ReactElement, ReactNode } from 'react'
import { useIsAdmin } from '../api/api.tsx'
import type { Lane, LaneCall, Restoration } from '../api/message-lane.ts'
import { CopyButton } from '../ui/copy.tsx'
import { grouped } from '../ui/text.ts'
import { PinButton } from './pin-button.tsx'

interface KeptByProps {
  readonly lane: Lane
  /** The call that did not have the message. */
  readonly call: LaneCall
  /** What the message says. */
  readonly text: string | undefined
}

/** What would have kept a message in a prompt, each with its price, and a button that does it or leads there. */
export function KeptBy({ lane, call, text }: KeptByProps): ReactElement {
  const { thread, entry, pinned, without } = lane
  const isAdmin = useIsAdmin()
  const wayOf = (restoration: Restoration): ReactNode => {
    const { by, changes } = restoration
    if (by === 'pin') return <PinButton thread={thread} entry={entry} isPinned={pinned} kind="primary" />
    if (by === 'system') return text !== undefined && <CopyButton text={text} label="Copy the message" />
    if (!isAdmin || !changes) return <span className="text-xs text-muted">an admin can try it</span>
    return (
      <Link
        to="/threads/$thread/lab"
        params={{ thread }}
        search={{ call: call.receipt, entry, ...changes }}
        className="rounded-md border border-line px-2 py-0.5 text-xs font-medium hover:border-accent"
      >
        Try in the lab
      </Link>
    )
  }
  const shown = (without?.restorations ?? []).filter(({ by }) => by !== 'pin' || !pinned)
  return (
    <div data-kept-by className="space-y-1 rounded-md border border-line p-2.5">
      <h5 className="font-semibold">What would have kept it</h5>
      {pinned && (
        <div className="flex flex-wrap items-center gap-2 border-t border-line py-1.5">
          <span className="grow">It is pinned now: every later prompt has it.</span>
          <PinButton thread={thread} entry={entry} isPinned />
        </div>
      )}
      {shown.length === 0 && !pinned && <p className="text-muted">Nothing that can be set here.</p>}
      <ul>
        {shown.map((restoration) => (
          <li
            key={restoration.by}
            data-kept-by-way={restoration.by}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-1.5"
          >
            <span className="grow">
              <span className="block font-medium">{titleOf(restoration)}</span>
              <span className="block text-xs text-muted">{priceOf(restoration)}</span>
            </span>
            {wayOf(restoration)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function titleOf(restoration: Restoration): string {
  const text = restorationText(restoration)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function priceOf({ by, tokens, verdict, exceeds }: Restoration): string {
  const price = `${tokens < 0 ? '−' : '+'}${grouped(Math.abs(tokens))} tokens`
  if (by === 'pin')
    return `${price} in every prompt${exceeds ? '; all pinned messages together are clipped to their share' : ''}`
  if (by === 'system') return `${price}; the app would have to send it`
  return `${price} in this prompt${verdict === 'verbatim' ? '' : `, ${verdict}`}`
}
