import { tokensRead } from 'minutebook/wire'
import type { ReactElement, ReactNode } from 'react'
import { receiptFacts, type Inspection, type Receipt } from '../api/calls.ts'
import { grouped, percentOf, plural, signedPercent } from '../ui/text.ts'

/** What else is known of a model call, folded. Each fact says what its words mean. */
export function CallFacts({ inspection }: { readonly inspection: Inspection }): ReactElement {
  const { receipt, model, policy, counter, tokens, window, cache, messages, reused, hash } = inspection
  const { mode } = receiptFacts(receipt)
  const comparison = comparisonOf(receipt)
  return (
    <details data-facts className="text-xs">
      <summary className="min-h-6 truncate py-0.5 text-muted">
        Facts: {[model ?? 'model unknown', countText(comparison), receipt.outcome, mode].filter(Boolean).join(' · ')}
      </summary>
      <dl className="grid grid-cols-1 gap-x-4 gap-y-1.5 pt-1 @md:grid-cols-2">
        <Fact name="Model" value={model ?? 'not known'}>
          It ended with “{receipt.outcome}”: {outcomes[receipt.outcome] ?? 'the answer is not complete'}.
        </Fact>
        <Fact name="In the window" value={`${grouped(tokens)} of ${grouped(window)} · ${percentOf(tokens, window)}`}>
          Compactions before it: {grouped(receipt.epoch)}. Between two of them the prompt only grows.
        </Fact>
        <Counted comparison={comparison} />
        <Fact
          name="Kept"
          value={
            !cache
              ? 'not known'
              : cache.previous === 0
                ? 'nothing to keep'
                : `${grouped(cache.kept)} of the previous ${grouped(cache.previous)}`
          }
        >
          The first {reused} of {plural(messages.length, 'message', 'messages')} are those of the previous prompt, so a
          server can take them from its prompt cache.
          {cache?.cached !== undefined && ` This one reused ${plural(cache.cached, 'token', 'tokens')}.`}
        </Fact>
        {cache && (
          <Fact
            name="Not kept"
            value={`${grouped(cache.total - cache.kept)} of ${plural(cache.total, 'token', 'tokens')}`}
          >
            What the server had to read again, or for the first time.
          </Fact>
        )}
        {mode !== undefined && (
          <Fact name="Mode" value={mode}>
            {mode === 'unchanged'
              ? 'The client’s own messages were sent, byte for byte.'
              : 'They did not fit, so a prompt of Minutebook was sent instead.'}
          </Fact>
        )}
        <Fact name="Policy" value={policy}>
          The rules that decided what is in the prompt.
        </Fact>
        <Fact name="Counter" value={counter}>
          {counter.startsWith('estimate')
            ? 'Tokens are estimated, rather too high than too low. A number after × is a correction by what this server read before.'
            : 'It counted the tokens of the prompt.'}
        </Fact>
        <Fact name="Hash" value={`sha256 ${hash.slice(0, 12)}…`}>
          Of the messages and tools. The receipt of the call has the same one if this is exactly what was sent.
        </Fact>
      </dl>
    </details>
  )
}

const outcomes: Readonly<Record<string, string>> = {
  stop: 'the model had said all that it wanted to say',
  length: 'the answer reached its limit',
  calls: 'the model called tools',
  filter: 'a filter of the server stopped the answer',
  unknown: 'the server did not say why',
  cancelled: 'the turn was stopped',
  failed: 'the server did not answer',
  refused: 'the server did not take the prompt',
  unfit: 'the answer is not JSON of the schema that was asked for',
}

function Fact({
  name,
  value,
  children,
}: {
  readonly name: string
  readonly value: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold [overflow-wrap:anywhere]">{value}</dd>
      <dd className="text-muted">{children}</dd>
    </div>
  )
}

function Counted({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { off, expected, says } = comparison
  return (
    <div className="min-w-0" data-comparison={says}>
      <dt className="text-muted">Sent, and read by the server</dt>
      <dd className="font-semibold">
        {countText(comparison)}
        {off !== null && (
          <span className={says === 'as expected' ? '' : 'text-warn'}>
            {' '}
            · {signedPercent(off)} {says}
          </span>
        )}
      </dd>
      <dd className="text-muted">
        What was counted here, and what the server says it read.
        {expected && ` Expected: ${grouped(expected[0])} to ${grouped(expected[1])}.`}
      </dd>
    </div>
  )
}

function countText({ predicted, reported }: Comparison): string {
  return `sent ≈ ${grouped(predicted)}, server read ${reported === null ? 'not reported' : grouped(reported)}`
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
