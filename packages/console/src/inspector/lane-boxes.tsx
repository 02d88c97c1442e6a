import './lane.css'
import './verdict.css'
import { Link } from '@tanstack/react-router'
import { laneSummary, verdictText } from '@minutebook/inspect'
import type { KeyboardEvent, ReactElement } from 'react'
import type { Lane, LaneCall } from '../api/message-lane.ts'
import { grouped } from '../ui/text.ts'
import { verdictLooks } from './verdict.tsx'

interface LaneBoxesProps {
  readonly lane: Lane
  readonly head: string | undefined
  /** The call that is on the screen. */
  readonly receipt: string | undefined
}

/** One box for each call: what happened to the message in it. A click opens the call. */
export function LaneBoxes({ lane, head, receipt }: LaneBoxesProps): ReactElement {
  const { thread, entry, calls, earlier, without } = lane
  const shown = calls.findIndex((call) => call.receipt === receipt)
  const first = shown < 0 ? calls.length - 1 : shown
  return (
    <div className="space-y-1.5">
      <p className="text-xs text-muted">One box for each model call; click one to see that prompt.</p>
      {earlier > 0 && (
        <p className="text-xs text-muted">
          The newest {grouped(calls.length)} calls are shown. {grouped(earlier)} before them are left out.
        </p>
      )}
      <ol
        className="flex max-h-44 flex-wrap gap-1 overflow-y-auto p-1"
        aria-label="Model calls since this message"
        onKeyDown={moveFocus}
      >
        {calls.map((call, index) => (
          <li key={call.receipt} className="text-center">
            <Link
              to="/threads/$thread/calls/$receipt"
              params={{ thread, receipt: call.receipt }}
              search={{ ...(head !== undefined && { head }), at: entry }}
              tabIndex={index === first ? 0 : -1}
              data-current={call.receipt === receipt}
              aria-label={`Turn ${call.turn}: ${verdictText(call.verdict)}`}
              title={`Turn ${call.turn}: ${verdictText(call.verdict)}, ${call.reason}`}
              data-lane-verdict={call.verdict ?? 'unknown'}
              data-without={call.receipt === without?.receipt ? call.turn : undefined}
              className={`lane-box verdict verdict-${call.verdict ?? 'hidden'}`}
            >
              {call.verdict === null ? '?' : verdictLooks[call.verdict].letter}
            </Link>
            <span aria-hidden="true" className="block min-h-4 font-mono text-[10px] leading-4 text-muted">
              {isLabelled(calls, index) ? call.turn : ''}
            </span>
          </li>
        ))}
      </ol>
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs" aria-label="What the boxes mean">
        {laneSummary(calls).map(({ verdict, turns }) => (
          <li key={verdict ?? 'unknown'}>
            <span className="font-mono font-bold">{verdict === null ? '?' : verdictLooks[verdict].letter}</span>{' '}
            {verdictText(verdict)}: <span className="text-muted">{turns}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The arrow keys move among the boxes, so that the list is one stop of the Tab key. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const boxes = [...event.currentTarget.querySelectorAll('a')]
  const at = boxes.indexOf(document.activeElement as HTMLAnchorElement)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: boxes.length - 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  boxes[Math.max(0, Math.min(boxes.length - 1, to))]?.focus()
}

/** The first and the last call have a number below them, each new fifth turn, and the ends of what is alike. */
export function isLabelled(calls: readonly LaneCall[], index: number): boolean {
  const { turn, verdict } = calls[index]!
  const before = calls[index - 1]
  if (!before || index === calls.length - 1) return true
  return turn !== before.turn && (turn % 5 === 0 || verdict !== before.verdict)
}
