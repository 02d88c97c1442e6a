import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import type { Verdict } from '../inspector/inspection.ts'
import { PlainText } from './plain-text.tsx'
import { keepHead, VerdictButton } from './verdict-button.tsx'

const says: Readonly<Record<string, string>> = {
  system: 'System',
  note: 'Note to self',
  journal: 'Journal',
  receipt: 'Model call',
  settings: 'Settings',
  pending: 'Setup or waiting message',
  revocation: 'Taken back',
  retry: 'Asked again',
  form: 'Form',
}

/** What people do not see, for admins: folded, and marked as hidden. A receipt leads to what the model saw. */
export function HiddenEntry({
  thread,
  entry: { id, kind, text, status },
  verdict,
}: {
  readonly thread: string
  readonly entry: Entry
  readonly verdict: Verdict | undefined
}): ReactElement {
  const brief = kind === 'receipt' ? receiptBrief(text) : text.slice(0, 160).replaceAll('\n', ' ')
  return (
    <div className="flex items-start gap-2 rounded-md border border-dashed border-line px-2 text-[13px]">
      {verdict && kind !== 'receipt' && (
        <span className="py-1">
          <VerdictButton verdict={verdict} entry={id} />
        </span>
      )}
      <details className="min-w-0 grow">
        <summary className="flex min-h-7 items-center gap-2 py-1">
          <span className="shrink-0 text-xs font-semibold text-muted">{says[kind] ?? kind}</span>
          <span className="min-w-0 grow truncate text-xs text-muted">{status === 'erased' ? 'erased' : brief}</span>
        </summary>
        <div className="pb-2">
          <PlainText text={text} />
        </div>
      </details>
      {kind === 'receipt' && status !== 'erased' && (
        <Link
          to="/threads/$thread/calls/$receipt"
          params={{ thread, receipt: id }}
          search={keepHead}
          className="flex min-h-7 shrink-0 items-center px-1 text-xs font-medium text-accent underline"
        >
          Inspect
        </Link>
      )}
    </div>
  )
}

function receiptBrief(text: string): string {
  const { tokens, outcome, mode, truncated } = Object(parsed(text)) as {
    readonly tokens?: { readonly predicted?: number; readonly reported?: { readonly prompt?: number } }
    readonly outcome?: string
    readonly mode?: string
    readonly truncated?: string
  }
  const reported = tokens?.reported?.prompt
  return [
    `sent ≈ ${tokens?.predicted ?? '?'} tokens`,
    reported === undefined ? undefined : `server read ${reported}`,
    mode,
    truncated === 'yes' ? 'truncated upstream' : undefined,
    outcome,
  ]
    .filter(Boolean)
    .join(' · ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
