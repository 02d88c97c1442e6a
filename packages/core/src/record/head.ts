import type { Entry } from '../log/entry.ts'
import { traits, type Kind } from '../log/kind.ts'

/**
 * Where a log stands: at the entry that was chained last, or at the one that the newest receipt, stop or retry hangs off.
 * What a model says twice in one place is one entry, and only its second receipt tells that it was said again.
 */
export function headOf(log: readonly Entry[]): string | null {
  const last = log.findLast(({ kind }) => traits[kind].chained || ends.has(kind))
  if (!last) return null
  return traits[last.kind].chained ? last.id : last.parent
}

/** What tells where a turn stands: it ended there, or is to go on from there. */
export const ends: ReadonlySet<Kind> = new Set(['receipt', 'stop', 'retry'])
