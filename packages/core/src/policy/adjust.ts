import { defaultPolicy, type NotesRole, type Policy } from './policy.ts'

/** How much the tiers of a policy may take. What is not given stays as the policy has it; 0 leaves a tier out. */
export interface TierShares {
  /** What is older, in brief: a part of the room, from 0 to 1. */
  readonly outline?: number | undefined
  /** Kept free for what is recalled: a part of the room, from 0 to 1. */
  readonly recall?: number | undefined
  /** What the notes that fold into the head may take of the budget, from 0 to 1. */
  readonly notes?: number | undefined
}

/** What can be changed of a policy: the shares of its tiers, and the role that notes stand under. */
export interface Adjustments extends TierShares {
  readonly notesRole?: NotesRole | undefined
}

/**
 * The policy with other shares for its tiers, or another role for its notes. Its name says so.
 *
 * @example
 * adjusted(defaultPolicy(), { outline: 0.2, recall: 0 }).name // 'default (recall gated), outline 20%, recall 0%'
 */
export function adjusted(policy: Policy, { outline, recall, notes, notesRole }: Adjustments): Policy {
  const said = Object.entries({ outline, recall, notes }).filter(([, share]) => share !== undefined)
  return {
    ...policy,
    name: [policy.name, ...said.map(([tier, share]) => `${tier} ${Math.round(Number(share) * 100)}%`), ...(notesRole === undefined ? [] : [`notes as ${notesRole}`])].join(', '),
    ...(outline !== undefined && { outline: outline === 0 ? null : { line: 64, ...policy.outline, share: outline } }),
    ...(recall !== undefined && { recall: recallOf(policy, recall) }),
    ...((notes !== undefined || notesRole !== undefined) && { notes: { ...policy.notes, ...(notes !== undefined && { share: notes }), ...(notesRole !== undefined && { role: notesRole }) } }),
  }
}

function recallOf(policy: Policy, share: number): Policy['recall'] {
  const setting = policy.recall ?? defaultPolicy().recall
  return share === 0 || !setting ? null : { ...setting, reserve: share, largest: Math.max(share, setting.largest) }
}
