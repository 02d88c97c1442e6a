import { Link, useNavigate } from '@tanstack/react-router'
import { secondsText } from '@minutebook/inspect'
import { useMemo, useState, type ReactElement } from 'react'
import type { Verdict } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import type { Decision } from '../api/waiting.ts'
import { VerdictBadge } from '../inspector/verdict.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { FoldedText } from '../ui/folded-text.tsx'
import { JsonTree, treeIn } from '../ui/json-tree.tsx'
import { grouped, readable } from '../ui/text.ts'
import { Badge, Button, PlainText } from '../ui/ui.tsx'
import { outcomeText } from '../waiting/outcome.ts'

interface ToolCallProps {
  readonly call: Entry['calls'][number]
  /** The time of the entry with the call. */
  readonly since: string | undefined
  readonly result: Entry | undefined
  /** Of the result, in the call that the inspector shows. */
  readonly verdict: Verdict | undefined
}

/** A tool call and its result, folded: the name, the start of both, and how long it took. */
export function ToolCall({ call: { name, arguments: given }, since, result, verdict }: ToolCallProps): ReactElement {
  const asked = typeof given === 'string' ? given : JSON.stringify(given)
  const call = (
    <Folded
      label="calls"
      name={name}
      brief={result ? `${asked} → ${result.text}` : asked}
      status={result?.status}
      took={result && tookText(since, result.time)}
    >
      <div className="space-y-2">
        <Value label="Input" text={asked} />
        {result && <Value label="Result" text={result.text} />}
        {result?.attachments?.map((attachment, index) => (
          <Attachment key={index} attachment={attachment} />
        ))}
      </div>
    </Folded>
  )
  if (!result) return call
  return (
    <div data-entry={result.id} data-kind="tool" className="flex items-start gap-2">
      {verdict && (
        <span className="pt-2">
          <VerdictButton verdict={verdict} entry={result.id} />
        </span>
      )}
      {call}
    </div>
  )
}

/** From the call to its result. Undefined if that is not known. */
function tookText(since: string | undefined, until: string | undefined): string | undefined {
  const milliseconds = Date.parse(until ?? '') - Date.parse(since ?? '')
  if (!(milliseconds > 0)) return undefined
  return milliseconds < 1000 ? `${milliseconds} ms` : secondsText(milliseconds)
}

/** A text as a tree if it is JSON, else as it is. */
function Value({ label, text }: { readonly label: string; readonly text: string }): ReactElement {
  const tree = useMemo(() => treeIn(text), [text])
  const [isText, setText] = useState(false)
  return (
    <section aria-label={label}>
      <div className="flex items-center gap-1 text-xs">
        <span className="grow text-muted">{label}</span>
        {tree && (
          <Button kind="quiet" small aria-pressed={isText} onClick={() => setText(!isText)}>
            {isText ? 'As a tree' : 'As text'}
          </Button>
        )}
        <CopyButton text={text} label={`Copy: ${label}`} />
      </div>
      {tree && !isText ? (
        <JsonTree value={tree} label={label} />
      ) : (
        <FoldedText text={text}>{(shown) => <PlainText text={shown} />}</FoldedText>
      )}
    </section>
  )
}

/** A document, a search result or a file, folded: what it is and the start of its text. */
export function Attachment({
  attachment: { type, media, text },
}: {
  readonly attachment: NonNullable<Entry['attachments']>[number]
}): ReactElement {
  return (
    <Folded label="attached" name={media === undefined ? type : `${type}, ${media}`} brief={text}>
      <PlainText text={text === '' ? 'Nothing of it can be read here.' : text} />
    </Folded>
  )
}

/** The result of a tool, folded. */
export function ToolResult({
  entry: { id, text, status, answers, attachments = [] },
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
        <>
          <Value label="Result" text={text} />
          {attachments.map((attachment, index) => (
            <Attachment key={index} attachment={attachment} />
          ))}
        </>
      </Folded>
    </div>
  )
}

function Folded({
  label,
  name,
  brief,
  status,
  took,
  children,
}: {
  readonly label: string
  readonly name: string
  readonly brief: string
  readonly status?: string | undefined
  readonly took?: string | undefined
  readonly children: ReactElement
}): ReactElement {
  return (
    <details className="mt-1 min-w-0 grow rounded-md border border-line bg-sunken/60 px-2 text-[13px]">
      <summary className="flex items-center gap-2 py-1">
        <span className="shrink-0 text-xs text-muted">{label}</span>
        <span className="font-mono font-semibold">{readable(name)}</span>
        {status !== undefined && status !== 'complete' && <Badge tone="warn">{status}</Badge>}
        <span className="min-w-0 grow truncate font-mono text-xs text-muted">{readable(brief.slice(0, 400))}</span>
        {took !== undefined && (
          <span className="shrink-0 text-xs text-muted" title="From the call to its result">
            {took}
          </span>
        )}
      </summary>
      <div className="pb-2">{children}</div>
    </details>
  )
}

const says: Readonly<Record<string, string>> = {
  system: 'System',
  note: 'Note to self',
  journal: 'Journal',
  receipt: 'Model call',
  settings: 'Settings',
  pending: 'Setup or waiting message',
  revocation: 'Taken back',
  retry: 'Asked again',
  wait: 'Waits',
  decision: 'Decision',
  start: 'Started',
  form: 'Form',
}

/** An entry that only admins see, folded. A receipt links to the inspector. */
export function HiddenEntry({
  thread,
  entry: { id, kind, text, status, speaker },
  verdict,
}: {
  readonly thread: string
  readonly entry: Entry
  readonly verdict: Verdict | undefined
}): ReactElement {
  const brief = (briefs[kind] ?? firstWords)(text, speaker)
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
          <span className="min-w-0 grow truncate text-xs text-muted">
            {status === 'erased' ? 'erased' : readable(brief)}
          </span>
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

const briefs: Readonly<Record<string, (text: string, speaker: string | undefined) => string>> = {
  receipt: receiptBrief,
  wait: waitBrief,
  decision: decisionBrief,
  start: startBrief,
}

function firstWords(text: string): string {
  return text.slice(0, 160).replaceAll('\n', ' ')
}

function waitBrief(text: string): string {
  const { calls } = Object(parsed(text)) as { readonly calls?: readonly { index: number; needs: string }[] }
  return (calls ?? []).map(({ index, needs }) => `call ${index + 1} needs ${needs}`).join(' · ')
}

function decisionBrief(text: string, speaker: string | undefined): string {
  const { call, ...decision } = Object(parsed(text)) as Decision & { readonly call?: number }
  const what = decision.do === undefined ? firstWords(text) : outcomeText(decision)
  return [`call ${(call ?? 0) + 1}`, what, speaker === undefined ? undefined : `by ${speaker}`]
    .filter(Boolean)
    .join(' · ')
}

function startBrief(text: string): string {
  const { calls } = Object(parsed(text)) as { readonly calls?: readonly number[] }
  return (calls ?? []).map((index) => `call ${index + 1} runs`).join(' · ')
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
    `sent ≈ ${countOf(tokens?.predicted)} tokens`,
    reported === undefined ? undefined : `server read ${countOf(reported)}`,
    mode,
    truncated === 'yes' ? 'truncated upstream' : undefined,
    outcome,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** What is not a number is not known. */
function countOf(value: unknown): string {
  return typeof value === 'number' ? grouped(value) : '?'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The verdict of an entry in the call that the inspector shows. A click selects it there. */
export function VerdictButton({ verdict, entry }: { readonly verdict: Verdict; readonly entry: string }): ReactElement {
  const navigate = useNavigate()
  return (
    <button
      type="button"
      aria-label={`${verdict}: show it in the inspector`}
      onClick={() => void navigate({ to: '.', search: (before) => ({ ...before, at: entry }) })}
    >
      <VerdictBadge verdict={verdict} />
    </button>
  )
}

/** Keeps the branch in the address. */
export function keepHead({ head }: { readonly head?: string | undefined }): { readonly head?: string } {
  return head === undefined ? {} : { head }
}
