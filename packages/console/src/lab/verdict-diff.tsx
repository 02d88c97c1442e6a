import { useMemo, type ReactElement } from 'react'
import type { InspectedEntry, Verdict } from '../api/calls.ts'
import { VerdictBadge } from '../inspector/verdict.tsx'
import { numberText, plural, readable } from '../ui/text.ts'
import { isSeen } from '@minutebook/inspect'
import { verdictChanges } from './differences.ts'

interface VerdictDiffProps {
  readonly recorded: readonly InspectedEntry[]
  readonly changed: readonly { readonly id: string; readonly verdict: Verdict }[]
  readonly chosen: string | undefined
  readonly onChoose: (entry: string) => void
}

const most = 200

/** The entries whose verdict would change. */
export function VerdictDiff({ recorded, changed, chosen, onChoose }: VerdictDiffProps): ReactElement {
  const changes = useMemo(() => verdictChanges(recorded, changed), [recorded, changed])
  const entries = useMemo(() => new Map(recorded.map((entry) => [entry.id, entry])), [recorded])
  const gained = changes.filter(({ before, after }) => !isSeen(before) && isSeen(after)).length
  const lost = changes.filter(({ before, after }) => isSeen(before) && !isSeen(after)).length
  return (
    <section aria-label="Entries with another verdict" className="space-y-2">
      <p className="text-muted">
        {changes.length === 0
          ? 'No verdict changes.'
          : `The model would have seen ${plural(gained, 'entry', 'entries')} more and ${plural(lost, 'entry', 'entries')} less.`}
      </p>
      <ul>
        {changes.slice(0, most).map(({ id, before, after }) => (
          <li key={id}>
            <button
              type="button"
              data-verdict-change={`${before ?? 'none'} ${after ?? 'none'}`}
              aria-pressed={chosen === id}
              onClick={() => onChoose(id)}
              className="flex min-h-6 w-full items-center gap-2 rounded px-1 py-0.5 text-left text-xs hover:bg-sunken aria-pressed:bg-accent-soft"
            >
              {before ? <VerdictBadge verdict={before} /> : '–'}
              <span aria-hidden="true">→</span>
              <span className="sr-only">becomes</span>
              {after ? <VerdictBadge verdict={after} /> : '–'}
              <span className="w-12 shrink-0 text-right font-mono text-muted">{numberText(entries.get(id))}</span>
              <span className="truncate">{readable(entries.get(id)?.title ?? '')}</span>
            </button>
          </li>
        ))}
      </ul>
      {changes.length > most && (
        <p className="text-xs text-muted">and {plural(changes.length - most, 'entry', 'entries')} more</p>
      )}
    </section>
  )
}
