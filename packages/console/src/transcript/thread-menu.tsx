import { useState, type ReactElement } from 'react'
import { useAbout, useMayWrite } from '../api/api.tsx'
import type { Entry } from '../api/entries.ts'
import { runPlace, useErase, useExport, useThread } from '../api/thread.ts'
import { plural } from '../ui/text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button, Menu } from '../ui/ui.tsx'
import { RenameDialog } from './rename.tsx'

interface ThreadMenuProps {
  readonly thread: string
  readonly records: Records
}

/** What is seldom done with a thread: renaming it, showing all of its records, exporting it, and, apart from these, erasing it. */
export function ThreadMenu({ thread, records }: ThreadMenuProps): ReactElement {
  const { scope } = useAbout()
  const mayWrite = useMayWrite()
  const { data } = useThread(thread)
  const [isErasing, setErasing] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  if (scope !== 'admin' && !mayWrite) return <></>
  return (
    <>
      <Menu label="More">
        {mayWrite && runPlace(thread) === undefined && (
          <Button kind="quiet" small onClick={() => setRenaming(true)}>
            Rename
          </Button>
        )}
        {scope === 'admin' && (
          <>
            <Button
              kind="quiet"
              small
              className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
              aria-pressed={records.isShown}
              title="Receipts, settings and other records that are never part of a prompt"
              onClick={records.toggle}
            >
              Records
            </Button>
            <ExportButton thread={thread} />
          </>
        )}
        {mayWrite && (
          <Button
            kind="quiet"
            small
            className="mt-1 rounded-t-none border-t-line text-bad"
            onClick={() => setErasing(true)}
          >
            Erase
          </Button>
        )}
      </Menu>
      {isRenaming && (
        <RenameDialog thread={thread} title={data?.metadata['title'] ?? ''} onClose={() => setRenaming(false)} />
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
          <p>{plural(data.erased.length, 'entry is', 'entries are')} erased. The log can still be verified.</p>
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

/** Whether entries that are never part of a prompt are shown. */
export interface Records {
  readonly isShown: boolean
  readonly toggle: () => void
}

const place = 'minutebook-records'

export function useRecords(): Records {
  const [isShown, setShown] = useState(() => localStorage.getItem(place) === 'shown')
  const toggle = (): void => {
    localStorage.setItem(place, isShown ? 'hidden' : 'shown')
    setShown(!isShown)
  }
  return { isShown, toggle }
}

/** Never in a prompt, and seldom of use to a reader. */
const kinds: ReadonlySet<Entry['kind']> = new Set([
  'receipt',
  'settings',
  'pending',
  'retry',
  'form',
  'revocation',
  'pin',
  'feedback',
  'event',
])

export function isRecord({ kind }: Entry): boolean {
  return kinds.has(kind)
}
