import { useRef, useState, type ReactElement } from 'react'
import { Button } from './ui.tsx'

interface CopyButtonProps {
  /** A text that is long to make is made when it is asked for. */
  readonly text: string | (() => string)
  /** What it copies, for screen readers. */
  readonly label?: string
  /** Default: Copy. */
  readonly name?: string
  /** Gets the text that the browser did not let into the clipboard. Default: the button says that it failed. */
  readonly onRefused?: (text: string) => void
}

/** Copies a text. */
export function CopyButton({ text, label, name = 'Copy', onRefused }: CopyButtonProps): ReactElement {
  const [became, setBecame] = useMoment<'Copied' | 'Failed'>()
  const copy = async (): Promise<void> => {
    const words = typeof text === 'string' ? text : text()
    const isCopied = await copyText(words)
    if (isCopied || !onRefused) setBecame(isCopied ? 'Copied' : 'Failed')
    else onRefused(words)
  }
  return (
    <Button kind="quiet" small onClick={() => void copy()} aria-label={became ? undefined : label}>
      {became ?? name}
    </Button>
  )
}

interface CopyLinkProps {
  readonly link: () => string
  /** What it leads to, for screen readers. */
  readonly label?: string
}

/** Copies a link. If the browser does not allow that, it is shown as text that is selected, until the focus leaves it. */
export function CopyLink({ link, label }: CopyLinkProps): ReactElement {
  const [refused, setRefused] = useState<string>()
  return (
    <>
      <CopyButton text={link} name="Copy link" {...(label !== undefined && { label })} onRefused={setRefused} />
      {refused !== undefined && (
        <input
          readOnly
          autoFocus
          aria-label="The link: the browser does not allow copying, so copy it yourself"
          value={refused}
          onFocus={(event) => event.target.select()}
          onBlur={() => setRefused(undefined)}
          className="w-56 min-w-0 rounded-md border border-line bg-sunken px-1.5 py-0.5 text-xs"
        />
      )}
    </>
  )
}

/** Returns whether the browser took it. On plain HTTP of another machine, there is no clipboard at all. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** A value that is undefined again soon after it was set: what a button says that became of a click. */
export function useMoment<T>(): readonly [value: T | undefined, set: (value: T) => void] {
  const [value, setValue] = useState<T>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const set = (next: T): void => {
    clearTimeout(timer.current)
    setValue(() => next)
    timer.current = setTimeout(setValue, moment, undefined)
  }
  return [value, set]
}

/** Milliseconds. */
const moment = 1500
