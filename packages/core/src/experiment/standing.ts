import type { Ended, RunEvent } from './event.ts'

/** How a run stands. */
export type RunStatus = 'running' | 'paused' | 'stopping' | Ended['outcome']

export interface RunStanding {
  readonly status: RunStatus
  /** Why, where it is over. */
  readonly reason?: string
  /** The step that is played, or was last; 0 before the first. */
  readonly step: number
  /** Whether that step is over. */
  readonly isStepped: boolean
}

/** How a run stands, by its events. */
export function standingOf(events: readonly RunEvent[]): RunStanding {
  let standing: RunStanding = { status: 'running', step: 0, isStepped: true }
  for (const event of events) {
    const { step, isStepped } = standing
    if (event.type === 'step') standing = { ...standing, step: event.step, isStepped: false }
    if (event.type === 'stepped') standing = { ...standing, isStepped: true }
    if (event.type === 'paused' && standing.status === 'running') standing = { ...standing, status: 'paused' }
    if (event.type === 'resumed' && standing.status === 'paused') standing = { ...standing, status: 'running' }
    if (event.type === 'stopped' && !isOver(standing.status)) standing = { ...standing, status: 'stopping' }
    if (event.type === 'ended') standing = { status: event.outcome, reason: event.reason, step, isStepped }
    if (event.type === 'retried' && (standing.status === 'error' || standing.status === 'stopped')) standing = { status: 'running', step, isStepped }
  }
  return standing
}

export function isOver(status: RunStatus): status is Ended['outcome'] {
  return status !== 'running' && status !== 'paused' && status !== 'stopping'
}
