import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { useMayWrite } from '../api/api.tsx'
import type { Entry, ShownThread } from '../api/entries.ts'
import { useSpeech } from '../api/speech.ts'
import { isPinnable, PinButton } from '../inspector/pin-button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Button, Icon } from '../ui/ui.tsx'

interface EntryActionsProps {
  readonly thread: string
  readonly entry: Entry
  /** For the newest answer: the question to answer again. */
  readonly question: Entry | undefined
  readonly onEdit: (entry: Entry) => void
}

/** Buttons of an entry: copy, edit, regenerate. */
export function EntryActions({ thread, entry, question, onEdit }: EntryActionsProps): ReactElement {
  const mayWrite = useMayWrite()
  const { run } = useSpeech()
  const maySpeak = mayWrite && run === undefined && entry.status !== 'erased'
  return (
    <span className="flex items-center gap-0.5">
      <CopyButton text={entry.text} />
      {isPinnable(entry) && (
        <>
          <PinButton thread={thread} entry={entry.id} isPinned={entry.pinned === true} />
          <Link
            to="/threads/$thread/calls/$receipt"
            params={{ thread, receipt: 'last' }}
            search={(before: { readonly head?: string | undefined }) => ({
              ...(before.head !== undefined && { head: before.head }),
              at: entry.id,
            })}
            title="Did the model have this message in later calls?"
            className="rounded-md px-1.5 py-0.5 text-xs font-medium text-muted hover:bg-sunken hover:text-ink"
          >
            Had it?
          </Link>
        </>
      )}
      {maySpeak && entry.kind === 'user' && (
        <Button kind="quiet" small onClick={() => onEdit(entry)}>
          Edit
        </Button>
      )}
      {question && <RetryButton question={question}>Regenerate</RetryButton>}
    </span>
  )
}

/** Asks for another answer, if this key may. */
export function RetryButton({
  question,
  children,
}: {
  readonly question: Entry
  readonly children: ReactNode
}): ReactElement {
  const mayWrite = useMayWrite()
  const { again, isSending, live, run } = useSpeech()
  if (!mayWrite || run !== undefined || question.status === 'erased') return <></>
  return (
    <Button kind="quiet" small disabled={isSending || live.isRunning} onClick={() => void again(question)}>
      {children}
    </Button>
  )
}

interface BranchesProps {
  readonly thread: string
  /** The head of the branch that is shown. `branches`: all of them, newest first. */
  readonly head: string
  readonly branches: ShownThread['branches']
  /** Heads of the branches that continue differently here. */
  readonly elsewhere: readonly string[]
}

/** Switches between the branches that start here, oldest first. */
export function Branches({ thread, head, branches, elsewhere }: BranchesProps): ReactElement {
  const navigate = useNavigate()
  const order = branches.map((branch) => branch.head)
  const heads = [head, ...elsewhere].toSorted((one, other) => order.indexOf(other) - order.indexOf(one))
  const at = heads.indexOf(head)
  const go = (to: string | undefined): void =>
    void (to !== undefined && navigate({ to: '/threads/$thread', params: { thread }, search: { head: to } }))
  return (
    <span className="flex items-center" role="group" aria-label="Branches">
      <Button kind="quiet" small aria-label="Previous branch" disabled={at <= 0} onClick={() => go(heads[at - 1])}>
        <Icon name="previous" size={12} />
      </Button>
      <span className="text-muted tabular-nums">
        {at + 1} / {heads.length}
      </span>
      <Button
        kind="quiet"
        small
        aria-label="Next branch"
        disabled={at >= heads.length - 1}
        onClick={() => go(heads[at + 1])}
      >
        <Icon name="next" size={12} />
      </Button>
    </span>
  )
}
