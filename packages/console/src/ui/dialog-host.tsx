import { createContext, use, useCallback, useState, type ReactElement, type ReactNode } from 'react'

/** Makes a dialog. `close` closes it. */
type MakeDialog = (close: () => void) => ReactElement

const OpenDialog = createContext<(make: MakeDialog) => void>(() => {
  throw new Error('A dialog was opened outside a DialogHost.')
})

/**
 * Shows the dialogs that the rows of a long list open. Such a row is removed when it leaves the screen, also while
 * somebody types into its dialog: so the dialog belongs to the page.
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
