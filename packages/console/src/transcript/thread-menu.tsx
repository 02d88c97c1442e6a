import { useState, type ReactElement } from 'react'
import { useAbout, useMayWrite } from '../api/api.tsx'
import { useErase, useExport } from '../api/thread.ts'
import { Button, Dialog } from '../ui/ui.tsx'

/** Exports a thread as a file, or erases it. */
export function ThreadMenu({ thread }: { readonly thread: string }): ReactElement {
  const { scope } = useAbout()
  const mayWrite = useMayWrite()
  const [isErasing, setErasing] = useState(false)
  return (
    <>
      {scope === 'admin' && <ExportButton thread={thread} />}
      {mayWrite && (
        <Button kind="quiet" small onClick={() => setErasing(true)}>
          Erase
        </Button>
      )}
      {isErasing && <EraseDialog thread={thread} onClose={() => setErasing(false)} />}
    </>
  )
}

function ExportButton({ thread }: { readonly thread: string }): ReactElement {
  const { mutate, error, isPending } = useExport(thread)
  return (
    <>
      <Button kind="quiet" small disabled={isPending} onClick={() => mutate()}>
        Export
      </Button>
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error.message}
        </span>
      )}
    </>
  )
}

function EraseDialog({ thread, onClose }: { readonly thread: string; readonly onClose: () => void }): ReactElement {
  const { mutate, data, error, isPending } = useErase(thread)
  return (
    <Dialog label="Erase the thread" onClose={onClose}>
      {data ? (
        <div className="space-y-2">
          <p>
            {data.erased.length} {data.erased.length === 1 ? 'entry is' : 'entries are'} erased. The log can still be
            verified.
          </p>
          {data.remains.length > 0 && (
            <ul className="list-disc pl-5 text-muted">
              {data.remains.map((where) => (
                <li key={where}>{where}</li>
              ))}
            </ul>
          )}
          <div className="flex justify-end">
            <Button onClick={onClose}>Close</Button>
          </div>
        </div>
      ) : (
        <div className="space-y-3">
          <p>
            Everything said in <code>{thread}</code> will be erased, on every branch. This cannot be undone.
          </p>
          {error && (
            <p role="alert" className="text-bad">
              {error.message}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button autoFocus onClick={onClose}>
              Keep it
            </Button>
            <Button kind="danger" disabled={isPending} onClick={() => mutate()}>
              Erase all of it
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
