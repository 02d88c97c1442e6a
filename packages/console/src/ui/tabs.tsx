import { useId, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'

interface TabsProps<T extends string> {
  readonly label: string
  readonly chosen: T
  readonly onChoose: (tab: T) => void
  readonly tabs: readonly {
    readonly id: T
    readonly title: string
    readonly content: ReactNode
    readonly below?: ReactNode
  }[]
}

/** Tabs with one panel; arrow keys move between them. */
export function Tabs<T extends string>({ label, chosen, onChoose, tabs }: TabsProps<T>): ReactElement {
  const own = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  )
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    onChoose(next.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[(at + step + tabs.length) % tabs.length]?.focus()
  }
  const current = tabs[at]
  return (
    <div className="space-y-2">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move} className="flex gap-1 border-b border-line">
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${own}-${id}`}
            aria-selected={id === current?.id}
            aria-controls={`${own}-panel`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => onChoose(id)}
            className="-mb-px border-b-2 border-transparent px-2 py-1 text-xs font-medium text-muted aria-selected:border-accent aria-selected:text-ink"
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${own}-panel`} aria-labelledby={`${own}-${current?.id ?? ''}`} className="space-y-3">
        {current?.content}
        {current?.below}
      </div>
    </div>
  )
}
