import { z } from '@hono/zod-openapi'
import type { KeptReceipt } from 'minutebook/inspect'
import type { Erasure, SearchResult } from 'minutebook/store'
import type { CallDump, Explanation, ThreadState, ThreadVerification } from '../../archive/archive.ts'
import type { ReplayChanges, ReplayedCall } from '../../archive/replay.ts'
import { countIn, shape, text, whole } from './schema.ts'
import { threadParams, type ThreadParams } from './thread.ts'

/** Parts of a receipt that a run also reports of its calls. */
export const verdictCounts: z.ZodType = z
  .record(text, whole)
  .openapi({ description: 'How many entries had each verdict.' })
export const turnVerdicts: z.ZodType = z
  .object({ question: text, verdicts: z.record(text, whole) })
  .optional()
  .openapi({
    description:
      'What became of the question and of the other entries of its turn. There only if not all of them were sent whole.',
  })
export const shortWindow: z.ZodType = z.object({ asked: whole, given: whole, source: text }).optional().openapi({
  description: 'The window that was asked for, and the one that the model has. There only if that is smaller.',
})

/** What is kept of a model call. */
export const receipt: z.ZodType = z
  .looseObject({
    id: text.openapi({ description: 'The entry that keeps it.' }),
    seq: whole,
    version: whole,
    head: text.openapi({ description: 'The entry that the prompt ends with.' }),
    hash: text.openapi({ description: 'SHA-256 of the canonical JSON of the request’s messages and tools.' }),
    tokens: z.looseObject({
      predicted: whole.openapi({ description: 'What was sent, by our own count.' }),
      reused: whole,
      reported: z.looseObject({
        prompt: whole.optional().openapi({ description: 'What the server says it read.' }),
        completion: whole.optional(),
        cached: whole.optional(),
      }),
    }),
    epoch: whole,
    verdicts: verdictCounts,
    turn: turnVerdicts,
    window: shortWindow,
    outcome: text.openapi({
      description:
        'How the call ended. `refused`: the upstream has a smaller window, and the question was sent again in one that fits.',
    }),
    told: z.looseObject({ window: whole.optional(), prompt: whole.optional() }).optional().openapi({
      description: 'Of a call that was refused: the window that the upstream named, and what it counted in the prompt.',
    }),
    windowSource: text.optional().openapi({ description: 'The source of the window size. `assumed`: there was none.' }),
    truncated: z.enum(['yes', 'no', 'unknown']).optional().openapi({
      description:
        'Whether the server left out a part of what it was sent, by its own counts of this and earlier calls. `unknown`: its counts cannot tell.',
    }),
  })
  .openapi('Receipt')

/** The receipts of a branch. */
export const receipts: z.ZodType<{ readonly receipts: readonly KeptReceipt[] }> = shape(
  'Receipts',
  z.object({ receipts: z.array(receipt) }),
)

/** Of a prompt that is derived again. */
export const erased: z.ZodType<boolean> = z
  .boolean()
  .openapi({ description: 'Whether something that it was made of, or may have been made of, was erased since.' })

const place = {
  thread: text,
  turn: whole
    .nullable()
    .openapi({ description: 'The number of its turn on the newest branch; null if it is on another.' }),
  model: text.nullable(),
  receipt,
}

export const dump: z.ZodType<CallDump> = shape(
  'Dump',
  z.object({
    ...place,
    messages: z.array(z.looseObject({ role: text })).openapi({ description: 'Exactly what was sent.' }),
    tools: z.array(z.looseObject({ type: text })),
    text: text.openapi({ description: 'The same for people, escaped.' }),
    hash: text,
    same: z.boolean().openapi({ description: 'Whether it equals the prompt that was sent, by its hash.' }),
    erased,
  }),
)

export const explanation: z.ZodType<Explanation> = shape(
  'Explanation',
  z.object({
    ...place,
    shares: z
      .array(z.object({ name: text, tokens: whole }))
      .openapi({ description: 'What the window was used for, in the order of the prompt.' }),
    plan: z.looseObject({
      policy: text,
      counter: text,
      window: whole,
      tokens: whole,
      parts: z.array(z.looseObject({})),
      spans: z.array(z.looseObject({ verdict: text })),
    }),
    same: z.boolean(),
    erased,
  }),
)

export const verification: z.ZodType<ThreadVerification> = shape(
  'Verification',
  z.object({
    thread: text,
    ok: z.boolean().openapi({ description: 'Whether there are no problems.' }),
    entries: whole,
    prompts: whole.openapi({ description: 'Model calls whose prompt was derived again and is the one that was sent.' }),
    underivable: whole.openapi({
      description:
        'Model calls whose prompt cannot be derived: something in it was erased, or its counter is not available.',
    }),
    problems: z.array(
      z.object({
        seq: whole,
        problem: text,
        of: z.enum(['entry', 'prompt']).openapi({
          description:
            '`entry`: the store does not contain what was written; restore it. `prompt`: the entries are intact, but a derived prompt differs from the one that was sent: a fault of Minutebook.',
        }),
      }),
    ),
  }),
)

export const replayChanges: z.ZodType<ReplayChanges> = shape(
  'ReplayChanges',
  z
    .strictObject({
      window: whole
        .min(16)
        .max(2 ** 31)
        .optional(),
      reserve: whole
        .min(1)
        .max(2 ** 31)
        .optional(),
      policy: text.min(1).max(64).optional().openapi({ description: 'The name of a policy.' }),
    })
    .openapi({ example: { window: 2048 } }),
)

export const replayed: z.ZodType<{ readonly calls: readonly ReplayedCall[] }> = shape(
  'Replay',
  z.object({
    calls: z.array(
      z.object({
        receipt: text,
        head: text,
        tokens: z.object({ sent: whole, replayed: whole, reused: whole }),
        messages: whole,
        same: z.boolean().openapi({ description: 'Whether it is the prompt that was sent.' }),
        verdicts: z.record(text, whole),
      }),
    ),
  }),
)

export interface CallQuery {
  readonly turn?: string | undefined
  readonly receipt?: string | undefined
}

export const callQuery: z.ZodType<CallQuery> = z.object({
  turn: text
    .max(100)
    .optional()
    .openapi({ description: 'The number of a turn from 1, or the id of its user entry: its last model call.' }),
  receipt: text
    .max(100)
    .optional()
    .openapi({ description: 'A model call by its receipt. With neither: the last call of all.' }),
}) as unknown as z.ZodType<CallQuery>

export interface StateParams extends ThreadParams {
  readonly state: string
}

export const stateParams: z.ZodType<StateParams> = (threadParams as unknown as z.ZodObject).extend({
  state: text.min(1).max(64).openapi({ example: 'basket' }),
}) as unknown as z.ZodType<StateParams>

export const stateQuery: z.ZodType<{ readonly at?: string | undefined }> = z.object({
  at: text.max(100).optional().openapi({ description: 'As of this entry. Default: now.' }),
}) as unknown as z.ZodType<{ readonly at?: string | undefined }>

export const threadState: z.ZodType<ThreadState> = shape(
  'State',
  z.object({ thread: text, name: text, value: z.unknown().openapi({ description: 'Null if no result counts.' }) }),
)

export interface SearchQuery {
  readonly query: string
  readonly thread?: string | undefined
  readonly limit?: number | undefined
}

export const searchQuery: z.ZodType<SearchQuery> = z.object({
  query: text.min(1).max(1000).openapi({ description: 'Words that must all occur.', example: 'shade ferns' }),
  thread: text.max(1000).optional().openapi({ description: 'In this thread alone.' }),
  limit: countIn(1, 1000, 'How many. Default: 20.'),
}) as unknown as z.ZodType<SearchQuery>

export const searchResult: z.ZodType<{ readonly found: readonly SearchResult[] }> = shape(
  'Found',
  z.object({
    found: z
      .array(z.object({ thread: text, id: text, seq: whole, text }))
      .openapi({ description: 'The newest first.' }),
  }),
)

export interface ForkRequest {
  readonly as?: string | undefined
  readonly at?: string | undefined
}

export const forkRequest: z.ZodType<ForkRequest> = shape(
  'Fork',
  z
    .strictObject({
      as: text
        .min(1)
        .max(200)
        .optional()
        .openapi({ description: 'The name of the new thread. Default: a generated one.', example: 'garden-2' }),
      at: text.max(100).optional().openapi({ description: 'The entry that it ends with. Default: the newest.' }),
    })
    .openapi({ example: { as: 'garden-2' } }),
)

export interface EraseRequest {
  readonly entries?: readonly string[] | undefined
}

export const eraseRequest: z.ZodType<EraseRequest> = shape(
  'Erase',
  z
    .strictObject({
      entries: z
        .array(text.min(1).max(100))
        .min(1)
        .max(10_000)
        .optional()
        .openapi({ description: 'Ids of entries. Default: all entries of the thread.' }),
    })
    .openapi({ example: { entries: ['9f2c4e'] } }),
)

export const erasure: z.ZodType<Erasure> = shape(
  'Erasure',
  z.object({
    thread: text,
    erased: z.array(text).openapi({ description: 'The entries that are tombstones now and were not before.' }),
    snapshots: whole,
    records: whole,
    images: whole.openapi({ description: 'Long images that no other entry of the thread holds.' }),
    remains: z
      .array(text)
      .openapi({ description: 'What remains: hashes, and where bytes may be left, with how to remove them.' }),
  }),
)
