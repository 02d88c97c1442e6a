import { ApiError } from '@minutebook/client'
import type { ReactElement } from 'react'
import { Button } from './button.tsx'

export interface FailureProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** What happened, and what to do about it. */
export function Failure({ error, onRetry }: FailureProps): ReactElement {
  const { title, text } = told(error)
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

function told(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ApiError)
    return { title: titles[error.status] ?? 'The server refused this', text: error.message }
  return {
    title: 'The server cannot be reached',
    text: 'It is tried again by itself. Look whether the server still runs, and whether this machine is connected.',
  }
}

const titles: Readonly<Record<number, string>> = {
  401: 'You are not logged in',
  403: 'Your key may not see this',
  404: 'There is no such thing',
  409: 'That is not possible now',
  429: 'Too much at once',
  503: 'The server cannot answer now',
}
