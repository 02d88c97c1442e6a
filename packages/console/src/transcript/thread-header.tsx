import { Link, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useAbout } from '../api/api.tsx'
import type { ShownThread } from '../api/entries.ts'
import { threadTitle, useThread } from '../api/thread.ts'
import { grouped, plural, readable } from '../ui/text.ts'
import { Badge, Icon } from '../ui/ui.tsx'
import { ThreadMenu, type Records } from './thread-menu.tsx'

const link = 'flex min-h-6 items-center rounded-md px-1.5 text-xs text-muted hover:bg-sunken hover:text-ink'

interface ThreadHeaderProps {
  readonly thread: string
  readonly shown: ShownThread | undefined
  /** How many of its calls wait for a decision. */
  readonly waiting: number
  readonly records: Records
}

/** The title of a thread, with links to its inspector, lab and state. */
export function ThreadHeader({ thread, shown, waiting, records }: ThreadHeaderProps): ReactElement {
  const { data } = useThread(thread)
  const { scope, states } = useAbout()
  const { head } = useSearch({ from: '/threads/$thread' })
  const search = head === undefined ? {} : { head }
  return (
    <div className="@container border-b border-line bg-surface">
      <div className="flex min-h-12 flex-wrap items-center gap-x-1 px-3 py-1 @3xl:gap-x-2">
        <Link to="/threads" aria-label="All threads" className="rounded-md px-2 py-1 md:hidden">
          <Icon name="back" />
        </Link>
        <div className="min-w-0 grow basis-[80%] @md:basis-32">
          <h1
            dir="auto"
            className="truncate text-[13px] font-semibold"
            title={readable(threadTitle(thread, data?.title))}
          >
            {readable(threadTitle(thread, data?.title))}
          </h1>
          <p className="flex items-center gap-2 text-xs text-muted">
            <span className="truncate font-mono">{thread}</span>
            {data?.model != null && <span className="truncate">{readable(data.model)}</span>}
            {data?.owner !== undefined && (
              <span data-owner className="truncate" title="The key on whose behalf the newest model call was">
                key {readable(data.owner)}
              </span>
            )}
            {data?.fork !== undefined && (
              <Link to="/threads/$thread" params={{ thread: data.fork }} className="truncate underline">
                fork of {readable(data.fork)}
              </Link>
            )}
            {waiting > 0 && (
              <span data-waits={waiting}>
                <Badge tone="warn" title={`${plural(waiting, 'call needs', 'calls need')} a decision`}>
                  waiting
                </Badge>
              </span>
            )}
            {data?.window && (
              <span data-shortfall>
                <Badge tone="warn" title={data.window.reason}>
                  window {grouped(data.window.given)}, not {grouped(data.window.asked)}
                </Badge>
              </span>
            )}
            {shown && scope !== 'admin' && shown.hidden > 0 && (
              <span data-hidden-count={shown.hidden}>
                <Badge title="Notes, system messages and records that this key may not see">
                  {grouped(shown.hidden)} hidden
                </Badge>
              </span>
            )}
          </p>
        </div>
        {shown?.entries.some(({ kind }) => kind === 'assistant' || kind === 'stop') && (
          <Link
            to="/threads/$thread/calls/$receipt"
            params={{ thread, receipt: 'last' }}
            search={search}
            className={link}
          >
            Inspector
          </Link>
        )}
        {scope === 'admin' && (
          <Link to="/threads/$thread/lab" params={{ thread }} className={link}>
            Lab
          </Link>
        )}
        {states.length > 0 && (
          <Link to="/threads/$thread/state" params={{ thread }} search={search} className={link}>
            State
          </Link>
        )}
        <ThreadMenu thread={thread} records={records} />
      </div>
    </div>
  )
}
