import { z } from '@hono/zod-openapi'
import type { FoundEntry } from '../../archive/search.ts'
import { kind, messageNumber } from './entry.ts'
import { countIn, shape, text, whole } from './schema.ts'

export interface SearchQuery {
  readonly query: string
  readonly thread?: string | undefined
  readonly limit?: number | undefined
}

export const searchQuery: z.ZodType<SearchQuery> = z.object({
  query: text
    .min(1)
    .max(1000)
    .openapi({ description: 'An entry must contain all these words.', example: 'shade ferns' }),
  thread: text.max(1000).optional().openapi({ description: 'Search only this thread.' }),
  limit: countIn(1, 1000, 'The maximum number of results. Default: 20.'),
}) as unknown as z.ZodType<SearchQuery>

export const searchResult: z.ZodType<{ readonly found: readonly FoundEntry[] }> = shape(
  'Found',
  z.object({
    found: z
      .array(
        z.object({
          thread: text,
          title: text.nullable().openapi({ description: 'The title of the thread, as in the list of threads.' }),
          id: text,
          seq: whole,
          text,
          about: text.optional(),
          by: text.optional(),
          kind,
          speaker: text.optional(),
          time: text.optional(),
          number: messageNumber,
          turn: whole.optional().openapi({
            description:
              'The number of its turn on the branch, counted from 1. Like `number`, it is not set if about 2,000 entries of the branch come before it.',
          }),
        }),
      )
      .openapi({
        description: 'The matching entries, the newest first. Feedback has the entry that it is about, and its writer.',
      }),
  }),
)

export const foundExample: FoundEntry = {
  thread: 'garden',
  title: 'What grows in the shade?',
  id: '9f2c4e',
  seq: 1,
  text: 'What grows in the shade?',
  kind: 'user',
  time: '2026-11-15T12:00:00.000Z',
  number: 1,
  turn: 1,
}
