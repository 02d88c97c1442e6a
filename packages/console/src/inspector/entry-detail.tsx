import { Link, useSearch } from '@tanstack/react-router'
import type { Policy } from 'minutebook'
import type { ReactElement } from 'react'
import type { InspectedEntry, Inspection, Verdict } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { grouped, numberText, plural, readable } from '../ui/text.ts'
import { FeedbackList } from '../feedback/feedback.tsx'
import { RateButtons } from '../feedback/rate-buttons.tsx'
import { Lane } from './lane.tsx'
import { piecesWith } from './pane.ts'
import { PieceView, textOf, wordsOf } from './piece-view.tsx'
import { ruleFor } from './rule.ts'
import { VerdictBadge, verdictLooks } from './verdict.tsx'

interface EntryDetailProps {
  readonly inspection: Inspection
  readonly entry: InspectedEntry
  readonly entries: readonly Entry[]
}

/** An entry in a call: its verdict, the reason, the rule, and what was sent of it. */
export function EntryDetail({ inspection, entry, entries }: EntryDetailProps): ReactElement {
  const { head } = useSearch({ strict: false }) as { readonly head?: string }
  const pieces = piecesWith(inspection, entry.id)
  const rule = ruleFor(entry, (inspection.sent?.under.policy as Policy | null | undefined) ?? null)
  const recorded = entries.find(({ id }) => id === entry.id)
  return (
    <section aria-label={`Entry ${numberText(entry)}`} data-entry-detail={entry.id} className="space-y-2">
      <h3 className="flex flex-wrap items-center gap-2 font-semibold">
        <VerdictBadge verdict={entry.verdict} named />{' '}
        <span className="font-mono text-xs font-normal text-muted">
          {numberText(entry)} {entry.kind}
        </span>
      </h3>
      <dl className="grid grid-cols-[5.5rem_1fr] gap-x-2 gap-y-1">
        <dt className="text-muted">Reason</dt>
        <dd className="font-semibold">{entry.reason}</dd>
        <dt className="text-muted">Meaning</dt>
        <dd>{verdictLooks[entry.verdict].says}</dd>
        <dt className="text-muted">Rule</dt>
        <dd>
          {rule.says}
          {rule.field !== undefined && (
            <code className="mt-0.5 block text-xs [overflow-wrap:anywhere] text-muted">{rule.field}</code>
          )}
        </dd>
        <dt className="text-muted">Tokens</dt>
        <dd className="font-mono">
          {plural(entry.tokens, 'token', 'tokens')} whole{inPrompt(entry, pieces)}
        </dd>
      </dl>
      {recorded && (
        <div className="flex flex-wrap items-center gap-2">
          <FeedbackList feedback={recorded.feedback} />
          <RateButtons thread={inspection.thread} entry={recorded} />
        </div>
      )}
      <Lane thread={inspection.thread} entry={entry.id} head={head} receipt={inspection.receipt.id} entries={entries} />
      {pieces.length > 0 && <h4 className="pt-1 font-medium">What was sent</h4>}
      {pieces.map((piece) => (
        <PieceView key={`${piece.message}.${piece.part}`} piece={piece} fallback={wordsOf(piece.entries, entries)} />
      ))}
      {pieces.length === 0 && <NotSent inspection={inspection} entry={entry} recorded={recorded} />}
    </section>
  )
}

function NotSent({
  inspection,
  entry,
  recorded,
}: {
  readonly inspection: Inspection
  readonly entry: InspectedEntry
  readonly recorded: Entry | undefined
}): ReactElement {
  return (
    <>
      {recorded && (
        <article className="rounded-md border border-dashed border-line">
          <header className="border-b border-dashed border-line px-2 py-1 text-xs text-muted">
            Recorded, {recordedAs[entry.verdict] ?? 'not sent'}
          </header>
          <pre
            tabIndex={0}
            dir="auto"
            className="max-h-72 [unicode-bidi:plaintext] overflow-auto px-2 py-1.5 text-xs break-words whitespace-pre-wrap"
          >
            {readable(textOf(recorded)) || '(no text)'}
          </pre>
        </article>
      )}
      {inspection.sent && entry.verdict !== 'hidden' && (
        <p>
          <Link
            to="/threads/$thread/lab"
            params={{ thread: inspection.thread }}
            search={{ call: inspection.receipt.id, entry: entry.id }}
            className="text-accent underline underline-offset-2"
          >
            See in the lab what would bring it back
          </Link>
        </p>
      )}
    </>
  )
}

const recordedAs: Readonly<Partial<Record<Verdict, string>>> = {
  digested: 'not sent; one line stood for its exchange or step',
  outlined: 'not sent; only counted in a line for several',
}

const inStead: Readonly<Partial<Record<Verdict, string>>> = {
  digested: ', but one line for its exchange or step',
  outlined: ', but counted in a line for several',
}

function inPrompt({ verdict, tokens }: InspectedEntry, pieces: readonly { readonly tokens: number }[]): string {
  if (pieces.length === 0) return `; none of them sent${inStead[verdict] ?? ''}`
  const sent = pieces.reduce((sum, piece) => sum + piece.tokens, 0)
  return verdict === 'clipped' ? `; ${grouped(sent)} of about ${grouped(tokens)} sent` : ''
}
