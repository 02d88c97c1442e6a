import type { Entry } from 'minutebook'
import type { CallStanding } from 'minutebook/inspect'
import type { Fields } from './file.ts'

/** What a tool part says of a call that needs approval. Without `approved`: it waits for a decision. */
export interface Approval {
  /** The id of the open call, for `thread.decide`. */
  readonly id: string
  readonly approved?: boolean
  readonly reason?: string
}

/** Undefined if the call needs no approval. */
function approvalOf({ gate, taken }: CallStanding): Approval | undefined {
  if (gate?.needs !== 'approval') return undefined
  const { id } = gate
  if (!taken) return { id }
  if (taken.decision.do !== 'refuse') return { id, approved: true }
  const { reason } = taken.decision
  return { id, approved: false, ...(reason !== undefined && { reason }) }
}

/** The part of a call that has no result yet. */
export function openPart(part: Fields, standing: CallStanding | undefined): Fields {
  const approval = standing && approvalOf(standing)
  if (!approval) return part
  return { ...part, state: approval.approved === undefined ? 'approval-requested' : 'approval-responded', approval }
}

/**
 * The part of a call that has a result. A call that needed approval and did not run is denied: it was refused, or the
 * turn was stopped while it waited.
 */
export function closedPart(answered: Fields, standing: CallStanding | undefined, status: Entry['status']): Fields {
  const approval = standing && approvalOf(standing)
  if (!approval || approval.approved) return answered
  const { approval: _approval, errorText, ...part } = answered
  const denied = { ...part, state: 'output-denied' }
  if (approval.approved === false) return { ...denied, approval }
  if (status === 'cancelled') return { ...denied, approval: { ...approval, approved: false, reason: errorText } }
  // It ran, so it was approved. The decision, or what says that there must be one, was erased.
  return { ...part, ...(errorText !== undefined && { errorText }) }
}
