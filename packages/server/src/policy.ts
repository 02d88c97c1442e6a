import { adjusted, defaultPolicy, firstAndRecent, lastMessages, tiered, type Policy } from 'minutebook'
import type { PolicyConfig } from './config.ts'

/**
 * The policy that the settings ask for.
 *
 * @example
 * const policy = policyOf(config.policy)
 */
export function policyOf({ shares, notesRole, ...settings }: PolicyConfig): Policy {
  const policy = presetOf(settings)
  return shares || notesRole ? adjusted(policy, { ...shares, notesRole }) : policy
}

function presetOf({ preset, recall, epochs, messages = 50, verbatim, overflow }: PolicyConfig): Policy {
  const shared = overflow === undefined ? {} : { overflow }
  switch (preset) {
    case 'lastMessages':
      return lastMessages(messages, shared)
    case 'tiered':
      return tiered({ ...shared, ...(verbatim !== undefined && { verbatim }) })
    case 'firstAndRecent':
      return firstAndRecent(shared)
    case 'default':
      return defaultPolicy({
        ...shared,
        ...(recall !== undefined && { recall }),
        ...(epochs !== undefined && { epochs }),
      })
  }
}

export const presets: readonly PolicyConfig['preset'][] = ['default', 'lastMessages', 'tiered', 'firstAndRecent']
