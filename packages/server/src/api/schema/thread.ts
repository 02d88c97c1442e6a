import { z } from '@hono/zod-openapi'
import type { Metadata, MetadataChanges } from 'minutebook/store'
import type { ImportedThread } from '../../archive/archive.ts'
import type { Mark, ThreadSummary } from '../../archive/thread-list.ts'
import type { Setup } from '../../stores/setup.ts'
import type { TurnWindowLimit } from '../../turns/window-limit.ts'
import { threadOf } from '../printable.ts'
import { policy } from './policy.ts'
import { isShortJson, shape, text, whole } from './schema.ts'

export interface ThreadParams {
  readonly thread: string
}

/** The thread in a path. */
export const threadParams: z.ZodType<ThreadParams> = z.object({
  thread: z
    .string()
    .min(1)
    .max(1000)
    .openapi({
      description:
        'The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url.',
      example: 'garden',
    })
    .transform(threadOf),
}) as unknown as z.ZodType<ThreadParams>

/** What is asked of an answer: of all answers of a thread, or of one. The limits are those of the library. */
export const askFields: Readonly<Record<string, z.ZodType>> = {
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .openapi({ description: 'From 0, always the likeliest word, to 2. Default: that of the model.', example: 0 }),
  seed: whole
    .min(Number.MIN_SAFE_INTEGER)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .openapi({ description: 'With the same seed, many models answer the same prompt with the same text.', example: 7 }),
  stop: z
    .array(text.min(1).max(256))
    .max(16)
    .optional()
    .openapi({ description: 'The answer ends before the first of these texts.', example: ['END'] }),
  output: z
    .record(z.string(), z.unknown())
    .refine((schema) => isShortJson(schema, 65_536), { error: 'must be a JSON Schema of at most 65,536 characters' })
    .optional()
    .openapi({
      description:
        'The JSON Schema of the answer, which is then JSON. The field `output` of the turn has its value. The model may still call tools before it answers.',
      example: { type: 'object', properties: { plants: { type: 'array' } }, required: ['plants'] },
    }),
}

const setupFields = z.strictObject({
  model: text.min(1).max(200).optional().openapi({
    description: 'The model that answers. Default: the model in the settings of the server.',
    example: 'gemma3:4b',
  }),
  system: text
    .max(1 << 20)
    .optional()
    .openapi({ description: 'The system text. Every prompt begins with it.', example: 'You help with a garden.' }),
  tools: z
    .array(text.min(1).max(64))
    .max(128)
    .optional()
    .openapi({ description: 'Names of tools that the operator has registered.', example: ['weather'] }),
  policy: z
    .union([text.min(1).max(64), policy])
    .optional()
    .openapi({ description: 'The name of a policy, or the policy itself.', example: 'default' }),
  window: whole
    .min(16)
    .max(2 ** 31)
    .optional()
    .openapi({
      description:
        'The window in tokens. Default: the window of the model, which is also the maximum. If the setup asks for more, the field `window` of the thread and of its turns says so.',
      example: 4096,
    }),
  reserve: whole
    .min(1)
    .max(2 ** 31)
    .optional()
    .openapi({ description: 'Tokens that are kept free for the answer.', example: 512 }),
  ...askFields,
})

/** How the turns of a thread are run. */
export const setup: z.ZodType<Setup> = shape(
  'Setup',
  setupFields.openapi({ example: { model: 'gemma3:4b', system: 'You help with a garden.' } }),
)

const metadataText =
  'Texts that a program keeps about the thread, such as its owner: at most 16 pairs, with keys of at most 64 and values of at most 512 characters. `title` is the title of the thread.'
const metadataExample: Metadata = { owner: 'ann', title: 'Garden' }
const metadata = z.record(text, text).openapi({ description: metadataText, example: metadataExample })

/** Pairs to be changed. */
export const metadataChanges: z.ZodType<MetadataChanges> = shape(
  'MetadataChanges',
  z
    .record(text, text.nullable())
    .openapi({ description: 'Pairs to set. Null removes a pair.', example: { title: 'Garden', draft: null } }),
)

export interface NewThread {
  readonly metadata?: Metadata | undefined
  readonly thread?: string | undefined
  readonly setup?: Setup | undefined
}

export const newThread: z.ZodType<NewThread> = shape(
  'NewThread',
  z
    .strictObject({
      thread: text
        .min(1)
        .max(200)
        .optional()
        .openapi({ description: 'The name of the thread. Default: a generated name.', example: 'garden' }),
      setup: setupFields.optional(),
      metadata: metadata.optional(),
    })
    .openapi({
      example: { thread: 'garden', setup: { system: 'You help with a garden.' }, metadata: metadataExample },
    }),
)

/** A window that was asked for, and is smaller. */
export const shortfall: z.ZodType<TurnWindowLimit> = shape(
  'WindowShortfall',
  z
    .object({
      asked: whole.openapi({ description: 'Tokens that the setup asks for.', example: 4096 }),
      given: whole.openapi({ description: 'Tokens that the model has.', example: 2048 }),
      source: text.openapi({ description: 'The source of the number in `given`.', example: '/api/ps' }),
      reason: text.openapi({ description: 'The problem in words, and what to do about it.' }),
    })
    .openapi({ description: 'Present only if the thread asks for a larger window than its model has.' }),
)

export interface ThreadDetail extends ThreadSummary {
  /** The newest entry of the newest branch; null if nothing was said yet. */
  readonly head: string | null
  /** For the scopes app and admin. */
  readonly setup?: Setup
  /** For the scopes app and admin: if the setup asks for a larger window than its model has. */
  readonly window?: TurnWindowLimit
}

export const marks: readonly Mark[] = ['truncated', 'overflow', 'failed', 'partial', 'console']

const summaryFields = z.object({
  thread: text.openapi({ example: 'garden' }),
  title: text.nullable().openapi({
    description: 'The title in the metadata, or else the first words of the first question.',
    example: 'What grows in the shade?',
  }),
  metadata,
  model: text.nullable().openapi({ example: 'gemma3:4b' }),
  entries: whole.openapi({ example: 7 }),
  created: text
    .nullable()
    .openapi({ description: 'When the first entry of the thread was written.', example: '2026-11-15T11:30:00.000Z' }),
  written: text
    .nullable()
    .openapi({ description: 'When the newest entry of the thread was written.', example: '2026-11-15T12:00:00.000Z' }),
  marks: z.array(z.enum(marks)).openapi({ description: 'What is worth knowing before you open the thread.' }),
  oneOff: z.boolean().openapi({
    description:
      'Whether the thread is a single question that a client sent through the gateway, for example for a title.',
  }),
  relayed: z.boolean().openapi({
    description: 'Whether a client sent the thread through the gateway. Such a client runs the tools itself.',
  }),
  fork: text.optional().openapi({ description: 'The thread that this one was forked from.' }),
  owner: text.optional().openapi({
    description: 'Only for admins: the name of the key on whose behalf the newest model call was.',
  }),
})

export const threadSummary: z.ZodType<ThreadSummary> = shape('ThreadSummary', summaryFields)

export const importedThread: z.ZodType<ImportedThread> = shape(
  'ImportedThread',
  summaryFields.extend({
    records: z
      .array(z.object({ name: text, key: text, value: z.unknown() }))
      .openapi({ description: 'Records that were imported with the entries.' }),
  }),
)

export const threadDetail: z.ZodType<ThreadDetail> = shape(
  'Thread',
  summaryFields.extend({ head: text.nullable(), setup: setupFields.optional(), window: shortfall.optional() }),
)

export const summaryExample: ThreadSummary = {
  thread: 'garden',
  title: 'What grows in the shade?',
  metadata: { owner: 'ann' },
  model: 'gemma3:4b',
  entries: 7,
  created: '2026-11-15T11:30:00.000Z',
  written: '2026-11-15T12:00:00.000Z',
  marks: [],
  oneOff: false,
  relayed: false,
}
