/** Why a turn ends without an answer. */
export interface Stopping {
  readonly status: 'cancelled' | 'failed'
  readonly code: string
  readonly reason: string
  /** What was thrown: for the caller, never for the record. */
  readonly error?: unknown
}

export const cancelled: Stopping = { status: 'cancelled', code: 'cancelled', reason: 'The turn was cancelled.' }
