import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
} from 'react'
import type { WaitingCall } from '../api/waiting.ts'
import { isField, OpenCallView } from './open-call.tsx'

interface OpenCallsProps {
  readonly calls: readonly WaitingCall[]
  /** Whether each call says its thread. */
  readonly showsThread: boolean
}

/**
 * Calls that wait, one below the other: j and k or the arrows move. If the call that has the focus is gone, no other
 * one gets it by itself, so that no key approves a call that was not looked at.
 */
export function OpenCalls({ calls, showsThread }: OpenCallsProps): ReactElement {
  const list = useRef<HTMLUListElement>(null)
  const place = useRef<{ readonly id: string; readonly index: number }>(undefined)
  const { rows, keep } = useKept(calls)
  const now = useNow()
  const ids = rows.map(({ id }) => id)
  const note = ({ target }: FocusEvent): void => {
    const id = target.closest('[data-open-call]')?.getAttribute('data-open-call')
    if (id != null) place.current = { id, index: ids.indexOf(id) }
  }
  useLayoutEffect(() => {
    const isGone = place.current !== undefined && !ids.includes(place.current.id)
    if (isGone && document.activeElement === document.body) list.current?.focus()
  }, [ids.join('\n')])
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
    // A long input scrolls with the arrows.
    if (event.key.startsWith('Arrow') && (event.target as Element).closest('pre')) return
    const { id, index } = place.current ?? { id: '', index: 0 }
    const at = ids.indexOf(id)
    const next = at >= 0 ? at + step : index + Math.min(0, step)
    const row = list.current?.querySelectorAll<HTMLElement>('[data-open-call]')[next]
    if (!row) return
    event.preventDefault()
    row.focus()
    row.scrollIntoView({ block: 'nearest' })
  }
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label="Calls that wait"
      onFocus={note}
      onKeyDown={move}
      className="space-y-2 outline-none"
    >
      {rows.map((open) => (
        <li key={open.id}>
          <OpenCallView open={open} now={now} showsThread={showsThread} onKeep={(isKept) => keep(open, isKept)} />
        </li>
      ))}
    </ul>
  )
}

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

interface Kept {
  readonly rows: readonly WaitingCall[]
  readonly keep: (open: WaitingCall, isKept: boolean) => void
}

/** The calls, and those that are gone but in which something is typed, or told. */
function useKept(calls: readonly WaitingCall[]): Kept {
  const [kept, setKept] = useState<ReadonlyMap<string, WaitingCall>>(new Map())
  const listed = new Set(calls.map(({ id }) => id))
  const gone = [...kept.values()].filter(({ id }) => !listed.has(id))
  const rows =
    gone.length === 0
      ? calls
      : [...calls, ...gone].toSorted((one, other) => (one.since ?? '').localeCompare(other.since ?? ''))
  const keep = (open: WaitingCall, isKept: boolean): void =>
    setKept((before) => {
      if (before.has(open.id) === isKept) return before
      const next = new Map(before)
      if (isKept) next.set(open.id, open)
      else next.delete(open.id)
      return next
    })
  return { rows, keep }
}

/** The time, so that what is said of it stays true. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickEvery)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Milliseconds. */
const tickEvery = 10_000
