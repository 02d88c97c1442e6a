import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { useMayApprove, useMayWrite } from '../api/api.tsx'
import { useDecide, useOpenCalls, type Decision, type WaitingCall } from '../api/waiting.ts'
import { Failure } from '../ui/placeholders.tsx'
import { readable } from '../ui/text.ts'
import { Badge, Button } from '../ui/ui.tsx'
import { CallInput, inputText, questionOf } from './call-input.tsx'
import { AnswerForm, EditForm, RefuseForm } from './decision-form.tsx'
import { agoText, deadlineOf, firstText, outcomeText, typedText } from './outcome.ts'

interface OpenCallProps {
  readonly open: WaitingCall
  /** Milliseconds since 1970. */
  readonly now: number
  readonly showsThread: boolean
  /** Called with true while something is here that must not go by itself: typed words, or bad news. */
  readonly onKeep: (isKept: boolean) => void
}

/** A call that waits: what it would do, and what can be decided. */
export function OpenCallView({ open, now, showsThread, onKeep }: OpenCallProps): ReactElement {
  const { thread, needs, since } = open
  const article = useRef<HTMLElement>(null)
  const { call, error, again } = useWholeCall(open)
  const [mayWrite, isApprover] = [useMayWrite(), useMayApprove()]
  const mayDecide = mayWrite && (needs === 'answer' || isApprover)
  const { decide, isPending, decided, first, late, isOver, error: failure } = useDecide(open)
  const [form, setForm] = useState<'refuse' | 'edit'>()
  const [answer, setAnswer] = useState('')
  const [isClosed, setClosed] = useState(false)
  const isSettled = decided !== undefined || first !== undefined || isOver
  const [sentAt, setSentAt] = useState(0)
  const deadline = deadlineOf(open, Math.max(now, sentAt))
  const isLate = first !== undefined || isOver
  const typed = late && typedText(late)
  const isKept = !isClosed && (isLate || (!decided && (form !== undefined || answer !== '')))
  useEffect(() => onKeep(isKept), [isKept])
  const send = (decision: Decision): void => {
    // After the deadline the server refuses the call, whatever is decided.
    setSentAt(Date.now())
    if (deadlineOf(open, Date.now())?.isOver && decision.do !== 'refuse') return
    // Its button is about to go.
    if (article.current?.contains(document.activeElement)) article.current.focus()
    decide(decision)
  }
  const close = (): void => {
    setForm(undefined)
    article.current?.focus()
  }
  const mayAct = mayDecide && !isSettled && call !== undefined
  const mayApprove = mayAct && needs === 'approval' && deadline?.isOver !== true
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && form !== undefined) return close()
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || !mayAct) return
    if (event.key === 'a' && mayApprove && form === undefined) send({ do: 'run' })
    else if (event.key === 'a' && needs === 'answer')
      article.current?.querySelector<HTMLElement>('[data-answer]')?.focus()
    else if (event.key === 'r' && form === undefined) setForm('refuse')
    else return
    event.preventDefault()
  }
  const question = call && questionOf(call)
  const refuse = (
    <Button kind={needs === 'answer' ? 'quiet' : 'plain'} onClick={() => setForm('refuse')} disabled={isPending}>
      Refuse <Key name="r" />
    </Button>
  )
  return (
    <article
      ref={article}
      data-open-call={open.id}
      tabIndex={0}
      aria-label={`${readable(open.call.name)} in ${thread}: ${needs === 'approval' ? 'needs approval' : 'needs an answer'}`}
      onKeyDown={press}
      className="group scroll-my-4 space-y-2 rounded-lg border border-l-4 border-line bg-surface px-3 py-2 focus-within:border-accent focus:bg-accent-soft"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <span className="font-mono text-[13px] font-semibold text-ink [overflow-wrap:anywhere]">
          {readable(open.call.name)}
        </span>
        {!isSettled && (
          <Badge tone={needs === 'approval' ? 'warn' : 'accent'}>
            {needs === 'approval' ? 'needs approval' : 'needs an answer'}
          </Badge>
        )}
        {showsThread && (
          <Link
            to="/threads/$thread"
            params={{ thread }}
            className="max-w-full truncate font-mono text-accent underline underline-offset-2"
          >
            {readable(thread)}
          </Link>
        )}
        <span className="grow" />
        {since !== undefined && (
          <time dateTime={since} title={new Date(since).toLocaleString()}>
            {agoText(since, now)}
          </time>
        )}
        {!isSettled && deadline && (
          <Badge
            tone={deadline.isOver ? 'bad' : 'plain'}
            title={`Without a decision, the call is refused after ${new Date(deadline.at).toLocaleString()}`}
          >
            {deadline.text}
          </Badge>
        )}
      </div>
      {error !== null && <Failure error={error} onRetry={again} />}
      {!call && error === null && <p className="text-muted">Reading the input…</p>}
      {question ? (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{readable(question.question)}</p>
      ) : (
        call && !(form === 'edit' && mayApprove) && <CallInput call={call} />
      )}
      {isSettled && (
        <p role="status" className="font-medium">
          {decided ? outcomeText(decided) : first ? firstText(first, now) : overText}
        </p>
      )}
      {typed !== undefined && !isClosed && <Unused text={typed} />}
      {isLate && !isClosed && (
        <Button small onClick={() => setClosed(true)}>
          Close
        </Button>
      )}
      {failure && (
        <p role="alert" className="text-bad">
          {failure.message}
        </p>
      )}
      {mayWrite && !mayDecide && !isSettled && (
        <p className="text-muted">
          This key may not approve calls. An admin may, and so may a key that was made with “decide”.
        </p>
      )}
      {mayAct && deadline?.isOver && (
        <p className="text-muted">There was no decision in time. Refuse it, so that the turn can go on.</p>
      )}
      {!mayAct ? null : form === 'refuse' ? (
        <RefuseForm isPending={isPending} decide={send} onCancel={close} />
      ) : form === 'edit' && mayApprove ? (
        <EditForm given={inputText(call)} isPending={isPending} decide={send} onCancel={close} />
      ) : needs === 'answer' && !deadline?.isOver ? (
        <AnswerForm
          options={question?.options ?? []}
          text={answer}
          onText={setAnswer}
          isPending={isPending}
          decide={send}
        >
          {refuse}
        </AnswerForm>
      ) : (
        <div className="flex flex-wrap gap-2">
          {mayApprove && (
            <Button kind="primary" disabled={isPending} onClick={() => send({ do: 'run' })}>
              Approve <Key name="a" />
            </Button>
          )}
          {refuse}
          {mayApprove && (
            <Button kind="quiet" disabled={isPending} onClick={() => setForm('edit')}>
              Edit input
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

const overText = 'This call no longer waits: its turn ended without a decision.'

/** What was typed for a decision that came too late: it can still be copied. */
function Unused({ text }: { readonly text: string }): ReactElement {
  return (
    <label className="block space-y-1">
      <span className="block text-xs text-muted">You wrote, and it was not used:</span>
      <textarea
        readOnly
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        className="w-full rounded-md border border-line bg-surface px-3 py-1.5"
      />
    </label>
  )
}

/** The key that does the same, while it does. */
function Key({ name }: { readonly name: string }): ReactElement {
  return (
    <kbd aria-hidden="true" className="hidden rounded border border-current px-1 text-[11px] group-focus:inline">
      {name}
    </kbd>
  )
}

/** The call with its input. The list leaves out what is long, so it is read from the thread. */
function useWholeCall({ thread, id, call }: WaitingCall): {
  readonly call: WaitingCall['call'] | undefined
  readonly error: Error | null
  readonly again: () => void
} {
  const isBrief = call.input === undefined && call.arguments === undefined
  const { data, error, refetch } = useOpenCalls(thread, { isOn: isBrief })
  // Once it is read it stays: something may be typed about it when it is gone.
  const read = useRef<WaitingCall['call']>(undefined)
  read.current = data?.find((open) => open.id === id)?.call ?? read.current
  return {
    call: isBrief ? read.current : call,
    error: isBrief && !data ? error : null,
    again: () => void refetch(),
  }
}

/** Whether letters that are typed there are text. */
export function isField(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null
}
