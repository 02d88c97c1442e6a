import { z } from '@hono/zod-openapi'
import type { DigesterData } from 'minutebook/compile'
import type { PolicyConfig } from '@minutebook/experiment/run'
import { digesterProblem } from '../../config/problems.ts'
import type { NamedPolicy } from '../../stores/policies.ts'
import { shape, text, whole } from './schema.ts'

const share = z.number().min(0).max(1)

const digester = z
  .strictObject({
    id: z.string().openapi({ description: 'A name and a version.', example: 'lamp@1' }),
    tool: z.string().optional().openapi({ description: 'Only for results of this tool.' }),
    line: whole.optional().openapi({ description: 'The most tokens of a line with this digest while there is room.' }),
    when: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .openapi({ description: 'Only for values that have exactly this at these paths.' }),
    template: z.string().openapi({
      description: 'A text with paths into the JSON value in braces.',
      example: '{name}: {steps[*].color}',
    }),
    each: z
      .record(z.string(), z.string())
      .optional()
      .openapi({ description: 'The template for each item of a list, by the path of the list.' }),
    join: z.string().optional().openapi({ description: 'What comes between the items of a list. Default: `, `.' }),
  })
  .superRefine((data, context) => {
    const problem = digesterProblem(data)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  }) as unknown as z.ZodType<DigesterData>

const policyFields = z.strictObject({
  preset: z.enum(['default', 'lastMessages', 'tiered', 'firstAndRecent']),
  recall: z
    .enum(['off', 'gated', 'eager'])
    .optional()
    .openapi({ description: 'For the preset `default`: when older entries are brought back.' }),
  epochs: z.boolean().optional(),
  messages: whole
    .min(1)
    .max(1e6)
    .optional()
    .openapi({ description: 'For the preset `lastMessages`: how many messages are sent.' }),
  verbatim: whole
    .min(0)
    .max(1e6)
    .optional()
    .openapi({ description: 'For the preset `tiered`: how many exchanges are sent verbatim.' }),
  line: whole
    .min(1)
    .max(1e6)
    .optional()
    .openapi({ description: 'For the preset `tiered`: the most tokens of a digest. Default: 64.' }),
  share: share.optional().openapi({
    description:
      'For the preset `tiered`: how much of the room digests may take if whole exchanges need it. Default: 0.25.',
  }),
  overflow: z.enum(['error', 'keep']).optional(),
  notes: z.boolean().optional().openapi({ description: 'Whether the model is asked for notes to self.' }),
  journal: z.boolean().optional(),
  notesRole: z.enum(['system', 'user']).optional().openapi({
    description: 'The role of notes in prompts. Default: `system`. The journal always has the role `user`.',
  }),
  shares: z
    .strictObject({
      outline: share.optional(),
      recall: share.optional(),
      notes: share.optional(),
      pins: share.optional(),
    })
    .optional()
    .openapi({ description: 'Other shares for the tiers of the preset.' }),
  digesters: z
    .array(digester)
    .max(16)
    .optional()
    .openapi({ description: 'Templates that put JSON answers and tool results of older exchanges into a line.' }),
})

/** How a long conversation is fitted into the window. */
export const policy: z.ZodType<PolicyConfig> = shape(
  'Policy',
  policyFields.openapi({ example: { preset: 'tiered', verbatim: 2 } }),
)

export const namedPolicy: z.ZodType<NamedPolicy> = shape(
  'NamedPolicy',
  z.object({
    name: text.openapi({ example: 'short' }),
    source: z.enum(['preset', 'configured', 'recorded']),
    policy: policyFields,
  }),
)

export const policyList: z.ZodType<{ readonly policies: readonly NamedPolicy[] }> = shape(
  'PolicyList',
  z.object({ policies: z.array(namedPolicy) }),
)

export const policyParams: z.ZodType<{ readonly policy: string }> = z.object({
  policy: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: 'must be 1 to 64 letters, digits, ".", "_" or "-"' })
    .openapi({ example: 'short' }),
}) as unknown as z.ZodType<{ readonly policy: string }>

export const removed: z.ZodType<{ readonly removed: boolean }> = shape('Removed', z.object({ removed: z.boolean() }))
