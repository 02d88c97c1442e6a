import '../inspector/verdict.css'
import { memo, type ReactElement } from 'react'
import type { CallBrief, Verdict } from '../api/calls.ts'
import type { Entry, ShownThread } from '../api/entries.ts'
import { FoldedText } from '../ui/folded-text.tsx'
import { FeedbackList } from '../feedback/feedback.tsx'
import { RateButtons } from '../feedback/rate-buttons.tsx'
import { readable } from '../ui/text.ts'
import { Badge, TimeAgo } from '../ui/ui.tsx'
import { CallChip } from './call-chip.tsx'
import { Branches, EntryActions } from './entry-actions.tsx'
import { Attachment, HiddenEntry, ToolCall, ToolResult, VerdictButton } from './folded-entry.tsx'
import { Images } from './images.tsx'
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
  /** The verdicts of the call that the inspector shows. */
  readonly verdicts: ReadonlyMap<string, Verdict> | undefined
  /** The results of its tool calls, in the order of the calls. */
  readonly results: readonly (Entry | undefined)[] | undefined
  /** The model calls that it came from; of a stop, those that came to nothing. */
  readonly calls: readonly CallBrief[] | undefined
  readonly onEdit: (entry: Entry) => void
}

const shownKinds: ReadonlySet<string> = new Set(['user', 'assistant', 'tool', 'stop'])
const names: Readonly<Record<string, string>> = { user: 'User', assistant: 'Assistant', stop: 'Stopped', tool: 'Tool' }

/** One entry of the log, as people read it. */
export const EntryView = memo(function EntryView(props: EntryViewProps): ReactElement {
  const { entry, isSought, verdicts } = props
  const { id, kind } = entry
  const verdict = verdicts?.get(id)
  return (
    <article
      data-entry={id}
      data-kind={kind}
      aria-label={entry.number === undefined ? (names[kind] ?? kind) : `${names[kind] ?? kind} ${entry.number}`}
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
  const { thread, entry, head, branches, verdicts, results, calls = [] } = props
  const verdict = verdicts?.get(entry.id)
  if (entry.kind === 'tool') return <ToolResult entry={entry} verdict={verdict} />
  if (entry.kind === 'stop')
    return <Stop thread={thread} entry={entry} question={props.question} call={calls.at(-1)?.receipt.id} />
  return (
    <div className={entry.kind === 'user' ? 'rounded-lg border border-line bg-surface px-3 py-2' : 'px-3 py-1'}>
      <div className="mb-0.5 flex min-h-6 flex-wrap items-center gap-2 text-xs">
        {verdict && <VerdictButton verdict={verdict} entry={entry.id} />}
        <span dir="auto" className="font-semibold">
          {readable(entry.speaker ?? names[entry.kind]!)}
        </span>
        {entry.turn !== undefined && <span className="text-muted">turn {entry.turn}</span>}
        {entry.number !== undefined && <span className="font-mono text-muted">#{entry.number}</span>}
        {entry.pinned && <Badge tone="accent">pinned</Badge>}
        {entry.console && <Badge tone="accent">console</Badge>}
        {entry.status !== 'complete' && <Badge tone={entry.status === 'failed' ? 'bad' : 'warn'}>{entry.status}</Badge>}
        {entry.time !== undefined && <TimeAgo time={entry.time} />}
        <span className="grow" />
        {entry.elsewhere && <Branches thread={thread} head={head} branches={branches} elsewhere={entry.elsewhere} />}
        <EntryActions thread={thread} entry={entry} question={props.question} onEdit={props.onEdit} />
        <RateButtons thread={thread} entry={entry} />
      </div>
      {entry.status === 'erased' ? (
        <p className="text-muted italic">What was said here is erased.</p>
      ) : (
        entry.text !== '' && <Said entry={entry} />
      )}
      {entry.images > 0 && <Images thread={thread} entry={entry.id} count={entry.images} />}
      {entry.attachments?.map((attachment, index) => (
        <Attachment key={index} attachment={attachment} />
      ))}
      {entry.calls.map((call, index) => (
        <ToolCall
          key={index}
          call={call}
          since={entry.time}
          result={results?.[index]}
          verdict={verdicts?.get(results?.[index]?.id ?? '')}
        />
      ))}
      <FeedbackList feedback={entry.feedback} />
      {calls.length > 0 && (
        <div className="mt-1 flex flex-wrap justify-end gap-1">
          {calls.map((call) => (
            <CallChip key={call.receipt.id} thread={thread} call={call} />
          ))}
        </div>
      )}
    </div>
  )
}

/** What people paste may be long, and is folded; answers are not. */
function Said({ entry: { kind, text } }: Pick<EntryViewProps, 'entry'>): ReactElement {
  if (kind !== 'user') return <Markdown text={text} />
  return <FoldedText text={text}>{(shown) => <Markdown text={shown} />}</FoldedText>
}
