import type { CompileOptions, Entry } from 'minutebook'
import { settingsFrom, type CallSettings } from 'minutebook/inspect'
import { sha256 } from 'minutebook/store'

/** The functions that the settings of a call name but cannot store. */
export type Functions = Pick<CompileOptions, 'counter' | 'digesters'>

/** The settings of the calls of a log, by the hash that receipts have. */
export function settingsIn(log: readonly Entry[]): ReadonlyMap<string, CallSettings> {
  const recorded = log.filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return new Map(recorded.map((entry) => [sha256(entry.text), settingsFrom(entry)]))
}
