import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fieldsOf, patchOf, typedText, typedValue } from './change.ts'
import type { RunBoard } from './types.ts'
import { useRunApi } from './use-run-api.ts'

const field = 'w-full rounded-md border border-strong bg-surface px-2 py-1.5 font-mono text-[13px]'

export interface ForkDialogProps {
  readonly board: RunBoard
  /** The first round that is played anew; the one after the last unless told. */
  readonly round?: number | undefined
  readonly onClose: () => void
}

/** A new run that did what this one did before a round, and goes on from there with one change. */
export function ForkDialog({
  board: { run, rounds, definition },
  round: given,
  onClose,
}: ForkDialogProps): ReactElement {
  const fields = useMemo(() => fieldsOf(definition), [definition])
  const last = rounds.filter(({ isOver }) => isOver).length + 1
  const [round, setRound] = useState(String(Math.min(given ?? last, last)))
  const [path, setPath] = useState('')
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const api = useRunApi()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const before = fields.find((each) => each.path === path)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.fork(run, {
        round: Number(round),
        changes:
          path.trim() === '' ? {} : patchOf(before?.names ?? path.trim().split('.'), typedValue(text, before?.value)),
        ...(name.trim() !== '' && { as: name.trim() }),
      }),
    onSuccess: ({ run: made }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      onClose()
      return navigate({ to: '/runs/$run', params: { run: made }, search: {} })
    },
  })
  const choose = (next: string): void => {
    setPath(next)
    const found = fields.find((each) => each.path === next)
    if (found) setText(typedText(found.value))
  }
  return (
    <Dialog label="Fork the run" onClose={onClose} className="max-w-xl">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <h2 className="font-semibold">Fork the run</h2>
        <p className="text-muted">
          A new run takes over what this one did before the round, and goes on from there. This one stays as it is.
        </p>
        <label className="block space-y-1">
          <span className="font-medium">First round that is played anew</span>
          <input
            type="number"
            required
            min={1}
            max={last}
            value={round}
            onChange={(event) => setRound(event.target.value)}
            className={field}
          />
        </label>
        <label className="block space-y-1">
          <span className="font-medium">What is changed</span>
          {fields.length > 0 ? (
            <select value={path} onChange={(event) => choose(event.target.value)} className={field}>
              <option value="">nothing: play it once more</option>
              {fields.map((each) => (
                <option key={each.path}>{each.path}</option>
              ))}
            </select>
          ) : (
            <input
              value={path}
              onChange={(event) => choose(event.target.value)}
              placeholder="participants.ann.model.name, or nothing"
              autoComplete="off"
              spellCheck={false}
              className={field}
            />
          )}
        </label>
        <label className="block space-y-1">
          <span className="font-medium">New value</span>
          <textarea
            rows={3}
            value={text}
            disabled={path.trim() === ''}
            onChange={(event) => setText(event.target.value)}
            spellCheck={false}
            className={`${field} disabled:opacity-50`}
          />
        </label>
        <label className="block space-y-1">
          <span className="font-medium">Name of the new run</span>
          <input
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={80}
            placeholder="a new one, unless told"
            autoComplete="off"
            spellCheck={false}
            className={field}
          />
        </label>
        <p role="alert" className="min-h-5 text-bad">
          {error?.message}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending}>
            Fork
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
