import { useParams, useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useAbout } from '../api/api.tsx'
import { useEntries } from '../api/entries.ts'
import { useThreadState } from '../api/thread.ts'
import { PlainText } from '../ui/ui.tsx'
import { readable } from '../ui/text.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'

/** The typed state of a thread, now or as of a turn. */
export function StatePanel(): ReactElement {
  const { thread } = useParams({ from: '/threads/$thread/state' })
  const { states } = useAbout()
  const { head } = useSearch({ from: '/threads/$thread' })
  const { data } = useEntries(thread, head)
  const turns = data?.entries.filter(({ kind }) => kind === 'user') ?? []
  const [name = states[0], setName] = useState<string>()
  const [turn, setTurn] = useState<number>()
  const number = Math.min(turn ?? turns.length, turns.length)
  // As of a turn: up to the entry before the next question.
  const next = turns[number]
  const at = number >= turns.length ? head : data?.entries[data.entries.findIndex(({ id }) => id === next?.id) - 1]?.id
  if (name === undefined)
    return (
      <Empty title="No state is configured">
        <p>
          A state is what the newest valid results of tools say. Name one under <code>states</code> in the settings of
          the server.
        </p>
      </Empty>
    )
  return (
    <section aria-label="State" className="space-y-4 p-4">
      <h2 className="font-semibold">State</h2>
      <label className="flex items-center gap-2">
        <span className="w-16 text-muted">Name</span>
        <select
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="rounded-md border border-strong bg-surface px-2 py-1"
        >
          {states.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label className="flex items-center gap-2">
        <span className="w-16 text-muted">Turn</span>
        <input
          type="range"
          min={Math.min(1, turns.length)}
          max={turns.length}
          value={number}
          onChange={(event) => setTurn(Number(event.target.value))}
          className="grow"
          aria-valuetext={`turn ${number} of ${turns.length}`}
        />
        <span className="w-16 text-right tabular-nums">
          {number} / {turns.length}
        </span>
      </label>
      {turns[number - 1] && (
        <p className="truncate text-xs text-muted">After: {readable(turns[number - 1]!.text.slice(0, 120))}</p>
      )}
      <Value thread={thread} name={name} at={at} />
    </section>
  )
}

function Value({
  thread,
  name,
  at,
}: {
  readonly thread: string
  readonly name: string
  readonly at: string | undefined
}): ReactElement {
  const { data, error } = useThreadState(thread, name, at)
  if (error) return <Failure error={error} />
  if (!data) return <Loading label="Reading the state" />
  if (data.value === null) return <p className="text-muted">No valid result of its tools yet.</p>
  return (
    <div data-state={name} className="rounded-md border border-line bg-page p-3">
      <PlainText text={JSON.stringify(data.value, undefined, 2)} />
    </div>
  )
}
