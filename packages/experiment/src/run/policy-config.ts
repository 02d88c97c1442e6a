import { defaultPolicy, firstAndRecent, lastMessages, tiered, type Policy } from 'minutebook'
import { withShares, type NotesRole, type PolicyChanges } from 'minutebook/inspect'
import type { DigesterData } from 'minutebook/compile'

/** A policy as settings, setups and experiments write it: a preset, and what differs from it. */
export interface PolicyConfig {
  readonly preset: 'default' | 'lastMessages' | 'tiered' | 'firstAndRecent'
  /** For the preset `default`: when older entries are brought back. */
  readonly recall?: 'off' | 'gated' | 'eager' | undefined
  readonly epochs?: boolean | undefined
  /** For the preset `lastMessages`: how many messages are sent. Default: 50. */
  readonly messages?: number | undefined
  /** For the preset `tiered`: how many exchanges are sent verbatim. */
  readonly verbatim?: number | undefined
  /** For the preset `tiered`: the most tokens of a digest. */
  readonly line?: number | undefined
  /** For the preset `tiered`: how much of the room digests may take if whole exchanges need it, from 0 to 1. */
  readonly share?: number | undefined
  readonly overflow?: Policy['overflow'] | undefined
  /** Whether the model is asked for notes to self; then every chat is rewritten. Not part of the policy itself. */
  readonly notes?: boolean | undefined
  /** Whether a record of what tools did is kept. Not part of the policy itself. */
  readonly journal?: boolean | undefined
  /** The role of notes in prompts. Default: `system`. The journal always has the role `user`. */
  readonly notesRole?: NotesRole | undefined
  /** Other shares for the tiers of the preset, from 0 to 1. */
  readonly shares?: Omit<PolicyChanges, 'notesRole'> | undefined
  /** Templates that put JSON answers and tool results of older exchanges into a line. */
  readonly digesters?: readonly DigesterData[] | undefined
}

/**
 * Builds the policy that a configuration describes.
 *
 * @example
 * policyOf({ preset: 'tiered', verbatim: 5 }).name // 'tiered(5)'
 */
export function policyOf({ shares, notesRole, digesters, ...config }: PolicyConfig): Policy {
  const preset = presetOf(config)
  const policy = shares || notesRole ? withShares(preset, { ...shares, notesRole }) : preset
  return digesters ? { ...policy, digesters } : policy
}

function presetOf(config: PolicyConfig): Policy {
  const { preset, recall, epochs, messages = 50, verbatim, line, share, overflow } = config
  switch (preset) {
    case 'lastMessages':
      return lastMessages(messages, { overflow })
    case 'tiered':
      return tiered({ verbatim, line, share, overflow })
    case 'firstAndRecent':
      return firstAndRecent({ overflow })
    case 'default':
      return defaultPolicy({ recall, epochs, overflow })
  }
}
