import { useMemo, type ReactElement } from 'react'
import type { InspectedEntry } from '../api/calls.ts'
import { grouped, plural } from '../ui/text.ts'
import { StripTitle } from '../ui/ui.tsx'
import { runs, sections } from './geometry.ts'
import { VerdictBadge, verdictCounts, verdictLooks } from './verdict.tsx'

interface LogStripProps {
  readonly entries: readonly Pick<InspectedEntry, 'id' | 'verdict' | 'tokens'>[]
  readonly chosen?: string | undefined
  readonly onChoose?: ((entry: string) => void) | undefined
}

/** The log up to the question, drawn to scale in tokens and coloured by verdict. */
export function LogStrip({ entries, chosen, onChoose }: LogStripProps): ReactElement {
  const found = useMemo(
    () =>
      runs(
        entries,
        ({ verdict }) => verdict,
        ({ tokens }) => Math.max(1, tokens),
      ),
    [entries],
  )
  const places = useMemo(
    () =>
      sections(
        found.map(({ size }) => size),
        100,
        Math.min(0.5, 50 / Math.max(1, found.length)),
      ),
    [found],
  )
  const at = chosen === undefined ? -1 : entries.findIndex(({ id }) => id === chosen)
  return (
    <div className="space-y-1">
      <StripTitle title={`All ${plural(entries.length, 'entry', 'entries')}`}>
        <ul className="flex flex-wrap gap-x-3 gap-y-1" aria-label="Verdicts of the entries">
          {verdictCounts(entries).map(([verdict, count]) => (
            <li key={verdict} className="flex items-center gap-1">
              <VerdictBadge verdict={verdict} named />
              <span className="text-muted tabular-nums">{grouped(count)}</span>
            </li>
          ))}
        </ul>
      </StripTitle>
      <div
        role="img"
        aria-label={summaryOf(entries)}
        data-log-strip
        className="relative h-4 w-full overflow-hidden rounded border border-line bg-surface"
      >
        {found.map(({ key, from, count }, index) => (
          <span
            key={from}
            aria-hidden="true"
            title={`${verdictLooks[key].name}: ${plural(count, 'entry', 'entries')}`}
            onClick={() => onChoose?.(entries[from]!.id)}
            className={`strip-verdict verdict-${key} absolute inset-y-0`}
            style={{ left: `${places[index]!.from}%`, width: `${places[index]!.width}%` }}
          />
        ))}
        {at >= 0 && (
          <span
            aria-hidden="true"
            className="absolute inset-y-0 w-0.5 bg-ink"
            style={{ left: `${placeOf(at, found, places)}%` }}
          />
        )}
      </div>
    </div>
  )
}

function placeOf(at: number, found: ReturnType<typeof runs>, places: ReturnType<typeof sections>): number {
  const run = found.findLastIndex(({ from }) => from <= at)
  const { from, count } = found[run]!
  return Math.min(99.5, places[run]!.from + (places[run]!.width * (at - from)) / count)
}

function summaryOf(entries: LogStripProps['entries']): string {
  return `The log, ${plural(entries.length, 'entry', 'entries')}: ${verdictCounts(entries)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ')}`
}
