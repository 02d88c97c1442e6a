import type { Value } from '@minutebook/experiment/run'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState, type ReactElement } from 'react'
import { isOver, useForkRun, type RunBoard } from '../api/runs.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'

const field = 'w-full rounded-md border border-strong bg-surface px-2 py-1.5 font-mono text-[13px]'

interface ForkDialogProps {
  readonly board: RunBoard
  /** The first round to play again. Default: the next one, or the last one of a run that is over. */
  readonly round?: number | undefined
  readonly onClose: () => void
}

/** Forks a run: a new run with the same history before a round, which continues with one change. */
export function ForkDialog({
  board: { run, status, rounds, definition },
  round: given,
  onClose,
}: ForkDialogProps): ReactElement {
  const fields = useMemo(() => fieldsOf(definition), [definition])
  const last = rounds.filter(({ isOver }) => isOver).length + 1
  const [round, setRound] = useState(String(Math.min(given ?? (isOver(status) ? Math.max(1, last - 1) : last), last)))
  const [path, setPath] = useState('')
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const before = fields.find((each) => each.path === path)
  const { mutate, isPending, error } = useForkRun(run, (made) => {
    onClose()
    return navigate({ to: '/runs/$run', params: { run: made }, search: {} })
  })
  const fork = (): void =>
    mutate({
      round: Number(round),
      changes:
        path.trim() === '' ? {} : patchOf(before?.names ?? path.trim().split('.'), typedValue(text, before?.value)),
      ...(name.trim() !== '' && { as: name.trim() }),
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
          fork()
        }}
      >
        <h2 className="font-semibold">Fork the run</h2>
        <p className="text-muted">
          A new run copies what this one did before the round, and continues from there. This run does not change.
        </p>
        <label className="block space-y-1">
          <span className="font-medium">First round to play again</span>
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
              <option value="">no change (play it again)</option>
              {fields.map((each) => (
                <option key={each.path}>{each.path}</option>
              ))}
            </select>
          ) : (
            <input
              value={path}
              onChange={(event) => choose(event.target.value)}
              placeholder="participants.ann.model.name, or empty"
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
            placeholder="default: a new name"
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

/** A field of a definition that can be changed. */
interface Field {
  /** Such as `participants.ann.model.name`. */
  readonly path: string
  readonly names: readonly string[]
  readonly value: Value
}

/** Every leaf of a definition. A list counts as one. */
export function fieldsOf(definition: Value | undefined, names: readonly string[] = []): readonly Field[] {
  if (definition === undefined) return []
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition) || names.length >= deepest)
    return names.length === 0 ? [] : [{ path: names.join('.'), names, value: definition }]
  return Object.entries(definition as { readonly [name: string]: Value }).flatMap(([name, value]) =>
    fieldsOf(value, [...names, name]),
  )
}

const deepest = 8

/**
 * A change of one field, as a JSON merge patch.
 *
 * @example
 * patchOf(['limits', 'rounds'], 5) // { limits: { rounds: 5 } }
 */
export function patchOf([first = '', ...names]: readonly string[], value: Value): { readonly [name: string]: Value } {
  return { [first]: names.length === 0 ? value : patchOf(names, value) }
}

/** The typed value: JSON if it is valid and the field is not a text, else the text. */
export function typedValue(text: string, before: Value | undefined): Value {
  if (typeof before === 'string') return text
  try {
    return JSON.parse(text) as Value
  } catch {
    return text
  }
}

/** A value as the user would type it. */
export function typedText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
