import type { ReactElement } from 'react'
import { LoginForm } from './login-form.tsx'

/** Where a server wants a key before it shows anything. */
export function LoginPage({ isLinkVoid }: { readonly isLinkVoid: boolean }): ReactElement {
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-sm space-y-3 rounded-lg border border-line bg-surface p-6">
        <h1 className="text-lg font-semibold">Minutebook</h1>
        {isLinkVoid && <p role="status">This link was used before, or is too old: each works once. <code>minutebook console</code> prints another.</p>}
        <LoginForm>This server wants a key. Paste one of yours; it is kept in a cookie that scripts cannot read.</LoginForm>
      </div>
    </main>
  )
}
