import { ApiError } from '@minutebook/client'
import type { ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'

/** In place of a screen that failed: as a rule because the server has another version of the console by now. */
export function Broken({ error }: { readonly error: unknown }): ReactElement {
  if (error instanceof ApiError)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => location.reload()} />
      </div>
    )
  return (
    <div role="alert" className="mx-auto max-w-lg space-y-3 p-8">
      <p className="font-medium">This part of the console could not be shown</p>
      <p className="text-muted">
        The server may have a newer version of it by now. Load the page again; if that does not help, tell us what you
        did.
      </p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </div>
  )
}
