import type { Branch, Kind } from 'minutebook'
import type { ParsedCall, VisibleAttachment } from 'minutebook/wire'
import { origins, traits } from 'minutebook/store'
import { z } from '@hono/zod-openapi'
import type { PinChange, ShownEntry, ShownThread } from '../../archive/archive.ts'
import { keptFeedback } from './feedback.ts'
import { flagIn, id, shape, text, whole } from './schema.ts'
import { threadParams } from './thread.ts'

export const call: z.ZodType<ParsedCall> = shape(
  'Call',
  z.object({
    id: text.optional(),
    name: text.openapi({ example: 'weather' }),
    arguments: z.unknown().openapi({ description: 'A JSON text or a value, as the model returned it.' }),
    input: z
      .unknown()
      .optional()
      .openapi({ description: 'The arguments, parsed if they are a JSON text. Not set if that text is not JSON.' }),
  }),
)

export const status: z.ZodType<ShownEntry['status']> = z.enum(['complete', 'partial', 'cancelled', 'failed', 'erased'])

const attachment: z.ZodType<VisibleAttachment> = shape(
  'Attachment',
  z.object({
    type: text.openapi({ example: 'document' }),
    media: text.optional().openapi({ description: 'The media type of its data.', example: 'application/pdf' }),
    text: text.openapi({ description: 'What can be read of it. Empty if nothing can.' }),
  }),
)

export const kind: z.ZodType<Kind> = z.enum(Object.keys(traits) as Kind[])

export const messageNumber: z.ZodType<number | undefined> = whole.optional().openapi({
  description:
    'For a message: its number on the branch, counted from 0. Prompts quote it with this number, and people see it everywhere. Not set on other entries.',
})

/** An entry as people see it. */
export const entry: z.ZodType<ShownEntry> = shape(
  'Entry',
  z.object({
    id,
    parent: text.nullable(),
    seq: whole.openapi({
      description: 'The place of the entry in the log, counted from 0 without gaps. Hidden entries are counted too.',
    }),
    kind,
    origin: z
      .enum(origins)
      .openapi({ description: 'Who wrote the entry. The server knows this from the channel, never from the text.' }),
    status,
    text,
    calls: z.array(call),
    images: whole.openapi({ description: 'How many images the entry has. `getImage` returns one of them.' }),
    attachments: z.array(attachment).optional().openapi({
      description: 'Parts that are neither text nor images: documents, search results, files. Not set without any.',
    }),
    output: z
      .unknown()
      .optional()
      .openapi({ description: 'For a tool result: its value if the text is JSON, else the text.' }),
    answers: z
      .object({ id: text.optional(), name: text.optional() })
      .optional()
      .openapi({ description: 'For a tool result: the call that it answers.' }),
    speaker: text.optional(),
    time: text.optional(),
    sentId: text.optional().openapi({ description: 'For a user entry: the id that its sender chose for the message.' }),
    pinned: z
      .literal(true)
      .optional()
      .openapi({ description: 'Whether the entry is pinned: then every prompt has it. Not set on others.' }),
    feedback: z.array(keptFeedback).optional().openapi({
      description: 'What people think of the entry: of each the newest, of at most 50. Not set without any.',
    }),
    siblings: z.array(z.object({ id: text, head: text })).optional(),
    number: messageNumber,
    turn: whole.optional().openapi({
      description: 'For a user entry: the number of the turn that it began on the branch, counted from 1.',
    }),
    elsewhere: z.array(text).optional().openapi({
      description:
        'Heads of the branches that have another entry instead of this one, the newest first. If such a branch divides again, only its newest head is listed.',
    }),
    console: z.boolean().optional().openapi({
      description: 'On a thread of the gateway: whether the entry was sent from the console, or answers such an entry.',
    }),
  }),
)

export interface EntryParams {
  readonly thread: string
  readonly entry: string
}

export const entryParams: z.ZodType<EntryParams> = (threadParams as unknown as z.ZodObject).extend({
  entry: text.min(1).max(100).openapi({ description: 'The id of the entry.', example: '9f2c4e' }),
}) as unknown as z.ZodType<EntryParams>

/** The parameters of an operation on an image of an entry. */
export interface ImageParams extends EntryParams {
  readonly image: string
}

export const imageParams: z.ZodType<ImageParams> = (entryParams as unknown as z.ZodObject).extend({
  image: text
    .regex(/^\d{1,4}$/)
    .openapi({ description: 'The place of the image in the entry, counted from 0.', example: '0' }),
}) as unknown as z.ZodType<ImageParams>

export const pinChange: z.ZodType<PinChange> = shape(
  'PinChange',
  z.object({
    thread: text,
    entry: text,
    pinned: z.boolean(),
    changed: z.boolean().openapi({ description: 'False if it was so before.' }),
  }),
)

const branch: z.ZodType<Branch> = shape(
  'Branch',
  z.object({
    head: text.openapi({ description: 'The last entry of the branch.' }),
    from: text.nullable().openapi({
      description:
        'The last entry that it has in common with the newest branch. Null for the newest branch, and if they share none.',
    }),
    time: text.optional().openapi({ description: 'When its last entry was written.' }),
    text: text.openapi({ description: 'The first words of what only this branch has.' }),
  }),
)

export const shownThread: z.ZodType<ShownThread> = shape(
  'Entries',
  z.object({
    thread: text,
    head: text.openapi({ description: 'The newest entry of the branch; empty if nothing was said yet.' }),
    branches: z.array(branch).openapi({ description: 'All branches, the newest first.' }),
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
  hidden: flagIn('1: list also entries that people do not see. Only for admins.'),
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
  number: 1,
  turn: 1,
}
