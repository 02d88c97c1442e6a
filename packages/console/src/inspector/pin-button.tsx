import type { ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import { usePin } from '../api/message-lane.ts'
import { runPlace } from '../api/thread.ts'
import { Button } from '../ui/ui.tsx'

interface PinButtonProps {
  readonly thread: string
  readonly entry: string
  readonly isPinned: boolean
  readonly kind?: 'plain' | 'primary' | 'quiet'
}

/** Pins a message, or unpins it, if this key may. */
export function PinButton({ thread, entry, isPinned, kind = 'quiet' }: PinButtonProps): ReactElement {
  const mayWrite = useMayWrite()
  const { mutate, isPending, error } = usePin(thread)
  // Only its run writes in the thread of a participant.
  if (!mayWrite || runPlace(thread) !== undefined) return <></>
  return (
    <>
      <Button
        kind={kind}
        small
        disabled={isPending}
        title={isPinned ? 'Later prompts need not have it' : 'Every later prompt has a pinned message'}
        onClick={() => mutate({ entry, pinned: !isPinned })}
      >
        {isPinned ? 'Unpin' : 'Pin'}
      </Button>
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error.message}
        </span>
      )}
    </>
  )
}

/** Kinds of messages that can be pinned. */
const pinnable: ReadonlySet<string> = new Set(['user', 'assistant', 'tool'])

export function isPinnable({ kind, status }: { readonly kind: string; readonly status?: string }): boolean {
  return pinnable.has(kind) && status !== 'erased'
}
