import { Link } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useEntries, type Found } from '../api/entries.ts'
import { Lane } from '../inspector/lane.tsx'
import { numberText, readable } from '../ui/text.ts'
import { Badge, Button, TimeAgo } from '../ui/ui.tsx'

interface FoundEntryProps {
  readonly found: Found
  readonly query: string
}

/** What was found: who said it in which thread, its words, and with a click whether the model had it since. */
export function FoundEntry({ found, query }: FoundEntryProps): ReactElement {
  const { thread, id, title, kind, turn, time, text, about, by } = found
  const [isOpen, setOpen] = useState(false)
  return (
    <li data-found={id} className="@container space-y-1 rounded-md border border-line bg-surface px-3 py-2">
      <div className="flex flex-wrap items-center gap-2 text-xs">
        <Badge>
          {about === undefined ? kind : 'comment'}
          {turn !== undefined && ` · turn ${turn}`}
        </Badge>
        <span className="font-mono text-muted">{numberText(found)}</span>
        <span dir="auto" className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {readable(title ?? thread)}
        </span>
        {time !== undefined && <TimeAgo time={time} />}
        <span className="grow" />
        <Link
          to="/threads/$thread"
          params={{ thread }}
          search={{ at: about ?? id }}
          data-open={id}
          className="text-accent underline underline-offset-2"
        >
          Open{turn !== undefined && ` at turn ${turn}`}
        </Link>
      </div>
      <p dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
        {marked(readable(passage(text, query)), query).map(([part, isHit], index) =>
          isHit ? (
            <mark key={index} className="rounded-sm bg-accent-soft text-ink">
              {part}
            </mark>
          ) : (
            part
          ),
        )}
      </p>
      {about !== undefined && <p className="text-xs text-muted">Comment by {readable(by || 'operator')}</p>}
      <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Did the model have it?
      </Button>
      {isOpen && <FoundLane thread={thread} entry={about ?? id} />}
    </li>
  )
}

function FoundLane({ thread, entry }: { readonly thread: string; readonly entry: string }): ReactElement {
  const { data } = useEntries(thread, undefined)
  return <Lane thread={thread} entry={entry} entries={data?.entries ?? []} titled={false} />
}

/** The part of a long text around the first word found. */
export function passage(text: string, query: string, length = 400): string {
  const places = wordsIn(query)
    .map((word) => text.toLowerCase().indexOf(word))
    .filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 80)
  const end = start + length
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/**
 * Splits a text into parts that match the query and parts that do not.
 *
 * @example
 * marked('ferns grow', 'grow') // [['ferns ', false], ['grow', true]]
 */
export function marked(text: string, query: string): readonly (readonly [part: string, isHit: boolean])[] {
  const words = wordsIn(query)
  const low = text.toLowerCase()
  const parts: [string, boolean][] = []
  let at = 0
  while (at < text.length) {
    const hits = words.map((word) => [low.indexOf(word, at), word.length] as const).filter(([place]) => place >= 0)
    const [place, size] = hits.toSorted(([one], [other]) => one - other)[0] ?? [text.length, 0]
    if (place > at) parts.push([text.slice(at, place), false])
    if (size > 0) parts.push([text.slice(place, place + size), true])
    at = place + Math.max(1, size)
    if (size === 0) break
  }
  return parts
}

function wordsIn(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
