import { ApiError } from '@minutebook/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useAboutQuery } from '../api/about.ts'
import { logIn, onSessionChange, takeLoginCode } from '../api/session.ts'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { LoginPage, type LoginNotice } from './login-page.tsx'

/** Shows what is inside as soon as the server says who asks; the login, if it wants a key or the session has ended. */
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
  if (data && notice.isSessionEnded) return <LoginPage {...notice} onSkip={onSkip} />
  if (data) return <>{children}</>
  if (error instanceof ApiError && error.status === 401) return <LoginPage {...notice} />
  if (error)
    return (
      <main className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => void refetch()} />
      </main>
    )
  return <Loading label="Asking the server" />
}

/** Logs in with the code of a link, where the address has one. `void`: it is used up or too old. */
function useLinkLogin(): 'trying' | 'none' | 'taken' | 'void' {
  const queries = useQueryClient()
  const [code] = useState(takeLoginCode)
  const [link, setLink] = useState<ReturnType<typeof useLinkLogin>>(code === undefined ? 'none' : 'trying')
  useEffect(() => {
    if (code === undefined) return
    // Twice in development: a code counts once, and the second time changes nothing.
    const finish = (outcome: 'taken' | 'void'): void => {
      void queries.invalidateQueries()
      setLink(outcome)
    }
    logIn({ code })
      .then(() => finish('taken'))
      .catch(() => finish('void'))
  }, [code, queries])
  return link
}

/** Whether a session has ended without the user's doing. What it showed is then forgotten. */
function useEndedSession(): { readonly isEnded: boolean; readonly forget: () => void } {
  const queries = useQueryClient()
  const [isEnded, setEnded] = useState(false)
  useEffect(
    () =>
      onSessionChange((change) => {
        setEnded(change === 'ended')
        // Who begins a session asks anew in the same step.
        if (change !== 'begun') void queries.resetQueries()
      }),
    [queries],
  )
  return { isEnded, forget: () => setEnded(false) }
}
