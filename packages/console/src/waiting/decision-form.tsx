import { useId, useState, type FormEvent, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import type { Decision } from '../api/waiting.ts'
import { readable } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'

interface FormProps {
  readonly isPending: boolean
  readonly decide: (decision: Decision) => void
  readonly onCancel: () => void
}

/** Refuses a call, with a reason that the model is told. */
export function RefuseForm({ isPending, decide, onCancel }: FormProps): ReactElement {
  const [reason, setReason] = useState('')
  const said = reason.trim()
  return (
    <Form onSend={() => decide({ do: 'refuse', ...(said !== '' && { reason: said }) })}>
      <label className="block space-y-1">
        <span className="block text-xs text-muted">Reason, for the model (optional)</span>
        <input
          autoFocus
          maxLength={longestReason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          className={field}
        />
      </label>
      <Buttons onCancel={onCancel}>
        <Button type="submit" kind="danger" disabled={isPending}>
          Refuse this call
        </Button>
      </Buttons>
    </Form>
  )
}

/** Of the API, in characters. */
const longestReason = 2000
const field = 'w-full rounded-md border border-strong bg-surface px-3 py-1.5'

/** Approves a call with another input. `given`: the input of the model, as JSON. */
export function EditForm({ given, isPending, decide, onCancel }: FormProps & { readonly given: string }): ReactElement {
  const own = useId()
  const [text, setText] = useState(given)
  const { value, problem } = parsed(text)
  return (
    <Form onSend={() => problem === undefined && decide({ do: 'run', input: value })}>
      <label className="block space-y-1">
        <span className="block text-xs text-muted">Input of the tool, as JSON</span>
        <textarea
          autoFocus
          rows={Math.min(16, Math.max(4, text.split('\n').length + Math.floor(text.length / 90)))}
          value={text}
          spellCheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={own}
          onChange={(event) => setText(event.target.value)}
          className={`${field} font-mono text-[13px]`}
        />
      </label>
      <p id={own} role="status" className="text-xs text-bad">
        {problem}
      </p>
      <Buttons onCancel={onCancel}>
        <Button type="submit" kind="primary" disabled={isPending || problem !== undefined || text === given}>
          Approve with this input
        </Button>
      </Buttons>
    </Form>
  )
}

/** The value of a JSON text, or what is wrong with it. Tools take objects. */
function parsed(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value }
    return { problem: 'The input of a tool is an object: { … }.' }
  } catch (error) {
    return { problem: `This is not JSON. ${error instanceof Error ? error.message : ''}` }
  }
}

interface AnswerFormProps extends Omit<FormProps, 'onCancel'> {
  /** Answers to choose from. Without any, the answer is typed. */
  readonly options: readonly string[]
  readonly text: string
  readonly onText: (text: string) => void
  readonly children: ReactNode
}

/** Answers a call. What is typed is sent as text. */
export function AnswerForm({ options, text, onText, isPending, decide, children }: AnswerFormProps): ReactElement {
  const send = (output: string): void => decide({ do: 'answer', output })
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.repeat && text.trim() !== '') send(text)
  }
  if (options.length > 0)
    return (
      <div role="group" aria-label="Answers" className="flex flex-wrap items-center gap-2">
        {options.map((option) => (
          <Button
            key={option}
            data-answer
            disabled={isPending}
            onClick={() => send(option)}
            className="max-w-full text-left whitespace-normal! [overflow-wrap:anywhere]"
          >
            {readable(option)}
          </Button>
        ))}
        {children}
      </div>
    )
  return (
    <Form onSend={() => text.trim() !== '' && send(text)}>
      <textarea
        data-answer
        aria-label="Answer"
        placeholder="Answer"
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={press}
        className={field}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" disabled={isPending || text.trim() === ''}>
          Send answer
        </Button>
        {children}
      </div>
    </Form>
  )
}

function Form({ onSend, children }: { readonly onSend: () => void; readonly children: ReactNode }): ReactElement {
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onSend()
  }
  // The key that opened the form may still be held down.
  const hold = (event: KeyboardEvent): void => void (event.key === 'Enter' && event.repeat && event.preventDefault())
  return (
    <form className="space-y-2" onSubmit={send} onKeyDown={hold}>
      {children}
    </form>
  )
}

function Buttons({
  onCancel,
  children,
}: {
  readonly onCancel: () => void
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="flex flex-wrap gap-2">
      {children}
      <Button kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
