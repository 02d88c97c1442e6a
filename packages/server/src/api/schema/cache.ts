import { z } from '@hono/zod-openapi'
import type { CacheCause, CacheUsage, CallCacheUsage } from '@minutebook/inspect'
import { shape, text, whole } from './schema.ts'

const causes = [
  'system',
  'tool_order',
  'tool_text',
  'tool_set',
  'client_compaction',
  'own_compaction',
  'title',
  'thread',
  'model',
  'option',
  'image',
  'edit',
  'server',
] as const satisfies readonly CacheCause[]

/** The name of a call, for people. */
export const callName: z.ZodType<string> = text.openapi({
  description:
    'The name of the call: `3` is the third turn, `3.2` its second call if there are several. A call of a turn on another branch has the beginning of the id of its receipt.',
  example: '3.2',
})

const fields = {
  total: whole.openapi({
    description:
      'The tokens of the whole prompt: as the model server reported them, or else as they were predicted. All other counts are in the same tokens.',
  }),
  previous: whole.openapi({ description: 'The whole previous prompt. 0 if there was none.' }),
  kept: whole.openapi({
    description:
      'How much of the previous prompt need not be read again: what the model server says that it had, or else what both prompts begin with.',
  }),
  lost: whole.openapi({
    description:
      'What the model server had to read again, although the previous prompt had it. `kept` and `lost` together are never more than `total`, nor more than `previous`.',
  }),
  seconds: z
    .number()
    .optional()
    .openapi({ description: 'How long that took, if the model server says how long it read.' }),
  difference: z
    .object({
      place: text.openapi({ description: 'The field that differs.', example: 'messages[0].content' }),
      message: whole.optional().openapi({ description: 'The index of the message that it is in.' }),
      byte: whole.openapi({
        description: 'How many bytes are equal before it, in the canonical JSON of the tools and then of the messages.',
      }),
    })
    .optional()
    .openapi({ description: 'The first difference to the previous prompt. Absent if this prompt only adds to it.' }),
  cause: z.enum(causes).optional().openapi({ description: 'Absent if nothing was lost.' }),
  why: text.optional().openapi({ description: 'The cause in words.' }),
  cached: whole.optional().openapi({ description: 'What the model server says that it took from its cache.' }),
  between: z
    .enum(['title', 'thread'])
    .optional()
    .openapi({ description: 'What the model server answered since the previous prompt.' }),
}

export const cacheUsage: z.ZodType<CacheUsage> = shape('CacheUsage', z.object(fields))

export const cacheUsages: z.ZodType<{ readonly calls: readonly CallCacheUsage[] }> = shape(
  'CacheUsages',
  z.object({ calls: z.array(z.object({ receipt: text, call: callName, model: text.nullable(), ...fields })) }),
)

export const cacheUsageExample: CacheUsage = {
  total: 1840,
  previous: 1795,
  kept: 208,
  lost: 1565,
  seconds: 3.4,
  difference: { place: 'messages[0].content', message: 0, byte: 934 },
  cause: 'system',
  why: 'the system text changed, at messages[0].content',
  cached: 208,
}
