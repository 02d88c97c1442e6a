import type { ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { LoginForm } from './login-form.tsx'

/** Why somebody who expected to be in is not. */
export interface LoginNotice {
  readonly isLinkVoid: boolean
  readonly isSessionEnded: boolean
}

export interface LoginPageProps extends LoginNotice {
  /** For a server that lets in who does not log in. */
  readonly onSkip?: (() => void) | undefined
}

/** For a server that wants a key before it shows anything, and for a session that has ended. */
export function LoginPage({ isLinkVoid, isSessionEnded, onSkip }: LoginPageProps): ReactElement {
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-sm space-y-3 rounded-lg border border-line bg-surface p-6">
        <h1 className="text-lg font-semibold">Minutebook</h1>
        {isLinkVoid && (
          <p role="status">
            This link was used before, or is too old: each works once. <code>minutebook console</code> prints another.
          </p>
        )}
        {isSessionEnded && (
          <p role="status">
            Your session has ended. A session lasts 12 hours, and ends sooner if its key is revoked. Log in again to go
            on.
          </p>
        )}
        <LoginForm>
          {onSkip ? 'Paste a key of yours.' : 'This server wants a key. Paste one of yours.'} The page does not keep it:
          it begins a session of 12 hours.
        </LoginForm>
        {onSkip && (
          <Button kind="quiet" onClick={onSkip}>
            Go on without logging in
          </Button>
        )}
      </div>
    </main>
  )
}
