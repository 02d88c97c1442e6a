import { history } from 'minutebook'
import { receiptsOf, settingsFrom, type CallSettings, type KeptReceipt } from 'minutebook/inspect'
import { sha256, traits, type StoredEntry } from 'minutebook/store'
import type { ProtocolName } from '../config/settings.ts'

/** What a recorded call was made with. Empty if that was erased. */
export interface RecordedSettings extends Partial<Pick<CallSettings, 'model' | 'facts' | 'tools'>> {
  readonly wire?: ProtocolName | null
}

/** What a call of this log was made with. */
export function settingsOf(log: readonly StoredEntry[], { settings }: KeptReceipt): RecordedSettings {
  const entry = log.find((each) => isSettings(each) && sha256(each.text) === settings)
  return entry ? (settingsFrom(entry) as RecordedSettings) : {}
}

/** Where a thread goes on. */
export interface GoingOn {
  /** As in a `RelayTurn`. */
  readonly after?: string | null | undefined
  readonly again?: string | undefined
}

/**
 * What a thread goes on with: what the newest call for the same question was made with, else the newest call on the
 * branch, else the newest call on any branch. Settings are recorded only once on a branch, so the newest settings may
 * be those of an earlier call.
 */
export function settingsAt(log: readonly StoredEntry[], { after, again }: GoingOn): RecordedSettings {
  const settings = log.filter(isSettings)
  const byHash = new Map(settings.map((entry) => [sha256(entry.text), entry]))
  const calls = receiptsOf(log).toReversed()
  const branch = idsOnBranch(log, after)
  const candidates = [
    ...calls.filter(({ head }) => head === again),
    ...calls.filter(({ id }) => branch.has(id)),
    ...calls,
  ]
  const call = candidates.find((each) => byHash.has(each.settings))
  const entry = call ? byHash.get(call.settings) : settings.at(-1)
  return entry ? (settingsFrom(entry) as RecordedSettings) : {}
}

/** The ids of the entries on the branch that ends there. By default, it ends where a message is said next. */
function idsOnBranch(log: readonly StoredEntry[], after: string | null | undefined): ReadonlySet<string> {
  const head = after ?? log.findLast(({ kind }) => traits[kind].chained || endings.has(kind))?.id
  const isEmpty = after === null || head === undefined
  return new Set(isEmpty ? [] : history(log, { head }).map(({ id }) => id))
}

/** Entries that hang off the end of a turn: it is the newest even if another branch has newer messages. */
const endings: ReadonlySet<string> = new Set(['receipt', 'stop', 'retry'])

function isSettings({ kind, status }: StoredEntry): boolean {
  return kind === 'settings' && status !== 'erased'
}
