import { z } from '@hono/zod-openapi'
import type { CallBrief } from '../../archive/calls.ts'
import type { Counts, Inspection } from '../../archive/inspection.ts'
import { cacheUsage, callName } from './cache.ts'
import { entry } from './entry.ts'
import { callCost, erased, receipt } from './record.ts'
import { id, shape, text, whole } from './schema.ts'
import { threadParams, type ThreadParams } from './thread.ts'

export interface CallParams extends ThreadParams {
  readonly receipt: string
}

export const callParams: z.ZodType<CallParams> = (threadParams as unknown as z.ZodObject).extend({
  receipt: text.min(1).max(100).openapi({ description: 'The id of the receipt of a model call.', example: 'c02d11' }),
}) as unknown as z.ZodType<CallParams>

export const callsQuery: z.ZodType<{ readonly head?: string | undefined }> = z.object({
  head: text
    .max(100)
    .optional()
    .openapi({ description: 'The branch that ends with this entry. Default: the newest one.' }),
}) as unknown as z.ZodType<{ readonly head?: string | undefined }>

export const calls: z.ZodType<{ readonly calls: readonly CallBrief[] }> = shape(
  'Calls',
  z.object({
    calls: z.array(
      z.object({
        receipt,
        turn: whole.openapi({ description: 'The number of the turn of the call on the branch, counted from 1.' }),
        question: text.nullable().openapi({ description: 'The user entry of that turn.' }),
        model: text.nullable(),
        window: whole.nullable(),
        reserve: whole.nullable(),
        policy: text.nullable(),
      }),
    ),
  }),
)

const tier = z.enum(['system', 'pinned', 'notes', 'outline', 'marker', 'verbatim', 'recall', 'current']).nullable()
const kind = (entry as unknown as z.ZodObject).shape['kind'] as unknown as z.ZodType

export const inspection: z.ZodType<Inspection> = shape(
  'Inspection',
  z.object({
    thread: text,
    turn: whole.nullable(),
    call: callName,
    model: text.nullable(),
    receipt,
    window: whole,
    reserve: whole,
    tokens: whole.openapi({ description: 'The tokens of the whole prompt, as the counter counts them.' }),
    overflow: whole,
    counter: text,
    policy: text,
    shares: z
      .array(z.object({ name: text, tokens: whole }))
      .openapi({ description: 'What the window was used for, in the order of the prompt.' }),
    entries: z
      .array(
        z.object({
          id,
          seq: whole,
          kind,
          tier,
          tokens: whole,
          reason: text,
          title: text,
          verdict: z.enum(['verbatim', 'clipped', 'recalled', 'digested', 'outlined', 'omitted', 'hidden']),
        }),
      )
      .openapi({ description: 'Every entry, and what happened to it.' }),
    messages: z
      .array(
        z.object({
          role: text,
          tokens: whole,
          pieces: z.array(
            z.object({ label: text, tier, entries: z.array(text), tokens: whole, text: text.optional() }),
          ),
        }),
      )
      .openapi({ description: 'The messages of the prompt, each with the segments that it is made of.' }),
    reused: whole.openapi({
      description: 'How many messages at the beginning are the same as in the previous prompt, byte for byte.',
    }),
    cost: callCost,
    cache: cacheUsage.nullable().openapi({ description: 'Null if the previous prompt cannot be derived.' }),
    hash: text,
    same: z.boolean().openapi({ description: 'Whether the prompt has the hash of the one that was sent.' }),
    erased,
    hidden: z
      .object({ entries: whole, messages: whole, tools: whole })
      .openapi({ description: 'How many entries, messages and tools are left out, because the key may not see them.' }),
    sent: z
      .object({
        messages: z.array(z.looseObject({ role: text })),
        tools: z.array(z.looseObject({ type: text })),
        text,
        under: z.object({
          policy: z.looseObject({ name: text }).nullable(),
          profile: z.looseObject({}),
          wire: text.nullable(),
        }),
      })
      .optional()
      .openapi({ description: 'Only for admins: exactly what was sent, and the settings of the call.' }),
  }),
)

export const counts: z.ZodType<Counts> = shape(
  'Counts',
  z.object({
    counter: z
      .object({ name: text, overhead: z.union([z.number(), z.looseObject({ message: z.number() })]) })
      .nullable()
      .openapi({ description: 'Null for the estimator, which every client has.' }),
    counts: z.record(text, whole).openapi({
      description: 'The tokens of each text, by the first 16 hexadecimal digits of the SHA-256 of the text.',
    }),
  }),
)
