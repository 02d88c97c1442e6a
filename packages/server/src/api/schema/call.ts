import { z } from '@hono/zod-openapi'
import { verdictTraits, type Verdict } from 'minutebook/compile'
import type { CallBrief } from '../../archive/calls.ts'
import type { Counts, Inspection } from '../../archive/inspection.ts'
import type { EntryLane, LaneChoice } from '../../archive/lane.ts'
import { cacheUsage, callName } from './cache.ts'
import { kind, messageNumber } from './entry.ts'
import { callCost, erased, receipt } from './record.ts'
import { countIn, id, shape, text, whole } from './schema.ts'
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

const verdict = z.enum(Object.keys(verdictTraits) as [Verdict, ...Verdict[]])

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
          number: messageNumber,
          kind,
          tier,
          tokens: whole,
          reason: text,
          title: text,
          verdict,
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

export const laneQuery: z.ZodType<Omit<LaneChoice, 'hidden'>> = z.object({
  head: text
    .max(100)
    .optional()
    .openapi({ description: 'The branch that ends with this entry. Default: the newest one that has the entry.' }),
  limit: countIn(1, 500, 'The most calls. The newest ones are returned. Default: 200.'),
  receipt: text
    .max(100)
    .optional()
    .openapi({ description: 'The call to say of what would have kept the entry. Default: the newest one without it.' }),
}) as unknown as z.ZodType<Omit<LaneChoice, 'hidden'>>

export const lane: z.ZodType<EntryLane> = shape(
  'Lane',
  z.object({
    thread: text,
    entry: id,
    kind,
    number: messageNumber,
    turn: whole.openapi({
      description: 'The number of the turn of the entry, counted from 1. 0 before the first turn.',
    }),
    pinned: z.boolean(),
    head: text.openapi({ description: 'The last entry of the branch.' }),
    calls: z
      .array(
        z.object({
          receipt: text,
          turn: whole,
          verdict: verdict.nullable().openapi({ description: 'Null if the prompt cannot be derived.' }),
          reason: text,
          tokens: whole.openapi({ description: 'What was sent of the entry.' }),
          same: z
            .boolean()
            .openapi({ description: 'Whether the derived prompt has the hash of the one that was sent.' }),
          since: whole.optional().openapi({
            description: 'The turn since which no prompt had the entry. Only if this one did not have it either.',
          }),
          recall: z
            .object({ words: z.array(text), shared: z.array(text), entries: whole, tokens: whole })
            .optional()
            .openapi({
              description:
                'What recall looked for: the words of the question, those of them that the entry has, and how many other entries were recalled.',
            }),
        }),
      )
      .openapi({ description: 'The calls after the entry, oldest first.' }),
    earlier: whole.openapi({ description: 'How many calls before these are left out.' }),
    without: z
      .object({
        receipt: text,
        turn: whole,
        restorations: z.array(
          z.object({
            by: z.enum(['pin', 'policy', 'window', 'system']),
            tokens: z.number().int().openapi({ description: 'How many tokens more the prompt has with it.' }),
            verdict,
            changes: z
              .object({
                window: whole.optional(),
                outline: z.number().optional(),
                recall: z.number().optional(),
                preset: z.enum(['firstAndRecent']).optional(),
              })
              .optional(),
            exceeds: z.literal(true).optional().openapi({
              description:
                'If all pinned messages together would need more than their share, so that some are clipped.',
            }),
          }),
        ),
      })
      .nullable()
      .openapi({ description: 'A call that did not have the entry, and what would have kept it.' }),
  }),
)
