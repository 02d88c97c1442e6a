import { useState, type ReactElement } from 'react'
import { useSavePolicy } from '../api/lab.ts'
import { Failure } from '../ui/placeholders.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'
import type { PolicyConfig } from '@minutebook/experiment/run'

interface SavePolicyProps {
  readonly config: PolicyConfig
  readonly onClose: () => void
}

/** Saves the settings of the sliders as a policy, under a name that threads and chats can use. */
export function SavePolicy({ config, onClose }: SavePolicyProps): ReactElement {
  const [name, setName] = useState('')
  const save = useSavePolicy()
  return (
    <Dialog label="Save as policy" onClose={onClose}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ name, config })
        }}
      >
        <h2 className="font-semibold">Save as policy</h2>
        <p className="text-muted">
          Threads name it in their setup, chats in the header <code>minutebook-policy</code>. Window, reserve and
          profile are not part of a policy.
        </p>
        <label className="block">
          <span className="mb-1 block font-medium">Name</span>
          <input
            autoFocus
            required
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="long-memory"
            className="w-full rounded-md border border-line bg-surface px-2 py-1.5"
          />
        </label>
        <pre tabIndex={0} className="overflow-auto rounded-md border border-line bg-sunken p-2 text-xs">
          {JSON.stringify(config, null, 2)}
        </pre>
        {save.error && <Failure error={save.error} />}
        {save.data ? (
          <p role="status" className="text-good">
            “{save.data.name}” is saved.
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{save.data ? 'Close' : 'Cancel'}</Button>
          {!save.data && (
            <Button type="submit" kind="primary" disabled={save.isPending || name === ''}>
              Save
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
