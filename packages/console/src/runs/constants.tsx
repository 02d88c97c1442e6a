import { useState, type ReactElement } from 'react'
import { plural, readable } from '../ui/text.ts'
import { Button, Icon } from '../ui/ui.tsx'
import type { Constant } from './series.ts'

interface ConstantsProps {
  readonly constants: readonly Constant[]
}

/** The heading of the environment, with the variables that never changed in one line. A button shows each of them. */
export function EnvironmentHead({ constants }: ConstantsProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="monitor-note px-3 pt-2">
      <div className="flex min-h-7 items-center gap-x-3">
        <h2 className="shrink-0 text-xs font-medium text-muted">Environment</h2>
        {constants.length > 0 && (
          <Button small kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="shrink-0">
            <Icon name={isOpen ? 'open' : 'closed'} size={10} />
            {plural(constants.length, 'variable', 'variables')} without change
          </Button>
        )}
        {!isOpen && (
          <span className="min-w-0 truncate font-mono text-xs text-muted">
            {constants.map(({ name, text }) => `${name} ${readable(text.slice(0, 40))}`).join(' · ')}
          </span>
        )}
      </div>
      {isOpen && (
        <dl data-constants className="flex flex-wrap gap-x-4 gap-y-1 pb-2 text-xs">
          {constants.map(({ name, text }) => (
            <div key={name} className="flex max-w-full gap-1.5" data-constant={name}>
              <dt className="text-muted">{readable(name)}</dt>
              <dd className="max-h-24 overflow-hidden font-mono [overflow-wrap:anywhere]">
                {readable(text.slice(0, most))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Characters of a value. */
const most = 400
