import { isSeen } from '@minutebook/inspect'
import { useState, type ReactElement } from 'react'
import type { Inspection } from '../api/calls.ts'
import { useEntries } from '../api/entries.ts'
import { isPinnable, PinButton } from '../inspector/pin-button.tsx'
import { VerdictBadge } from '../inspector/verdict.tsx'
import { numberText, readable } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'
import type { Changes } from './changes.ts'
import type { LabCall } from './lab.ts'
import type { OpenLab } from './use-lab.ts'

interface RestoreProps {
  readonly lab: OpenLab
  readonly receipt: string
  readonly inspection: Inspection
  readonly entry: string
  readonly preview: LabCall | undefined
  readonly changes: Changes
  readonly onChange: (changes: Changes) => void
  readonly onLeave: () => void
}

/** The largest window to try, as a multiple of the recorded one. */
const mostTimes = 32

/** The chosen entry: its verdict as recorded and as changed, and a button to bring it back. */
export function Restore({
  lab,
  receipt,
  inspection,
  entry,
  preview,
  changes,
  onChange,
  onLeave,
}: RestoreProps): ReactElement | null {
  /** Shown only as long as these changes are the current ones. */
  const [said, setSaid] = useState<{ readonly text: string; readonly of: Changes }>()
  const { data: shown } = useEntries(inspection.thread, undefined)
  const before = inspection.entries.find(({ id }) => id === entry)
  const after = preview?.entries.find(({ id }) => id === entry)
  if (!before) return null
  const bring = (): void => {
    setSaid({ text: 'Looking for the smallest change…', of: changes })
    lab.client.ask('restore', { receipt, entry, largest: inspection.window * mostTimes }).then(
      (found) => {
        setSaid(
          found
            ? { text: `To include it: ${found.says}.`, of: found.changes }
            : { text: 'No setting of the lab brings it back.', of: changes },
        )
        if (found) onChange(found.changes)
      },
      () => setSaid({ text: 'The search failed.', of: changes }),
    )
  }
  return (
    <div
      className="flex flex-wrap items-center gap-2 rounded-md border border-line bg-sunken px-3 py-2"
      data-restore={entry}
    >
      <span className="font-mono text-xs text-muted">{numberText(before)}</span>
      <span className="max-w-64 truncate">{readable(before.title)}</span>
      <VerdictBadge verdict={before.verdict} named />
      {after && (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">becomes</span>
          <VerdictBadge verdict={after.verdict} named />
        </>
      )}
      {!isSeen(after?.verdict ?? null) && (
        <Button small onClick={bring}>
          Bring it back
        </Button>
      )}
      {isPinnable(before) && (
        <PinButton
          thread={inspection.thread}
          entry={entry}
          isPinned={shown?.entries.find(({ id }) => id === entry)?.pinned === true}
        />
      )}
      <span role="status" className="text-xs text-muted">
        {said?.of === changes ? said.text : ''}
      </span>
      <Button small kind="quiet" className="ml-auto" aria-label="Close this entry" onClick={onLeave}>
        Close
      </Button>
    </div>
  )
}
