import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useIsAdmin } from '../api/api.tsx'
import type { Entry } from '../api/entries.ts'
import { readable } from '../ui/text.ts'
import { Badge } from '../ui/ui.tsx'
import { RetryButton } from './entry-actions.tsx'
import { keepHead } from './folded-entry.tsx'

interface StopProps {
  readonly thread: string
  readonly entry: Entry
  /** For the newest turn: the question to answer again. */
  readonly question: Entry | undefined
  /** The receipt of the last model call of the turn, if it has one. */
  readonly call: string | undefined
}

const link =
  'inline-flex min-h-6 items-center rounded-md px-1.5 text-xs font-medium text-muted hover:bg-sunken hover:text-ink'

/** The end of a turn without an answer: why, what to do about it, and ways on. */
export function Stop({ thread, entry, question, call }: StopProps): ReactElement {
  const isAdmin = useIsAdmin()
  const { reason, fix, code } = stopIn(entry.text)
  return (
    <div className="rounded-md border border-bad/40 bg-bad-soft px-3 py-1.5 text-[13px]">
      <div className="flex items-start gap-2">
        <Badge tone="bad">{entry.status}</Badge>
        <div className="min-w-0 grow [overflow-wrap:anywhere]">
          <p>{reason === '' ? 'The turn ended without an answer.' : readable(reason)}</p>
          {fix !== '' && <p className="text-muted">{readable(fix)}</p>}
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-1">
        {call !== undefined && (
          <Link
            to="/threads/$thread/calls/$receipt"
            params={{ thread, receipt: call }}
            search={keepHead}
            className={link}
          >
            Inspect
          </Link>
        )}
        {isAdmin && overflows.has(code) && (
          <Link to="/threads/$thread/lab" params={{ thread }} className={link}>
            Lab: try a larger window
          </Link>
        )}
        {question && <RetryButton question={question}>Try again</RetryButton>}
      </div>
    </div>
  )
}

const overflows: ReadonlySet<string> = new Set(['context_overflow', 'context_length_exceeded'])

interface StopTexts {
  readonly reason: string
  readonly fix: string
  readonly code: string
}

/**
 * What a stop says. Admins get its text as it is recorded, in JSON; others get only the reason.
 *
 * @example
 * stopIn('{"code":"model_error","reason":"The server failed.","fix":"Retry the turn."}').fix // 'Retry the turn.'
 */
function stopIn(text: string): StopTexts {
  try {
    const { reason, fix, code } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>
    if (typeof reason === 'string')
      return { reason, fix: typeof fix === 'string' ? fix : '', code: typeof code === 'string' ? code : '' }
  } catch {
    // It is the reason itself.
  }
  return { reason: text, fix: '', code: '' }
}
