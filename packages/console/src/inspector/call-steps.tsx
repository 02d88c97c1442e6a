import type { ReactElement } from 'react'
import type { CallBrief } from '../api/calls.ts'
import { useKeys } from '../ui/keys.ts'
import { Button, Icon } from '../ui/ui.tsx'

interface CallStepsProps {
  readonly calls: readonly CallBrief[]
  readonly receipt: string
  readonly onChoose: (receipt: string) => void
}

/** Which of the model calls is shown, with buttons and arrow keys for the one before and the one after. */
export function CallSteps({ calls, receipt, onChoose }: CallStepsProps): ReactElement {
  const at = calls.findIndex((call) => call.receipt.id === receipt)
  const step = (by: number): void => {
    const call = calls[at + by]
    if (at >= 0 && call) onChoose(call.receipt.id)
  }
  useKeys({ ArrowLeft: () => step(-1), ArrowRight: () => step(1) })
  return (
    <span className="flex shrink-0 items-center gap-0.5 text-muted" role="group" aria-label="Calls of this branch">
      <Button small kind="quiet" aria-label="Call before" title="←" disabled={at <= 0} onClick={() => step(-1)}>
        <Icon name="previous" size={12} />
      </Button>
      <span aria-live="polite" className="text-xs tabular-nums">
        call {at + 1} of {calls.length}
      </span>
      <Button
        small
        kind="quiet"
        aria-label="Call after"
        title="→"
        disabled={at >= calls.length - 1}
        onClick={() => step(1)}
      >
        <Icon name="next" size={12} />
      </Button>
    </span>
  )
}
