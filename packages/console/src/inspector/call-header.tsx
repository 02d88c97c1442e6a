import { cacheBreakText, callTimeText, newTokens, requestHash, secondsText } from 'minutebook/inspect'
import { tokensRead } from 'minutebook/wire'
import { useMemo, type ReactElement } from 'react'
import { receiptFacts, type Inspection, type Receipt } from '../api/calls.ts'
import { grouped, percentOf, plural, signedPercent } from '../ui/text.ts'
import { Badge } from '../ui/ui.tsx'

/**
 * A model call in numbers: tokens sent and read, kept and lost, and whether the prompt shown is the one that was sent.
 */
export function CallHeader({ inspection }: { readonly inspection: Inspection }): ReactElement {
  const { receipt, model, policy, counter, tokens, window, overflow } = inspection
  const { mode, truncated } = receiptFacts(receipt)
  return (
    <header
      className="space-y-2"
      data-predicted={receipt.tokens.predicted}
      data-reported={receipt.tokens.reported.prompt}
      data-kept={inspection.cache?.kept}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        <h2 className="font-semibold">
          {inspection.turn === null ? 'A call on another branch' : `Turn ${inspection.turn}`}
        </h2>
        <Badge>{model ?? 'model unknown'}</Badge>
        <Badge
          tone={['failed', 'cancelled', 'refused', 'unfit'].includes(receipt.outcome) ? 'bad' : 'plain'}
          title="How the call ended"
        >
          {receipt.outcome}
        </Badge>
        {mode !== undefined && (
          <Badge title="Whether the client’s messages were sent unchanged or rewritten">{mode}</Badge>
        )}
        {truncated === 'yes' && (
          <Badge tone="bad" title="The model server’s token count shows that it cut off a part of the prompt">
            truncated upstream
          </Badge>
        )}
        {receipt.window && (
          <Badge
            tone="warn"
            title={`A window of ${grouped(receipt.window.asked)} tokens was asked for, but the model has ${grouped(receipt.window.given)} (source: ${receipt.window.source})`}
          >
            window: {grouped(receipt.window.asked)} asked for
          </Badge>
        )}
        {overflow > 0 && (
          <Badge tone="bad" title="The required messages exceed the window and were sent anyway">
            {grouped(overflow)} over
          </Badge>
        )}
        <Badge title="The number of compactions before it">epoch {receipt.epoch}</Badge>
      </div>
      <Took inspection={inspection} />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs">
        <Fact
          name="In the window"
          value={`${grouped(tokens)} of ${grouped(window)}`}
          more={percentOf(tokens, window)}
        />
        <Counted comparison={comparisonOf(receipt)} />
        <Kept inspection={inspection} />
        <Fact name="Policy" value={policy} />
        <Fact name="Counter" value={counter} />
      </dl>
      <Proof inspection={inspection} />
    </header>
  )
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
      <p className="font-medium">{text}</p>
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

/** How much of the previous prompt was kept, and why not more. `minutebook explain` and `cache` have the same figures. */
function Kept({
  inspection: { cache, messages, reused },
}: {
  readonly inspection: Pick<Inspection, 'cache' | 'messages' | 'reused'>
}): ReactElement {
  const same = `the first ${reused} of ${plural(messages.length, 'message', 'messages')} as before`
  if (!cache) return <Fact name="Kept" value="not known" more={same} />
  const { total, kept, previous, lost, cause, why, cached, seconds, difference } = cache
  const took = seconds === undefined ? '' : `, ${seconds.toFixed(1)} s`
  return (
    <>
      <Fact
        name="Kept"
        value={previous === 0 ? 'nothing to keep' : `${grouped(kept)} of the previous ${grouped(previous)}`}
        more={same}
      />
      <Fact name="Not kept" value={`${grouped(total - kept)} of ${plural(total, 'token', 'tokens')}`} />
      {(why !== undefined || cached !== undefined) && (
        <div className="col-span-2 min-w-0" data-cause={cause}>
          <dt className="text-muted">Prompt cache</dt>
          <dd className="font-mono break-words">
            {cached !== undefined && `server reused ${grouped(cached)}`}
            {why !== undefined && cause !== undefined && (
              <span className="font-semibold text-warn">
                {cached !== undefined && ' · '}
                {cacheBreakText(cause, why, difference?.message)} ({grouped(lost)} read again{took})
              </span>
            )}
          </dd>
        </div>
      )}
    </>
  )
}

function Fact({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly more?: string
}): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="truncate font-mono" title={value}>
        {value}
        {more !== undefined && <span className="text-muted"> · {more}</span>}
      </dd>
    </div>
  )
}

function Counted({
  comparison: { predicted, reported, off, expected, says },
}: {
  readonly comparison: Comparison
}): ReactElement {
  const interval = expected ? `; expected between ${grouped(expected[0])} and ${grouped(expected[1])}` : ''
  return (
    <div className="min-w-0" title={`${says}${interval}`} data-comparison={says}>
      <dt className="text-muted">Sent · read by the server</dt>
      <dd className="truncate font-mono">
        sent ≈ {grouped(predicted)} · server read {reported === null ? '–' : grouped(reported)}
        {off !== null && (
          <span className={says === 'as expected' ? 'text-muted' : 'font-semibold text-warn'}>
            {' '}
            · {signedPercent(off)}
            {says === 'as expected' ? '' : ` ${says}`}
          </span>
        )}
      </dd>
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
      <p className="text-xs text-muted">
        {plural(hidden.entries, 'entry', 'entries')}, {plural(hidden.messages, 'message', 'messages')} and{' '}
        {plural(hidden.tools, 'tool', 'tools')} are hidden from this key.
      </p>
    )
  }
  const holds = same && computed === receipt.hash && computed === hash
  return (
    <p
      className={`flex flex-wrap items-center gap-1.5 text-xs ${holds ? 'text-good' : 'text-warn'}`}
      data-proof={holds ? 'same' : 'other'}
    >
      <span aria-hidden="true">{holds ? '✓' : '!'}</span>
      <span>
        {holds
          ? 'This is what was sent, byte for byte'
          : erased
            ? 'This is not what was sent any more: something in it was erased since'
            : 'This is not what was sent, although nothing was erased: a bug in Minutebook, please report it'}
      </span>
      <code className="truncate text-muted" title={`SHA-256 of the canonical JSON of messages and tools: ${computed}`}>
        sha256 {computed.slice(0, 12)}…
      </code>
    </p>
  )
}

/** The predicted size of a prompt, and the size that the model server reported. */
interface Comparison {
  readonly predicted: number
  readonly reported: number | null
  /** (reported − predicted) / predicted. */
  readonly off: number | null
  /** The range in which the model's count was expected. */
  readonly expected: readonly [number, number] | null
  readonly says: 'as expected' | 'more than expected' | 'less than expected' | 'not reported'
}

/**
 * If the receipt has no range, more than 10% above the prediction is more than expected. Estimates are high on purpose.
 */
export function comparisonOf(receipt: Receipt): Comparison {
  const { predicted, reported } = receipt.tokens
  const prompt = tokensRead(reported)
  const { low, high } = receiptFacts(receipt)
  const expected = low !== undefined && high !== undefined ? ([low, high] as const) : null
  if (prompt === undefined) return { predicted, reported: null, off: null, expected, says: 'not reported' }
  const [least, most] = expected ?? [0, predicted * 1.1]
  const says = prompt > most ? 'more than expected' : prompt < least ? 'less than expected' : 'as expected'
  return { predicted, reported: prompt, off: predicted === 0 ? 0 : (prompt - predicted) / predicted, expected, says }
}
