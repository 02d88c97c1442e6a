import { createContext, use, useCallback, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'

interface DialogProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly className?: string
}

/** The browser's own dialog: it keeps the focus inside, Escape closes it, and the focus then returns. */
export function Dialog({ label, onClose, children, className = 'max-w-md' }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  // A selection that begins inside may end outside: the browser calls that a click on the dialog itself.
  const isPressedOutside = useRef(false)
  useEffect(() => {
    const shown = dialog.current
    if (shown && !shown.open) shown.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      // The dialog may have been opened again since.
      onClose={() => dialog.current?.open || onClose()}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => event.target === event.currentTarget && isPressedOutside.current && onClose()}
      className={`m-auto mt-[12vh] w-[calc(100%-2rem)] rounded-lg border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-backdrop ${className}`}
    >
      <div className="p-4">{children}</div>
    </dialog>
  )
}

/** Makes a dialog. `close` closes it. */
type MakeDialog = (close: () => void) => ReactElement

const OpenDialog = createContext<(make: MakeDialog) => void>(() => {
  throw new Error('A dialog was opened outside a DialogHost.')
})

/**
 * Shows the dialogs that the rows of a long list open. Such a row is removed when it leaves the screen, also while a
 * person types into its dialog: so the dialog belongs to the page.
 */
export function DialogHost({ children }: { readonly children: ReactNode }): ReactElement {
  const [dialog, setDialog] = useState<ReactElement>()
  const open = useCallback((make: MakeDialog) => setDialog(make(() => setDialog(undefined))), [])
  return (
    <OpenDialog value={open}>
      {children}
      {dialog}
    </OpenDialog>
  )
}

/** Opens a dialog on the page, in place of one that is open. */
export function useOpenDialog(): (make: MakeDialog) => void {
  return use(OpenDialog)
}
