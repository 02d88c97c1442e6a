import { z } from 'zod'
import type { PolicyConfig } from '../settings.ts'
import { count, oneOf, yesOrNo } from './value.ts'

export const presets = ['default', 'lastMessages', 'tiered', 'firstAndRecent'] as const

const share = z
  .number({ error: 'must be a share from 0 to 1. Write a number.' })
  .min(0, { error: 'must be a share from 0 to 1. Write a number.' })
  .max(1, { error: 'must be a share from 0 to 1. Write a number.' })

export const policy: z.ZodType<PolicyConfig> = z.preprocess(
  (said) => (typeof said === 'string' ? { preset: said } : said),
  z.strictObject(
    {
      preset: oneOf(presets).default('default'),
      recall: oneOf(['off', 'gated', 'eager']).optional(),
      epochs: yesOrNo.optional(),
      messages: count('must be a whole number of messages, 1 or more. Write a number.', 1, 1e6).optional(),
      verbatim: count('must be a whole number of exchanges, 0 or more. Write a number.', 0, 1e6).optional(),
      overflow: oneOf(['error', 'keep']).optional(),
      notes: yesOrNo.optional(),
      journal: yesOrNo.optional(),
      notesRole: oneOf(['system', 'user']).optional(),
      shares: z
        .strictObject(
          { outline: share.optional(), recall: share.optional(), notes: share.optional() },
          { error: 'must be shares by name: outline, recall, notes.' },
        )
        .optional(),
    },
    {
      error: `must be ${presets.join(' or ')}, or settings by name: preset, recall, epochs, messages, verbatim, overflow, notes, journal, notesRole, shares.`,
    },
  ),
)

export const policyName: z.ZodString = z.string().regex(/^[A-Za-z][\w-]{0,63}$/, {
  error: 'is no name for a policy. Write 1 to 64 letters, digits, "_" or "-", a letter first.',
})
