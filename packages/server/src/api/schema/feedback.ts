import { z } from '@hono/zod-openapi'
import type { Feedback, KeptFeedback, FeedbackList, FeedbackPage, Rating } from 'minutebook/store'
import type { FeedbackChange } from '../../archive/archive.ts'
import type { RatedChoice } from '../../archive/rated-turns.ts'
import { countIn, id, shape, text, whole } from './schema.ts'

export const rating: z.ZodType<Rating> = z.enum(['up', 'down'])
/** A tag in a query or a body. The library checks its letters. */
export const tag: z.ZodString = text.min(1).max(32)

const fields = {
  rating: rating.optional(),
  comment: text.max(4096).optional().openapi({ example: 'Ferns want water.' }),
  tags: z
    .array(tag)
    .max(8)
    .optional()
    .openapi({ description: 'Letters, digits, ".", "_" and "-". Kept in small letters.', example: ['facts'] }),
}

/** What a person thinks of a message. */
export const feedback: z.ZodType<Feedback> = shape(
  'Feedback',
  z.strictObject(fields).openapi({ example: { rating: 'down', comment: 'Ferns want water.', tags: ['facts'] } }),
)

const kept = {
  by: text.openapi({
    description: 'The name of the key that wrote it. Empty on a server without keys.',
    example: 'ann',
  }),
  rating: rating.optional(),
  comment: text.optional(),
  tags: z.array(text),
}

/** Feedback with its writer. */
export const keptFeedback: z.ZodType<KeptFeedback> = shape(
  'KeptFeedback',
  z.object({ id, ...kept, time: text.optional().openapi({ description: 'When it was written.' }) }),
)

export const feedbackChange: z.ZodType<FeedbackChange> = shape(
  'FeedbackChange',
  z.object({
    thread: text,
    entry: text,
    ...kept,
    changed: z.boolean().openapi({ description: 'False if it was so before.' }),
  }),
)

const choice = {
  rating: rating.optional().openapi({ description: 'Only messages with this rating.' }),
  tag: tag.optional().openapi({ description: 'Only messages with this tag.', example: 'facts' }),
  thread: text.max(1000).optional().openapi({ description: 'Only messages of this thread.' }),
}

export const ratedQuery: z.ZodType<RatedChoice> = z.object(choice) as unknown as z.ZodType<RatedChoice>

export const feedbackQuery: z.ZodType<FeedbackPage> = z.object({
  ...choice,
  query: text
    .max(1000)
    .optional()
    .openapi({ description: 'The message or the comment must contain all these words.', example: 'ferns' }),
  limit: countIn(1, 100, 'The maximum number of messages. Default: 20.'),
  after: text.max(2000).optional().openapi({ description: 'The value of `next` on the previous page.' }),
}) as unknown as z.ZodType<FeedbackPage>

export const feedbackList: z.ZodType<FeedbackList> = shape(
  'FeedbackList',
  z.object({
    found: z
      .array(
        z.object({
          thread: text,
          id,
          seq: whole,
          kind: z.enum(['user', 'assistant', 'tool']),
          text: text.openapi({ description: 'The first 1,000 characters of the message.' }),
          feedback: keptFeedback,
        }),
      )
      .openapi({ description: 'Messages with the feedback of one person each, what was written last first.' }),
    next: text.optional().openapi({
      description: 'Pass this value as `after` to get the next page. A page may be short although it has one.',
    }),
  }),
)
