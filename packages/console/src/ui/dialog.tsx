import { useEffect, useRef, type ReactElement, type ReactNode } from 'react'

export interface DialogProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly className?: string
}

/** A dialog of the browser's own: it keeps the focus inside, Escape closes it, and the focus goes back where it was. */
export function Dialog({ label, onClose, children, className = 'max-w-md' }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    if (shown && !shown.open) shown.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      // It may have been opened again meanwhile.
      onClose={() => dialog.current?.open || onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={`m-auto mt-[12vh] w-[calc(100%-2rem)] rounded-lg border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-black/40 ${className}`}
    >
      <div className="p-4">{children}</div>
    </dialog>
  )
}
