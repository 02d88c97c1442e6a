import { useNavigate, useParams } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { useThreads } from '../api/threads.ts'
import { Dialog } from '../ui/dialog.tsx'
import { applyTheme } from './theme.ts'

interface Command {
  readonly name: string
  readonly run: () => void
}

/** The command palette: type a part of a command's name. */
export function Palette({
  onClose,
  onHelp,
}: {
  readonly onClose: () => void
  readonly onHelp: () => void
}): ReactElement {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(onHelp)
    .filter(({ name }) =>
      query
        .toLowerCase()
        .split(/\s+/)
        .every((word) => name.toLowerCase().includes(word)),
    )
    .slice(0, most)
  const run = (command: Command | undefined): void => {
    if (!command) return
    onClose()
    command.run()
  }
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) setChosen((chosen + step + commands.length) % Math.max(1, commands.length))
    if (event.key === 'Enter') run(commands[chosen])
    if (step !== undefined || event.key === 'Enter') event.preventDefault()
  }
  return (
    <Dialog label="Commands" onClose={onClose} className="max-w-xl">
      <input
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={commands[chosen] ? `command-${chosen}` : undefined}
        autoFocus
        value={query}
        placeholder="Go to a thread, search, switch the theme…"
        onKeyDown={move}
        onChange={(event) => {
          setQuery(event.target.value)
          setChosen(0)
        }}
        className="mb-2 w-full rounded-md border border-strong bg-surface px-3 py-2"
      />
      <ul id="commands" role="listbox" aria-label="Commands" className="max-h-[50vh] overflow-y-auto">
        {commands.map((command, index) => (
          <li
            key={command.name + String(index)}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
            ref={(item) => void (index === chosen && item?.scrollIntoView({ block: 'nearest' }))}
            className={`cursor-pointer truncate rounded px-2 py-1.5 ${index === chosen ? 'bg-accent-soft text-ink' : ''}`}
          >
            {command.name}
          </li>
        ))}
      </ul>
      {commands.length === 0 && (
        <p className="px-2 py-1.5 text-muted">No command matches. Try a word of a thread’s first question.</p>
      )}
    </Dialog>
  )
}

const most = 50

function useCommands(onHelp: () => void): readonly Command[] {
  const navigate = useNavigate()
  const { thread } = useParams({ strict: false })
  const { threads } = useThreads([])
  const here: readonly Command[] =
    thread === undefined
      ? []
      : [
          {
            name: 'Inspector: last call of this thread',
            run: () => void navigate({ to: '/threads/$thread/calls/$receipt', params: { thread, receipt: 'last' } }),
          },
          {
            name: 'Lab: try other settings on this thread',
            run: () => void navigate({ to: '/threads/$thread/lab', params: { thread } }),
          },
          {
            name: 'State of this thread',
            run: () => void navigate({ to: '/threads/$thread/state', params: { thread } }),
          },
          {
            name: 'Transcript of this thread',
            run: () => void navigate({ to: '/threads/$thread', params: { thread } }),
          },
        ]
  return [
    ...here,
    { name: 'Search all threads', run: () => void navigate({ to: '/search' }) },
    { name: 'Waiting: calls that need a decision', run: () => void navigate({ to: '/waiting' }) },
    { name: 'Calls of all threads, live', run: () => void navigate({ to: '/calls' }) },
    { name: 'Runs of experiments', run: () => void navigate({ to: '/runs' }) },
    { name: 'Help: keys and words', run: onHelp },
    { name: 'Overview', run: () => void navigate({ to: '/' }) },
    { name: 'All threads', run: () => void navigate({ to: '/threads' }) },
    { name: 'Theme: light', run: () => applyTheme('light') },
    { name: 'Theme: dark', run: () => applyTheme('dark') },
    { name: 'Theme: system', run: () => applyTheme('system') },
    ...threads.map(({ thread: name, title }) => ({
      name: `Thread: ${title ?? name}`,
      run: () => void navigate({ to: '/threads/$thread', params: { thread: name } }),
    })),
  ]
}
