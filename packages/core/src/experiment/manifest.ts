import type { Entry } from '../log/entry.ts'
import { sha256 } from '../log/hash.ts'
import { settingsFrom, type CallSettings } from '../receipts/call-settings.ts'
import { receiptsOf } from '../receipts/receipt.ts'
import type { Begun } from './event.ts'

/** What a run was really made with: enough to say whether another one could come out the same. */
export interface Manifest {
  readonly experiment: string
  /** SHA-256 of the definition's JSON as it is on record: the order of its parts counts. */
  readonly definition: string
  readonly seed: number
  readonly participants: readonly ParticipantManifest[]
}

export interface ParticipantManifest {
  readonly name: string
  /** As they were sent, one after the other where they changed. */
  readonly settings: readonly SentSettings[]
}

/** Under which so many model calls were made. */
export interface SentSettings extends Pick<CallSettings, 'compiler' | 'model' | 'wire' | 'facts' | 'window' | 'reserve' | 'policy' | 'counter'> {
  readonly calls: number
  /** Names of the tools. */
  readonly tools: readonly string[]
}

/** `threads`: the entries of each participant's thread. */
export function manifestOf(begun: Begun, threads: ReadonlyMap<string, readonly Entry[]>): Manifest {
  return {
    experiment: begun.name,
    definition: sha256(JSON.stringify(begun.definition)),
    seed: begun.seed,
    participants: [...threads].map(([name, entries]) => ({ name, settings: settingsSent(entries) })),
  }
}

function settingsSent(entries: readonly Entry[]): readonly SentSettings[] {
  const receipts = receiptsOf(entries)
  const known = entries.filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return [...new Map(known.map((entry) => [entry.text, entry])).values()].flatMap((entry): SentSettings[] => {
    const hash = sha256(entry.text)
    const calls = receipts.filter(({ settings }) => settings === hash).length
    const { compiler, model, wire, facts, window, reserve, policy, counter, tools } = settingsFrom(entry)
    return calls === 0 ? [] : [{ calls, compiler, model, wire, ...(facts && { facts }), window, reserve, policy, counter, tools: tools.map((tool) => tool.function.name) }]
  })
}
