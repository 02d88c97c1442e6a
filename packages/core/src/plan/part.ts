import type { OutlineLine } from '../digest/outline.ts'
import type { ClippedEntry } from '../fold/ladder.ts'

/** The tiers of a prompt, in the order of a budget bar. */
export type Tier = 'system' | 'pinned' | 'notes' | 'outline' | 'marker' | 'verbatim' | 'recall' | 'current'

/** A stretch of a prompt. A plan is a list of these; rendering writes them down and decides nothing. */
export type Part = EntriesPart | DigestPart | MarkerPart | RecallPart | NotesPart

/** Entries as they are, but for those that are clipped. */
export interface EntriesPart {
  readonly shape: 'entries'
  readonly tier: Tier
  readonly from: number
  readonly to: number
  /** Entries before this index go without their reasoning. */
  readonly bare: number
  /** Whether system entries in between stand here; else they are in the head. */
  readonly systems: boolean
  /** Whether notes in between stand here; else they are folded like older ones. */
  readonly notes: boolean
  readonly clips: readonly ClippedEntry[]
  readonly tokens: number
}

/** What is older, in brief. */
export interface DigestPart {
  readonly shape: 'digest'
  readonly tier: Tier
  /** Of whole exchanges, or of the steps of a turn. */
  readonly of: 'exchanges' | 'steps'
  readonly lines: readonly OutlineLine[]
  readonly tokens: number
}

/** What stands where something is omitted. */
export interface MarkerPart {
  readonly shape: 'marker'
  readonly tier: 'marker'
  readonly text: string
  readonly tokens: number
}

/** Entries from before the cut, quoted. */
export interface RecallPart {
  readonly shape: 'recall'
  readonly tier: 'recall'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
  readonly tokens: number
}

/** The newest notes from before the cut, under one heading. */
export interface NotesPart {
  readonly shape: 'notes'
  readonly tier: 'notes'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
  readonly clips: readonly ClippedEntry[]
  readonly tokens: number
}
