import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

export interface BranchesProps {
  readonly thread: string
  /** The head of the branch that is shown, and the heads of all, the newest first. */
  readonly head: string
  readonly branches: readonly string[]
  /** Heads of those that go another way here. */
  readonly elsewhere: readonly string[]
}

/** Goes from one branch to the next at a place where they part, the oldest first. */
export function Branches({ thread, head, branches, elsewhere }: BranchesProps): ReactElement {
  const navigate = useNavigate()
  const heads = [head, ...elsewhere].toSorted((one, other) => branches.indexOf(other) - branches.indexOf(one))
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
