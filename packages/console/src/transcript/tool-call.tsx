import type { ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import type { Verdict } from '../inspector/inspection.ts'
import { Badge } from '../ui/badge.tsx'
import { PlainText } from './plain-text.tsx'
import { readable } from './readable.ts'
import { VerdictButton } from './verdict-button.tsx'

/** A call of a tool, folded: its name and the beginning of its arguments. */
export function ToolCall({
  call: { name, arguments: given },
}: {
  readonly call: Entry['calls'][number]
}): ReactElement {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return (
    <Folded label="calls" name={name} brief={text}>
      <PlainText text={indented(given)} />
    </Folded>
  )
}

/** What a tool answered, folded. */
export function ToolResult({
  entry: { id, text, status, answers },
  verdict,
}: {
  readonly entry: Entry
  readonly verdict: Verdict | undefined
}): ReactElement {
  return (
    <div className="flex items-start gap-2">
      {verdict && (
        <span className="pt-1">
          <VerdictButton verdict={verdict} entry={id} />
        </span>
      )}
      <Folded label="result of" name={answers?.name ?? 'a tool'} brief={text} status={status}>
        <PlainText text={text} />
      </Folded>
    </div>
  )
}

function Folded({
  label,
  name,
  brief,
  status,
  children,
}: {
  readonly label: string
  readonly name: string
  readonly brief: string
  readonly status?: string
  readonly children: ReactElement
}): ReactElement {
  return (
    <details className="mt-1 min-w-0 grow rounded-md border border-line bg-sunken/60 px-2 text-[13px]">
      <summary className="flex items-center gap-2 py-1">
        <span className="text-xs text-muted">{label}</span>
        <span className="font-mono font-medium">{readable(name)}</span>
        {status !== undefined && status !== 'complete' && <Badge tone="warn">{status}</Badge>}
        <span className="min-w-0 grow truncate font-mono text-xs text-muted">{readable(brief.slice(0, 200))}</span>
      </summary>
      <div className="pb-2">{children}</div>
    </details>
  )
}

function indented(given: unknown): string {
  try {
    return JSON.stringify(typeof given === 'string' ? JSON.parse(given) : given, undefined, 2)
  } catch {
    return String(given)
  }
}
