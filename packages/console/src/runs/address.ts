import { nameIn, segmentOf } from '../api/segment.ts'

/** The name of a run in an address. */
export const runParams = {
  parse: ({ run }: { run: string }): { run: string } => ({ run: nameIn(run) }),
  stringify: ({ run }: { run: string }): { run: string } => ({ run: segmentOf(run) }),
}

/** The cell that is open. */
export interface RunSearch {
  readonly step?: number | undefined
  readonly participant?: string | undefined
}

export function runSearch({ step, participant }: Record<string, unknown>): RunSearch {
  return { ...(typeof step === 'number' && Number.isSafeInteger(step) && { step }), ...(typeof participant === 'string' && { participant }) }
}

/** The runs that are compared. */
export interface CompareSearch {
  readonly left?: string | undefined
  readonly right?: string | undefined
}

/** A name that is a number comes as one. */
export function compareSearch({ left, right }: Record<string, unknown>): CompareSearch {
  const name = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
  return { ...(name(left) !== undefined && { left: name(left) }), ...(name(right) !== undefined && { right: name(right) }) }
}
