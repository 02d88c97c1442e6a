import type { ReactElement } from 'react'
import { agoOf } from './ago.ts'

/** When something was, in few letters; the whole time when pointed at. */
export function TimeAgo({ time }: { readonly time: string }): ReactElement {
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()} className="shrink-0 text-xs text-muted">
      {agoOf(Date.parse(time), Date.now())}
    </time>
  )
}
