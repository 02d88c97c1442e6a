import type { ReactElement, ReactNode } from 'react'
import { Button } from '../ui/ui.tsx'
import type { Colour } from './shape.ts'

interface SaveButtonProps {
  readonly name: string
  readonly type: 'image/svg+xml' | 'text/csv'
  /** Made when it is asked for. */
  readonly text: () => string
  readonly label: string
  readonly children: ReactNode
}

/** Saves a text as a file. */
export function SaveButton({ name, type, text, label, children }: SaveButtonProps): ReactElement {
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([text()], { type: `${type};charset=utf-8` }))
    const link = document.createElement('a')
    link.href = address
    link.download = name.replace(/[^\w.-]+/g, '-').slice(-120)
    link.click()
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <Button kind="quiet" small onClick={save} aria-label={label}>
      {children}
    </Button>
  )
}

/** The colours of the light theme, whichever is shown: paper is white. */
export function paperColours(): (name: Colour) => string {
  const sheet = document.createElement('div')
  sheet.className = 'on-paper'
  sheet.hidden = true
  document.body.append(sheet)
  const style = getComputedStyle(sheet)
  const read = new Map<Colour, string>()
  for (const name of names) read.set(name, style.getPropertyValue(`--${name}`).trim())
  sheet.remove()
  return (name) => read.get(name) ?? 'currentColor'
}

const names: readonly Colour[] = [
  'line-1',
  'line-2',
  'line-3',
  'line-4',
  'line-5',
  'line-6',
  'line-7',
  'surface',
  'border',
  'border-strong',
  'text',
  'muted',
  'good',
  'bad',
]
