import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type ReactElement } from 'react'
import { useBeginRun, useCheck } from '../api/runs.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'
import { Problems } from './problems.tsx'

const field = 'w-full rounded-md border border-strong bg-surface px-2 py-1.5'

/** Begins a run of an experiment that the user writes here. Mistakes are shown while typing. */
export function BeginDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [seed, setSeed] = useState('')
  const editor = useRef<HTMLTextAreaElement>(null)
  const { problems, isChecking, error: unchecked } = useCheck(text)
  const navigate = useNavigate()
  const { mutate, isPending, error } = useBeginRun((run) => {
    onClose()
    return navigate({ to: '/runs/$run', params: { run } })
  })
  const begin = (): void =>
    mutate({
      definition: text,
      ...(name.trim() !== '' && { run: name.trim() }),
      ...(seed.trim() !== '' && { seed: Number(seed) }),
    })
  const show = (line: number): void => {
    const { from, to } = lineAt(text, line)
    editor.current?.focus()
    editor.current?.setSelectionRange(from, to)
  }
  return (
    <Dialog label="Begin a run" onClose={onClose} className="mt-[6vh] max-w-3xl">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          begin()
        }}
      >
        <div className="flex items-center gap-2">
          <h2 className="grow font-semibold">Begin a run</h2>
          <Button small disabled={text !== ''} onClick={() => setText(exampleDefinition)}>
            Insert an example
          </Button>
        </div>
        <label className="block space-y-1">
          <span className="font-medium">Experiment, as YAML</span>
          <textarea
            ref={editor}
            autoFocus
            required
            rows={16}
            value={text}
            onChange={(event) => setText(event.target.value)}
            spellCheck={false}
            autoCapitalize="off"
            wrap="off"
            aria-describedby="definition-problems"
            aria-invalid={problems !== undefined && problems.length > 0}
            className={`${field} max-h-[45vh] font-mono text-[13px] leading-5`}
          />
        </label>
        <div
          id="definition-problems"
          role="status"
          className="h-28 overflow-y-auto rounded-md border border-line bg-page p-2 text-[13px]"
        >
          <Problems
            problems={problems}
            isChecking={isChecking}
            isEmpty={text.trim() === ''}
            error={error ?? unchecked}
            onShow={show}
          />
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <label className="block min-w-40 grow space-y-1">
            <span className="text-xs text-muted">Name of the run (empty: a new name)</span>
            <input
              value={name}
              onChange={(event) => setName(event.target.value)}
              maxLength={80}
              autoComplete="off"
              spellCheck={false}
              className={`${field} font-mono text-[13px]`}
            />
          </label>
          <label className="block w-28 space-y-1">
            <span className="text-xs text-muted">Seed</span>
            <input
              value={seed}
              onChange={(event) => setSeed(event.target.value)}
              inputMode="numeric"
              pattern="-?[0-9]{1,15}"
              placeholder="default"
              autoComplete="off"
              className={`${field} font-mono text-[13px]`}
            />
          </label>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={isPending || text.trim() === '' || problems === undefined || problems.length > 0}
          >
            Begin
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * The start and end of a line in a text. A number that is too high means the last line.
 *
 * @example
 * lineAt('a\nbc', 2) // { from: 2, to: 4 }
 */
export function lineAt(text: string, line: number): { readonly from: number; readonly to: number } {
  const lines = text.split('\n')
  const index = Math.max(0, Math.min(lines.length, line) - 1)
  const from = lines.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0)
  return { from, to: from + (lines[index]?.length ?? 0) }
}

/** An example experiment. */
const exampleDefinition = `name: counting
environment:
  total: { type: integer, initial: 0, description: what was added so far }
participants:
  ann:
    model: gemma3:4b
    system: You play a game. Add what you like, between 1 and 5.
    tools: [add]
  bob:
    model: gemma3:4b
    system: You play a game. Add what you like, between 1 and 5.
    tools: [add]
rounds:
  - { name: round, play: sequence, ask: It is your turn. }
tools:
  add:
    description: Adds a number to the total.
    parameters: { count: { type: integer, minimum: 1, maximum: 5 } }
    changes: { total: total + input.count }
goals:
  success: { twenty: total >= 20 }
limits: { rounds: 10 }
`
