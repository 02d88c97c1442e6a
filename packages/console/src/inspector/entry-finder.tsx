import { useMemo, useState, type ReactElement } from 'react'
import type { InspectedEntry } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { grouped } from '../ui/text.ts'
import { VerdictList } from './verdict-list.tsx'

interface EntryFinderProps {
  readonly inspected: readonly InspectedEntry[]
  /** The branch, as this key may see it: its texts are searched. */
  readonly entries: readonly Entry[]
  readonly chosen: string | undefined
  readonly onChoose: (entry: string) => void
}

/** The entries with their verdicts, and a field that finds some of them by a part of their text. */
export function EntryFinder({ inspected, entries, chosen, onChoose }: EntryFinderProps): ReactElement {
  const [words, setWords] = useState('')
  const found = useMemo(() => entriesWith(words, inspected, entries), [words, inspected, entries])
  return (
    <div className="min-w-0 space-y-1.5">
      <div className="flex items-center gap-2">
        <input
          type="search"
          aria-label="Find in entries"
          placeholder="Find in entries"
          dir="auto"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found.length > 0) onChoose(found[nextOf(found, chosen)]!.id)
          }}
          className="min-w-0 grow rounded-md border border-strong bg-surface px-2 py-1"
        />
        <span role="status" className="text-xs text-muted tabular-nums">
          {words.trim() === '' ? '' : `${grouped(found.length)} of ${grouped(inspected.length)}`}
        </span>
      </div>
      <div className="h-[34vh] min-h-48 rounded-md border border-line">
        <VerdictList entries={found} chosen={chosen} onChoose={onChoose} />
      </div>
    </div>
  )
}

function nextOf(found: readonly InspectedEntry[], chosen: string | undefined): number {
  return (found.findIndex(({ id }) => id === chosen) + 1) % found.length
}

/**
 * The entries that have every word, or a part of one.
 *
 * @example
 * entriesWith('wheel', inspection.entries, entries).length // 2
 */
export function entriesWith(
  query: string,
  inspected: readonly InspectedEntry[],
  entries: readonly Entry[],
): readonly InspectedEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return inspected
  const texts = new Map(entries.map(({ id, text, calls }) => [id, [text, ...calls.map(({ name }) => name)].join('\n')]))
  return inspected.filter(({ id, title, kind }) => {
    const text = `${kind} ${texts.get(id) ?? title}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
