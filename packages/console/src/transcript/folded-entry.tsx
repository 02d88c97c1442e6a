import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Verdict } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import type { Decision } from '../api/waiting.ts'
import { VerdictBadge } from '../inspector/verdict.tsx'
import { readable } from '../ui/text.ts'
import { Badge, PlainText } from '../ui/ui.tsx'
import { outcomeText } from '../waiting/outcome.ts'

/** A tool call, folded: its name and the start of its arguments. */
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
          <PlainText text={text} />
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
