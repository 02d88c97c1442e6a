import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { logIn } from '../api/session.ts'
import { Button } from '../ui/button.tsx'

export interface LoginFormProps {
  readonly onDone?: (() => void) | undefined
  /** Why one would log in. */
  readonly children: ReactNode
}

/** Takes a key once, to begin a session. */
export function LoginForm({ onDone, children }: LoginFormProps): ReactElement {
  const queries = useQueryClient()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      await logIn({ key })
      await queries.resetQueries()
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
