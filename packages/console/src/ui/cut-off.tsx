import type { ReactElement } from 'react'

/** What is shown may be old by now. */
export function CutOff(): ReactElement {
  return (
    <p role="status" className="sticky top-0 z-10 border-b border-warn/40 bg-warn-soft px-3 py-1.5 text-xs text-warn">
      The server cannot be reached. It is tried again by itself.
    </p>
  )
}
