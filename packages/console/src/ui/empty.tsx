import type { ReactElement, ReactNode } from 'react'

/** Nothing is here, and how that changes. */
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
