import { ApiError } from '@minutebook/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useAboutQuery } from '../api/about.ts'
import { logIn, takeLoginCode } from '../api/session.ts'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { LoginPage } from './login-page.tsx'

/** Shows what is inside as soon as the server says who asks; where it wants a key, the login. */
export function Gate({ children }: { readonly children: ReactNode }): ReactElement {
  const link = useLinkLogin()
  return link === 'trying' ? <Loading label="Logging in" /> : <Known isLinkVoid={link === 'void'}>{children}</Known>
}

function Known({ isLinkVoid, children }: { readonly isLinkVoid: boolean; readonly children: ReactNode }): ReactElement {
  const { data, error, refetch } = useAboutQuery()
  if (data) return <>{children}</>
  if (error instanceof ApiError && error.status === 401) return <LoginPage isLinkVoid={isLinkVoid} />
  if (error) return <main className="mx-auto max-w-lg p-8"><Failure error={error} onRetry={() => void refetch()} /></main>
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
    logIn({ code }).then(() => finish('taken')).catch(() => finish('void'))
  }, [code, queries])
  return link
}
