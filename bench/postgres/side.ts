import type { Operation } from './operation.ts'

/** A round of one side: so many clients do the same over and over, first without being counted. */
export interface Round {
  readonly operation: Operation
  readonly clients: number
  readonly warmSeconds: number
  readonly seconds: number
}

/** What a side did while it was counted. */
export interface Played {
  readonly rate: number
  /** Microseconds of processor time for each operation: of the server's connections, and of the side's own. */
  readonly serverTime: number
  readonly clientTime: number
  /** The share of the machine's work that was for something else. */
  readonly othersShare: number
}

export interface Side {
  readonly name: string
  play(round: Round): Promise<Played>
}
