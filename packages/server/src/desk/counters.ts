import type { TokenCounter } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'

/** Counters beside the estimator under which prompts were made: each knows its name. */
export interface CountersAtHand {
  readonly counters?: readonly TokenCounter[] | undefined
}

/**
 * The counter that the newest settings among these entries name, as it is or calibrated. Undefined: the estimator, or
 * one that is not at hand.
 */
export function countersAtHand(
  entries: readonly StoredEntry[],
  { counters = [] }: CountersAtHand,
): TokenCounter | undefined {
  const name = counterName(entries)
  return counters.find((counter) => name === counter.name || name.startsWith(`${counter.name}×`))
}

function counterName(entries: readonly StoredEntry[]): string {
  const { counter } = settingsIn(entries)
  return typeof counter === 'string' ? counter : ''
}

/** What the newest settings entry among these says; nothing where there is none. */
export function settingsIn(entries: readonly StoredEntry[]): {
  readonly model?: unknown
  readonly counter?: unknown
  readonly window?: unknown
} {
  const entry = entries.findLast(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return entry ? (JSON.parse(entry.text) as object) : {}
}
