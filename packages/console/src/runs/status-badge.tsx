import type { ReactElement } from 'react'
import { Badge } from '../ui/badge.tsx'
import { statusLooks } from './status.ts'
import type { RunStatus } from './types.ts'

/** How a run stands. */
export function StatusBadge({ status }: { readonly status: RunStatus }): ReactElement {
  const { word, tone } = statusLooks[status]
  return (
    <span data-run-status={status}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  )
}
