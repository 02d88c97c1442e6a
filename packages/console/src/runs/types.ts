import type { Board, Comparison, RunStatus, Spending, Value } from '@minutebook/experiment/run'

/** A run in the list. */
export interface RunSummary {
  readonly run: string
  /** Of the experiment. */
  readonly name: string
  readonly status: RunStatus
  readonly reason?: string
  readonly round: number
  /** As many rounds as are allowed; null where nobody says. */
  readonly limit?: number | null
  readonly spending: Spending
  readonly began?: string
  readonly changed?: string
  readonly forked?: { readonly run: string; readonly round: number }
}

/** A board with what the experiment says, for those who may see that. */
export interface RunBoard extends Board {
  readonly limit?: number | null
  readonly definition?: Value
  /** How many variables this key may not see. */
  readonly hidden?: number
}

export interface RunPage {
  readonly runs: readonly RunSummary[]
  /** Where the next page begins. */
  readonly next?: string
}

/** Something in a definition that cannot be, where, and what to do. */
export interface DefinitionProblem {
  readonly line?: number
  readonly column?: number
  readonly field: string
  readonly problem: string
  readonly fix?: string
}

export type { Comparison, RunStatus, Spending, Value }
