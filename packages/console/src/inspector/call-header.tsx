import { cacheBreakText, callTimeText, newTokens, secondsText } from '@minutebook/inspect'
import { requestHash } from 'minutebook/inspect'
import { useMemo, type ReactElement, type ReactNode } from 'react'
import { receiptFacts, type Inspection } from '../api/calls.ts'
import { CopyLink } from '../ui/copy.tsx'
import { grouped, percentOf, plural } from '../ui/text.ts'
import { Badge } from '../ui/ui.tsx'
import { CallFacts, comparisonOf } from './call-facts.tsx'

interface CallHeaderProps {
  readonly inspection: Inspection
  /** Which of the calls it is, with the way to the others. */
  readonly children?: ReactNode
}

/** A model call in one line: its turn, how full the window was, and whether the prompt shown is the one that was sent. */
export function CallHeader({ inspection, children }: CallHeaderProps): ReactElement {
  const { receipt, tokens, window } = inspection
  return (
    <header
      className="space-y-1.5"
      data-predicted={receipt.tokens.predicted}
      data-reported={receipt.tokens.reported.prompt}
      data-kept={inspection.cache?.kept}
    >
      <div className="flex flex-wrap items-baseline gap-x-2 pr-14">
        <h2 className="text-lg leading-6 font-semibold">
          {inspection.turn === null ? 'A call on another branch' : `Turn ${inspection.turn}`}
        </h2>
        <span>
          {percentOf(tokens, window)} of {grouped(window)}
        </span>
        <Proof inspection={inspection} />
        <span className="grow" />
        <CopyLink link={() => linkTo(receipt.id)} />
        {children}
      </div>
      <Warnings inspection={inspection} />
      <Took inspection={inspection} />
      <CallFacts inspection={inspection} />
    </header>
  )
}

/** The address of this page, with the call by its id: `last` would be another one tomorrow. */
function linkTo(receipt: string): string {
  const { origin, pathname, search } = location
  return `${origin}${pathname.replace(/\/calls\/last$/, `/calls/${receipt}`)}${search}`
}

const failures: ReadonlySet<string> = new Set(['failed', 'cancelled', 'refused', 'unfit'])

/** What went wrong, in words. Nothing of it is folded away. */
function Warnings({ inspection: { receipt, overflow, cache } }: { readonly inspection: Inspection }): ReactElement {
  const { says } = comparisonOf(receipt)
  const isTruncated = receiptFacts(receipt).truncated === 'yes'
  const { cause, why, lost = 0, seconds, difference } = cache ?? {}
  return (
    <div className="flex flex-wrap items-center gap-1.5 empty:hidden">
      {failures.has(receipt.outcome) && (
        <Badge tone="bad" title="How the call ended">
          {receipt.outcome}
        </Badge>
      )}
      {receipt.told && <p className="text-bad">{toldText(receipt.told)}</p>}
      {isTruncated && (
        <Badge tone="bad" title="The model server’s token count shows that it cut off a part of the prompt">
          truncated upstream
        </Badge>
      )}
      {!isTruncated && says.endsWith('than expected') && <Badge tone="warn">server read {says}</Badge>}
      {receipt.window && (
        <Badge
          tone="warn"
          title={`A window of ${grouped(receipt.window.asked)} tokens was asked for, but the model has ${grouped(receipt.window.given)} (source: ${receipt.window.source})`}
        >
          window: {grouped(receipt.window.asked)} asked for, {grouped(receipt.window.given)} given
        </Badge>
      )}
      {overflow > 0 && (
        <Badge tone="bad" title="The required messages exceed the window and were sent anyway">
          {grouped(overflow)} over
        </Badge>
      )}
      {cause !== undefined && why !== undefined && (
        <p data-cause={cause} className="basis-full text-warn [overflow-wrap:anywhere]">
          {sentence(cacheBreakText(cause, why, difference?.message))} ({grouped(lost)} tokens read again
          {seconds === undefined ? '' : `, ${seconds.toFixed(1)} s`}).
        </p>
      )}
    </div>
  )
}

function toldText({ window, prompt }: NonNullable<Inspection['receipt']['told']>): string {
  const counts = [
    ...(window === undefined ? [] : [`its window has ${plural(window, 'token', 'tokens')}`]),
    ...(prompt === undefined ? [] : [`the prompt has ${grouped(prompt)}`]),
  ]
  return `The server says: ${counts.length === 0 ? 'the prompt is too long' : counts.join(', ')}.`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** How long the call took: waiting and writing, to scale. `minutebook explain` has the same sentence. */
function Took({
  inspection: { receipt, cost, cache },
}: {
  readonly inspection: Pick<Inspection, 'receipt' | 'cost' | 'cache'>
}): ReactElement | null {
  const text = callTimeText(receipt, { cost, cache })
  if (text === undefined) return null
  const { firstToken, total } = receipt.time ?? {}
  return (
    <div data-took className="space-y-1">
      <p>{text}</p>
      {firstToken !== undefined && total !== undefined && total > 0 && (
        <div
          role="img"
          aria-label={`Waited ${secondsText(firstToken)}, wrote ${secondsText(total - firstToken)}`}
          title={`Waited for the first of the answer: ${secondsText(firstToken)}, for ${plural(newTokens(receipt, cache), 'new token', 'new tokens')}. Wrote: ${secondsText(total - firstToken)}`}
          className="flex h-2 overflow-hidden rounded-full border border-line bg-surface"
        >
          <span className="took-waited" style={{ width: `${(100 * firstToken) / total}%` }} />
          <span className="took-wrote grow" />
        </div>
      )}
    </div>
  )
}

/** The hash is computed in the browser from the messages on the screen. */
function Proof({
  inspection: { sent, receipt, hash, same, erased, hidden },
}: {
  readonly inspection: Inspection
}): ReactElement {
  const computed = useMemo(() => (sent ? requestHash(sent.messages, sent.tools) : undefined), [sent])
  if (computed === undefined) {
    return (
      <span className="text-muted">
        {plural(hidden.entries, 'entry', 'entries')}, {plural(hidden.messages, 'message', 'messages')} and{' '}
        {plural(hidden.tools, 'tool', 'tools')} are hidden from this key.
      </span>
    )
  }
  const holds = same && computed === receipt.hash && computed === hash
  return (
    <span
      className={holds ? 'text-good' : 'basis-full text-warn'}
      data-proof={holds ? 'same' : 'other'}
      title={`SHA-256 of the canonical JSON of messages and tools: ${computed}`}
    >
      <span aria-hidden="true">{holds ? '✓' : '!'}</span>{' '}
      {holds
        ? 'exactly what was sent'
        : erased
          ? 'This is not what was sent any more: something in it was erased since'
          : 'This is not what was sent, although nothing was erased: a bug in Minutebook, please report it'}
    </span>
  )
}
