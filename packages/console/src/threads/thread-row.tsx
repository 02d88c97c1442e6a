import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { threadTitle } from '../api/thread.ts'
import type { Mark, ThreadSummary } from '../api/threads.ts'
import { readable } from '../ui/text.ts'
import { Badge, TimeAgo } from '../ui/ui.tsx'

const tones: Readonly<Record<Mark, 'warn' | 'bad' | 'accent' | 'plain'>> = {
  truncated: 'bad',
  overflow: 'bad',
  failed: 'bad',
  partial: 'warn',
  console: 'plain',
}

/** One thread in the list. */
export function ThreadRow({
  thread: { thread, title, model, entries, written, marks, owner, fork },
  isInFold,
}: {
  readonly thread: ThreadSummary
  readonly isInFold: boolean
}): ReactElement {
  return (
    <Link
      to="/threads/$thread"
      params={{ thread }}
      data-thread={thread}
      preload={false}
      activeProps={{ 'aria-current': 'page' }}
      className={`block h-full border-l-2 border-transparent py-2 pr-3 hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-soft ${isInFold ? 'pl-6' : 'pl-3'}`}
    >
      <span className="flex items-baseline gap-2">
        <span className={`min-w-0 grow truncate ${title === null ? 'font-mono text-[13px]' : 'font-medium'}`}>
          {readable(threadTitle(thread, title))}
        </span>
        {written !== null && <TimeAgo time={written} />}
      </span>
      <span className="flex items-center gap-1 text-xs text-muted">
        {model !== null && <span className="min-w-0 truncate">{readable(model)}</span>}
        <span className="whitespace-nowrap">
          {model !== null && '· '}
          {entries.toLocaleString('en')} {entries === 1 ? 'entry' : 'entries'}
        </span>
        {owner !== undefined && (
          <span className="min-w-0 truncate" title={`Key ${readable(owner)}`}>
            · {readable(owner)}
          </span>
        )}
        <span className="grow" />
        {fork !== undefined && <Badge title={`Forked from ${readable(fork)}`}>fork</Badge>}
        {marks.map((mark) => (
          <Badge key={mark} tone={tones[mark]}>
            {mark}
          </Badge>
        ))}
      </span>
    </Link>
  )
}
