import { z } from '@hono/zod-openapi'
import type { KeptReceipt, VerifyPart } from 'minutebook/inspect'
import type { CallDump, Explanation, ThreadState, ThreadVerification } from '../../archive/archive.ts'
import type { ReplayChanges, ReplayedCall } from '../../archive/replay.ts'
import { cacheUsage, callName } from './cache.ts'
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
      'What happened to the question and to the other entries of its turn. Present only if some of them were not sent whole.',
  })
export const shortWindow: z.ZodType = z.object({ asked: whole, given: whole, source: text }).optional().openapi({
  description: 'The requested window, and the window of the model. Present only if that one is smaller.',
})

/** What is kept of a model call. */
export const receipt: z.ZodType = z
  .looseObject({
    id: text.openapi({ description: 'The id of the entry that contains the receipt.' }),
    seq: whole,
    version: whole,
    head: text.openapi({ description: 'The entry that the prompt ends with.' }),
    hash: text.openapi({ description: 'SHA-256 of the canonical JSON of the request’s messages and tools.' }),
    tokens: z.looseObject({
      predicted: whole.openapi({ description: 'The tokens that were sent, as Minutebook counts them.' }),
      reused: whole,
      reported: z.looseObject({
        prompt: whole.optional().openapi({ description: 'The tokens that the model server says it read.' }),
        completion: whole.optional().openapi({ description: 'The tokens of the answer.' }),
        cached: whole.optional().openapi({ description: 'The tokens of the prompt that were in its cache.' }),
        written: whole.optional().openapi({
          description: 'What the model server wrote to its cache. Only servers that cache what a client marks say so.',
        }),
        seconds: z.number().optional().openapi({ description: 'How long the model server read the prompt.' }),
      }),
    }),
    time: z
      .object({
        started: text.openapi({ description: 'When the model was called (ISO 8601).' }),
        firstToken: whole
          .optional()
          .openapi({ description: 'Milliseconds until the first text. Absent if none came before the end.' }),
        total: whole.openapi({ description: 'Milliseconds until the end.' }),
      })
      .optional()
      .openapi({ description: 'How long the call took.' }),
    epoch: whole,
    verdicts: verdictCounts,
    turn: turnVerdicts,
    window: shortWindow,
    options: z
      .object({
        temperature: z.number().optional(),
        seed: whole.optional(),
        stop: z.array(text).optional(),
        output: z.object({ hash: text, sent: z.boolean() }).optional(),
      })
      .optional()
      .openapi({
        description:
          'What was asked of the answer. Absent if nothing was. Of the schema there is the SHA-256 of its canonical JSON, and whether it was sent: not if the model could still call tools.',
      }),
    promptOptions: z
      .record(text, text)
      .optional()
      .openapi({ description: 'The options of the request that change how a model server reads a prompt.' }),
    between: z.enum(['title', 'thread']).optional().openapi({
      description:
        'What the same model server answered between the previous call of the thread and this one: a side request of the same client, or another thread.',
    }),
    outcome: text.openapi({
      description:
        'How the call ended. `refused`: the upstream has a smaller window, and the question was sent again in a prompt that fits. `unfit`: the answer did not have the form that was asked for, and the question was sent again with the schema.',
    }),
    told: z.looseObject({ window: whole.optional(), prompt: whole.optional() }).optional().openapi({
      description:
        'For a refused call: the window that the upstream named, and the tokens that it counted in the prompt.',
    }),
    windowSource: text.optional().openapi({ description: 'The source of the window. `assumed`: there was no source.' }),
    truncated: z.enum(['yes', 'no', 'unknown']).optional().openapi({
      description:
        'Whether the model server left out a part of the prompt, as its own counts of this and earlier calls show. `unknown`: its counts do not show it.',
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
  .openapi({ description: 'Whether something that the prompt contained, or may have contained, was erased later.' })

const place = {
  thread: text,
  turn: whole.nullable().openapi({
    description: 'The number of the turn on the newest branch; null if the call is on another branch.',
  }),
  call: callName,
  model: text.nullable(),
  receipt,
}

/** Of a model with a price. */
export const callCost: z.ZodType = z.object({ amount: z.number(), currency: text }).nullable().openapi({
  description:
    'What the call cost, by the prices in the settings. Null if they do not name the model, or if the model server reported no tokens.',
})

export const dump: z.ZodType<CallDump> = shape(
  'Dump',
  z.object({
    ...place,
    messages: z.array(z.looseObject({ role: text })).openapi({ description: 'Exactly what was sent.' }),
    tools: z.array(z.looseObject({ type: text })),
    text: text.openapi({ description: 'The same for people, with invisible characters escaped.' }),
    hash: text,
    same: z.boolean().openapi({ description: 'Whether the prompt has the hash of the one that was sent.' }),
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
      spans: z.array(
        z.looseObject({
          verdict: text,
          numbers: z.array(whole).length(2).optional().openapi({
            description: 'The numbers of its first and of its last message. Not set if the range has only notes.',
          }),
        }),
      ),
    }),
    cost: callCost,
    cache: cacheUsage.nullable().openapi({ description: 'Null if the previous prompt cannot be derived.' }),
    same: z.boolean(),
    erased,
  }),
)

export const verifyQuery: z.ZodType<VerifyPart> = z.object({
  entries: countIn(1, 10_000, 'Check only the newest entries: this many. Default with `prompts`: 200.'),
  prompts: countIn(0, 1000, 'Check only the newest prompts of these entries: this many. Default with `entries`: 20.'),
}) as unknown as z.ZodType<VerifyPart>

export const verification: z.ZodType<ThreadVerification> = shape(
  'Verification',
  z.object({
    thread: text,
    ok: z.boolean().openapi({ description: 'Whether there are no problems.' }),
    entries: whole,
    prompts: whole.openapi({
      description: 'How many derived prompts equal the prompts that were sent.',
    }),
    underivable: whole.openapi({
      description:
        'How many model calls have a prompt that cannot be derived, because something in it was erased or because its counter is not available.',
    }),
    unchecked: whole.optional().openapi({
      description:
        'How many prompts were left out, because they need entries from before the part that is checked. Not set if there are none.',
    }),
    problems: z.array(
      z.object({
        seq: whole,
        problem: text,
        of: z.enum(['entry', 'prompt']).openapi({
          description:
            '`entry`: the store does not contain what was written; restore the entry. `prompt`: the entries are intact, but a derived prompt differs from the one that was sent. That is a bug in Minutebook.',
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
        same: z.boolean().openapi({ description: 'Whether the new prompt equals the prompt that was sent.' }),
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
  turn: text.max(100).optional().openapi({
    description:
      'Selects the last model call of this turn. The turn is a number, counted from 1, or the id of its user entry. `3.2` selects the second call of the third turn.',
  }),
  receipt: text.max(100).optional().openapi({
    description:
      'Selects the model call with this receipt. Without `turn` and `receipt`, the last call of the thread is selected.',
  }),
}) as unknown as z.ZodType<CallQuery>

export interface StateParams extends ThreadParams {
  readonly state: string
}

export const stateParams: z.ZodType<StateParams> = (threadParams as unknown as z.ZodObject).extend({
  state: text.min(1).max(64).openapi({ example: 'basket' }),
}) as unknown as z.ZodType<StateParams>

export const stateQuery: z.ZodType<{ readonly at?: string | undefined }> = z.object({
  at: text.max(100).optional().openapi({ description: 'The entry at which the state is read. Default: the newest.' }),
}) as unknown as z.ZodType<{ readonly at?: string | undefined }>

export const threadState: z.ZodType<ThreadState> = shape(
  'State',
  z.object({
    thread: text,
    name: text,
    value: z.unknown().openapi({ description: 'Null if the thread has no suitable result.' }),
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
      at: text.max(100).optional().openapi({ description: 'The last entry to copy. Default: the newest.' }),
    })
    .openapi({ example: { as: 'garden-2' } }),
)
