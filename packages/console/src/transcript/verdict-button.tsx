import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Verdict } from '../inspector/inspection.ts'
import { VerdictBadge } from '../inspector/verdict-badge.tsx'

/** Says what became of an entry in the call that the inspector shows, and shows it there. */
export function VerdictButton({ verdict, entry }: { readonly verdict: Verdict; readonly entry: string }): ReactElement {
  const navigate = useNavigate()
  return (
    <button
      type="button"
      aria-label={`${verdict}: show it in the inspector`}
      onClick={() => void navigate({ to: '.', search: (before) => ({ ...before, at: entry }) })}
    >
      <VerdictBadge verdict={verdict} />
    </button>
  )
}

/** The branch that is shown stays the same. */
export function keepHead({ head }: { readonly head?: string | undefined }): { readonly head?: string } {
  return head === undefined ? {} : { head }
}
