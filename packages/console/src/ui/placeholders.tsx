import { ApiError } from '@minutebook/client'
import type { ReactElement, ReactNode } from 'react'
import { Button } from './ui.tsx'

/** Says that something is loading. */
export function Loading({ label }: { readonly label: string }): ReactElement {
  return (
    <div role="status" aria-busy="true" className="grid h-full min-h-24 place-items-center p-6 text-muted">
      <span>{label}…</span>
    </div>
  )
}

/** Says that there is nothing yet, and how to change that. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactElement {
  return (
    <div className="grid h-full place-items-center p-6 text-center">
      <div className="max-w-md space-y-2">
        <p className="font-medium">{title}</p>
        <div className="space-y-2 text-muted">{children}</div>
      </div>
    </div>
  )
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** What happened, and what to do about it. */
export function Failure({ error, onRetry }: FailureProps): ReactElement {
  const { title, text } = explain(error)
  return (
    <div role="alert" className="space-y-2 rounded-md border border-bad/40 bg-bad-soft p-4">
      <p className="font-medium text-bad">{title}</p>
      <p>{text}</p>
      {onRetry && (
        <Button small onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function explain(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ApiError)
    return { title: titles[error.status] ?? 'The server refused this', text: error.message }
  return {
    title: 'The server cannot be reached',
    text: 'Retrying. Check that the server is running, and that this machine is connected.',
  }
}

const titles: Readonly<Record<number, string>> = {
  401: 'You are not logged in',
  403: 'Your key may not see this',
  404: 'Not found',
  409: 'Not possible now',
  429: 'Too many requests',
  503: 'The server cannot answer now',
}

/** Says that what is shown may be out of date. */
export function CutOff(): ReactElement {
  return (
    <p role="status" className="sticky top-0 z-10 border-b border-warn/40 bg-warn-soft px-3 py-1.5 text-xs text-warn">
      The server cannot be reached. Retrying.
    </p>
  )
}
