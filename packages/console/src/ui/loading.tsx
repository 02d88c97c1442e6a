import type { ReactElement } from 'react'

/** Says that something is on its way; shown only where it takes longer than a moment. */
export function Loading({ label }: { readonly label: string }): ReactElement {
  return (
    <div role="status" aria-busy="true" className="grid h-full min-h-24 place-items-center p-6 text-muted">
      <span>{label}…</span>
    </div>
  )
}
