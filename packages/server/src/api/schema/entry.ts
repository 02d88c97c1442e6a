import type { Kind } from 'minutebook'
import { origins, traits } from 'minutebook/store'
import { z } from '@hono/zod-openapi'
import type { ShownEntry, ShownThread } from '../../archive/archive.ts'
import { flagIn, id, shape, text, whole } from './schema.ts'

const call = z
  .object({
    id: text.optional(),
    name: text.openapi({ example: 'weather' }),
    arguments: z.unknown().openapi({ description: 'A JSON text or a value, as the model gave it.' }),
  })
  .openapi('Call')

/** An entry as people see it. */
export const entry: z.ZodType<ShownEntry> = shape(
  'Entry',
  z.object({
    id,
    parent: text.nullable(),
    seq: whole.openapi({ description: 'Its place in the log, from 0, without gaps; hidden entries are counted too.' }),
    kind: z.enum(Object.keys(traits) as Kind[]),
    origin: z.enum(origins).openapi({ description: 'Who wrote it, known from the channel and never from the text.' }),
    status: z.enum(['complete', 'partial', 'cancelled', 'failed', 'erased']),
    text,
    calls: z.array(call),
    images: whole.openapi({ description: 'How many images came with it: they are not shown.' }),
    answers: z
      .object({ id: text.optional(), name: text.optional() })
      .optional()
      .openapi({ description: 'Of a tool result: the call that it answers.' }),
    speaker: text.optional(),
    time: text.optional(),
    turn: whole.optional().openapi({ description: 'Of a user entry: which turn of the branch it began, from 1.' }),
    elsewhere: z.array(text).optional().openapi({
      description: 'Heads of the branches that leave here, the newest first: one for each way, its newest.',
    }),
    console: z.boolean().optional().openapi({
      description: 'On a thread of the gateway: whether it was said in the console, or is an answer to that.',
    }),
  }),
)

export const shownThread: z.ZodType<ShownThread> = shape(
  'Entries',
  z.object({
    thread: text,
    head: text.openapi({ description: 'The newest entry of the branch; empty if nothing was said yet.' }),
    branches: z.array(text).openapi({ description: 'The heads of all branches, the newest first.' }),
    entries: z.array(entry),
    hidden: whole.openapi({ description: 'How many entries of the branch are left out.' }),
  }),
)

export interface EntriesQuery {
  readonly head?: string | undefined
  readonly hidden: boolean
}

export const entriesQuery: z.ZodType<EntriesQuery> = z.object({
  head: text
    .max(100)
    .optional()
    .openapi({ description: 'The branch that ends with this entry. Default: the newest one.' }),
  hidden: flagIn('1: also entries that people do not see. For admins only.'),
}) as unknown as z.ZodType<EntriesQuery>

export const entryExample: ShownEntry = {
  id: '9f2c4e',
  parent: null,
  seq: 1,
  kind: 'user',
  origin: 'user',
  status: 'complete',
  text: 'What grows in the shade?',
  calls: [],
  images: 0,
  time: '2026-11-15T12:00:00.000Z',
  turn: 1,
}
