import { cacheBreakText } from '@minutebook/inspect'
import type { ReactElement } from 'react'
import { useInspection, type CallBrief, type Inspection } from '../api/calls.ts'
import { Failure, Loading } from '../ui/placeholders.tsx'
import { grouped } from '../ui/text.ts'
import { PromptDiff, type AnyMessage } from './prompt-diff.tsx'

interface PreviousCallProps {
  readonly inspection: Inspection
  /** The call before it on the branch. Undefined if it is the first. */
  readonly previous: CallBrief | undefined
}

/** What changed since the previous call: the messages that left the prompt, and those that are new in it. */
export function PreviousCall({ inspection, previous }: PreviousCallProps): ReactElement {
  const before = useInspection(inspection.thread, previous?.receipt.id)
  if (!inspection.sent) return <p className="text-muted">Log in with an admin’s key to compare the prompts.</p>
  if (!previous) return <p className="text-muted">This is the first call of the thread.</p>
  if (before.error) return <Failure error={before.error} onRetry={() => void before.refetch()} />
  // While another call is read, the one before it is still there.
  if (!before.data || before.data.receipt.id !== previous.receipt.id) return <Loading label="Reading the call before" />
  const { cache } = inspection
  return (
    <div className="space-y-2" data-previous={previous.receipt.id}>
      <p>
        From turn {previous.turn} ({grouped(before.data.tokens)} tokens) to{' '}
        {inspection.turn === null ? 'this call' : `turn ${inspection.turn}`} ({grouped(inspection.tokens)} tokens)
        {cache?.why !== undefined && cache.cause !== undefined && (
          <span className="font-semibold text-warn">
            {' '}
            · {cacheBreakText(cache.cause, cache.why, cache.difference?.message)}
          </span>
        )}
      </p>
      <PromptDiff
        label="What changed since the previous call"
        left={messagesOf(before.data)}
        right={messagesOf(inspection)}
        says={{ left: 'only in the previous call', right: 'only in this call' }}
      />
    </div>
  )
}

function messagesOf({ sent }: Inspection): readonly AnyMessage[] {
  return sent?.messages ?? []
}
