import '../inspector/verdict.css'
import { Link } from '@tanstack/react-router'
import { memo, type ReactElement } from 'react'
import type { Verdict } from '../api/calls.ts'
import type { Entry, ShownThread } from '../api/entries.ts'
import { readable } from '../ui/text.ts'
import { Badge, TimeAgo } from '../ui/ui.tsx'
import { Branches, EntryActions } from './entry-actions.tsx'
import { Attachment, HiddenEntry, keepHead, ToolCall, ToolResult, VerdictButton } from './folded-entry.tsx'
import { Markdown } from './markdown.tsx'
import { Stop } from './stop.tsx'

interface EntryViewProps {
  readonly thread: string
  readonly entry: Entry
  readonly head: string
  readonly branches: ShownThread['branches']
  /** For the newest answer: the question to answer again. */
  readonly question: Entry | undefined
  readonly isSought: boolean
  /** Its verdict in the call that the inspector shows. */
  readonly verdict: Verdict | undefined
  /** For a user entry or a stop: the receipt of the last model call of its turn. */
  readonly call: string | undefined
  readonly onEdit: (entry: Entry) => void
}

const shownKinds: ReadonlySet<string> = new Set(['user', 'assistant', 'tool', 'stop'])
const names: Readonly<Record<string, string>> = { user: 'User', assistant: 'Assistant', stop: 'Stopped', tool: 'Tool' }

/** One entry of the log, as people read it. */
export const EntryView = memo(function EntryView(props: EntryViewProps): ReactElement {
  const { entry, isSought, verdict } = props
  const { id, kind } = entry
  return (
    <article
      data-entry={id}
      data-kind={kind}
      aria-label={`${names[kind] ?? kind} ${entry.seq}`}
      className={`px-4 py-2 ${isSought ? 'bg-accent-soft' : ''} ${verdict ? `verdict-edge verdict-${verdict}` : ''}`}
    >
      <div className="mx-auto max-w-3xl">
        {shownKinds.has(kind) ? (
          <Shown {...props} />
        ) : (
          <HiddenEntry thread={props.thread} entry={entry} verdict={verdict} />
        )}
      </div>
    </article>
  )
})

function Shown(props: EntryViewProps): ReactElement {
  const { entry, head, branches } = props
  if (entry.kind === 'tool') return <ToolResult entry={entry} verdict={props.verdict} />
  if (entry.kind === 'stop')
    return <Stop thread={props.thread} entry={entry} question={props.question} call={props.call} />
  return (
    <div className={entry.kind === 'user' ? 'rounded-lg border border-line bg-surface px-3 py-2' : 'px-3 py-1'}>
      <div className="mb-0.5 flex min-h-6 flex-wrap items-center gap-2 text-xs">
        {props.verdict && <VerdictButton verdict={props.verdict} entry={entry.id} />}
        <span className="font-semibold">{readable(entry.speaker ?? names[entry.kind]!)}</span>
        {entry.turn !== undefined && <span className="text-muted">turn {entry.turn}</span>}
        {entry.console && <Badge tone="accent">console</Badge>}
        {entry.status !== 'complete' && <Badge tone={entry.status === 'failed' ? 'bad' : 'warn'}>{entry.status}</Badge>}
        {entry.images > 0 && (
          <Badge>
            {entry.images} {entry.images === 1 ? 'image' : 'images'}
          </Badge>
        )}
        {entry.time !== undefined && <TimeAgo time={entry.time} />}
        <span className="grow" />
        {entry.elsewhere && (
          <Branches thread={props.thread} head={head} branches={branches} elsewhere={entry.elsewhere} />
        )}
        <EntryActions entry={entry} question={props.question} onEdit={props.onEdit} />
        {props.call !== undefined && (
          <Link
            to="/threads/$thread/calls/$receipt"
            params={{ thread: props.thread, receipt: props.call }}
            search={keepHead}
            className="rounded-md px-1.5 py-0.5 font-medium text-muted hover:bg-sunken hover:text-ink"
          >
            Inspect
          </Link>
        )}
      </div>
      {entry.status === 'erased' ? (
        <p className="text-muted italic">What was said here is erased.</p>
      ) : (
        entry.text !== '' && <Markdown text={entry.text} />
      )}
      {entry.attachments?.map((attachment, index) => (
        <Attachment key={index} attachment={attachment} />
      ))}
      {entry.calls.map((call, index) => (
        <ToolCall key={index} call={call} />
      ))}
    </div>
  )
}
