import { ApiError } from '@minutebook/client'
import { useEffect, useState, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { useAboutQuery } from '../api/api.tsx'
import { useOverviewAhead } from '../api/overview.ts'
import { hasSession, useEndedSession, useLinkLogin, useLogin } from '../api/session.ts'
import { useThreads } from '../api/threads.ts'
import { Failure, Loading } from '../ui/placeholders.tsx'
import { Button } from '../ui/ui.tsx'
import { searchText } from './address.ts'

/** Shows its children if the user is logged in or the server needs no key, else the login page. */
export function Gate({ children }: { readonly children: ReactNode }): ReactElement {
  const link = useLinkLogin()
  const ended = useEndedSession()
  const notice = { isLinkVoid: link === 'void', isSessionEnded: ended.isEnded }
  return link === 'trying' ? (
    <Loading label="Logging in" />
  ) : (
    <Known notice={notice} onSkip={ended.forget}>
      {children}
    </Known>
  )
}

function Known({
  notice,
  onSkip,
  children,
}: {
  readonly notice: LoginNotice
  readonly onSkip: () => void
  readonly children: ReactNode
}): ReactElement {
  const { data, error, refetch } = useAboutQuery()
  const [isAsked, setAsked] = useState(false)
  // After the first question, which the server answers at once, so that it is not behind those that take longer.
  useEffect(() => setAsked(true), [])
  if (data && notice.isSessionEnded) return <LoginPage {...notice} onSkip={onSkip} />
  if (data) return <>{children}</>
  if (error instanceof ApiError && error.status === 401) return <LoginPage {...notice} />
  if (error)
    return (
      <main className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => void refetch()} />
      </main>
    )
  return (
    <>
      {isAsked && hasSession() && <ThreadsAhead />}
      {isAsked && hasSession() && isAtHome() && <OverviewAhead />}
      <Frame />
    </>
  )
}

/** Asks for the list of threads while the server still says who this is. */
function ThreadsAhead(): null {
  useThreads([])
  return null
}

/** Likewise for the figures of home. */
function OverviewAhead(): null {
  const { last, model, key } = searchText.parseSearch(location.search)
  useOverviewAhead({ last, model, key })
  return null
}

function isAtHome(): boolean {
  return /^\/console\/?$/.test(location.pathname)
}

/** The page without what needs the server, as in `index.html`. */
function Frame(): ReactElement {
  return (
    <div role="status" aria-busy="true">
      <div className="flex h-11 items-center border-b border-line bg-surface px-3 font-semibold">Minutebook</div>
      <span className="sr-only">Asking the server…</span>
    </div>
  )
}

/** Why the login page is shown to a user who did not expect it. */
interface LoginNotice {
  readonly isLinkVoid: boolean
  readonly isSessionEnded: boolean
}

interface LoginPageProps extends LoginNotice {
  /** Present if the server also serves users without a login. */
  readonly onSkip?: (() => void) | undefined
}

/** The login page: the server needs a key, or the session has ended. */
function LoginPage({ isLinkVoid, isSessionEnded, onSkip }: LoginPageProps): ReactElement {
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
            Signed out. Run <code>minutebook console</code> on the machine of the server, or log in with your key. A
            session lasts 12 hours, and ends sooner if its key is revoked.
          </p>
        )}
        <LoginForm>
          {onSkip ? 'Paste your key.' : 'This server needs a key. Paste yours.'} The page does not store it: it begins a
          session of 12 hours.
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

interface LoginFormProps {
  readonly onDone?: (() => void) | undefined
  /** The reason to log in. */
  readonly children: ReactNode
}

/** Takes a key once, to begin a session. */
export function LoginForm({ onDone, children }: LoginFormProps): ReactElement {
  const logIn = useLogin()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      await logIn({ key })
      onDone?.()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4">
      <p className="text-muted">{children}</p>
      <label className="block space-y-2">
        <span className="block font-medium">Key</span>
        <input
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
          aria-invalid={problem !== ''}
          aria-describedby="login-problem"
          placeholder="mb_…"
          className="w-full rounded-md border border-strong bg-surface px-3 py-2 font-mono text-[13px] [-webkit-text-security:disc]"
        />
      </label>
      <p id="login-problem" role="alert" className="min-h-5 text-bad">
        {problem}
      </p>
      <Button type="submit" kind="primary" disabled={isBusy || key.trim() === ''}>
        Log in
      </Button>
      <p className="text-muted">
        On the machine of the server, <code>minutebook serve</code> prints a link that needs no key.
      </p>
    </form>
  )
}
