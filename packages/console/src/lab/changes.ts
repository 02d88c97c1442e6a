import { policyOf, type PolicyConfig } from '@minutebook/experiment/run'
import type { CompileOptions, Policy, Profile } from 'minutebook'

export type Preset = PolicyConfig['preset']

/** The sliders that were moved. Without any, everything is as recorded. */
export interface Changes {
  readonly window?: number
  readonly reserve?: number
  readonly preset?: Preset
  /** The most exchanges, or messages for `lastMessages`. */
  readonly verbatim?: number
  /** Shares, from 0 to 1. */
  readonly outline?: number
  readonly recall?: number
  readonly notes?: number
  readonly profile?: Profile
}

export function isUntouched(changes: Changes): boolean {
  return Object.keys(changes).length === 0
}

/** The options for making prompts again. `recorded`: the policy of the recorded call. */
export function optionsOf(changes: Changes, recorded: Policy): Partial<CompileOptions> {
  const { window, reserve, profile } = changes
  const touched =
    changes.preset !== undefined ||
    changes.verbatim !== undefined ||
    changes.outline !== undefined ||
    changes.recall !== undefined ||
    changes.notes !== undefined
  return {
    ...(window !== undefined && { window }),
    ...(reserve !== undefined && { reserve }),
    ...(profile !== undefined && { profile }),
    ...(touched && { policy: policyFrom(policyConfigOf(changes, recorded), recorded) }),
  }
}

/**
 * The policy of the sliders, as the server stores it: the chosen or recorded preset, with the changes.
 *
 * @example
 * policyConfigOf({ outline: 0.2 }, defaultPolicy()) // { preset: 'default', recall: 'gated', shares: { outline: 0.2 } }
 */
export function policyConfigOf({ preset, verbatim, outline, recall, notes }: Changes, recorded: Policy): PolicyConfig {
  const base =
    preset === undefined || preset === presetOf(recorded)
      ? configOf(recorded)
      : {
          preset,
          overflow: recorded.overflow,
          ...(recorded.notes?.role && { notesRole: recorded.notes.role }),
          ...digestersOf(recorded),
        }
  const shares = {
    ...base.shares,
    ...(outline !== undefined && { outline }),
    ...(recall !== undefined && { recall }),
    ...(notes !== undefined && { notes }),
  }
  const { shares: _, ...rest } = base
  return {
    ...rest,
    ...(verbatim !== undefined && base.preset === 'tiered' && { verbatim }),
    ...(verbatim !== undefined && base.preset === 'lastMessages' && { messages: Math.max(1, verbatim) }),
    ...(Object.keys(shares).length > 0 && { shares }),
  }
}

/** Guesses the preset of a policy from its fields. */
export function presetOf({ verbatim: { exchanges, messages }, system }: Policy): Preset {
  if (messages !== undefined) return 'lastMessages'
  if (exchanges !== undefined) return 'tiered'
  return system === 'first' ? 'firstAndRecent' : 'default'
}

/** A policy as the server stores it: a preset, and shares for what differs from it. */
export function configOf(policy: Policy): PolicyConfig {
  const preset = presetOf(policy)
  const { exchanges, messages } = policy.verbatim
  const named: PolicyConfig = {
    preset,
    ...(preset === 'default' && { recall: recallOf(policy) }),
    ...(preset === 'default' && policy.epochs === null && { epochs: false }),
    ...(preset === 'lastMessages' && messages !== undefined && { messages }),
    ...(preset === 'tiered' && exchanges !== undefined && { verbatim: exchanges }),
    ...(preset === 'tiered' && policy.outline && policy.outline.line !== 64 && { line: policy.outline.line }),
    ...(policy.overflow === 'keep' && { overflow: 'keep' as const }),
    ...(policy.notes?.role && { notesRole: policy.notes.role }),
    ...digestersOf(policy),
  }
  const plain = policyOf(named)
  const shares = {
    ...((policy.outline?.share ?? 0) !== (plain.outline?.share ?? 0) && { outline: policy.outline?.share ?? 0 }),
    ...((policy.recall?.reserve ?? 0) !== (plain.recall?.reserve ?? 0) && { recall: policy.recall?.reserve ?? 0 }),
    ...(policy.notes?.share !== undefined && { notes: policy.notes.share }),
  }
  return { ...named, ...(Object.keys(shares).length > 0 && { shares }) }
}

/** The templates of a policy. Functions are only named in it, and the server has none. */
function digestersOf({ digesters }: Policy): Pick<PolicyConfig, 'digesters'> {
  return digesters ? { digesters: digesters.filter((digester) => typeof digester !== 'string') } : {}
}

/** Gated and eager recall differ in how good a match must be. */
function recallOf({ recall }: Policy): 'off' | 'gated' | 'eager' {
  if (!recall) return 'off'
  return recall.ofBest === 0 ? 'eager' : 'gated'
}

/** Builds the policy of a configuration. Returns the recorded one if it is the same. */
function policyFrom(config: PolicyConfig, recorded: Policy): Policy {
  return JSON.stringify(configOf(recorded)) === JSON.stringify(config) ? recorded : policyOf(config)
}

/** Profiles to try, for the common kinds of chat templates. */
export const profiles: Readonly<Record<string, Profile>> = {
  everything: {},
  systemFirst: { systemFirstOnly: true },
  alternating: { systemFirstOnly: true, mustAlternate: true },
  noSystem: { noSystem: true, mustAlternate: true },
  noTools: { noTools: true },
  strict: {
    systemFirstOnly: true,
    mustAlternate: true,
    needsUser: true,
    answerAfterTool: true,
    oneCallAtATime: true,
    normalized: true,
  },
}

export const profileNames: Readonly<Record<string, string>> = {
  everything: 'everything is allowed',
  systemFirst: 'one system message, first',
  alternating: 'user and assistant alternate',
  noSystem: 'no system message',
  noTools: 'no tools',
  strict: 'strict: all of these',
}

/** The name of a profile, or `everything` if it has none. */
export function profileNamed(profile: Profile): string {
  return (
    Object.keys(profiles).find((name) => JSON.stringify(profiles[name]) === JSON.stringify(profile)) ?? 'everything'
  )
}
