import { z } from '@hono/zod-openapi'
import type { Erasure, Removal } from 'minutebook/store'
import { shape, text, whole } from './schema.ts'

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

export const removal: z.ZodType<Removal> = shape(
  'Removal',
  z.object({
    thread: text,
    entries: whole.openapi({ description: 'How many entries were removed.' }),
    snapshots: whole,
    records: whole,
    images: whole,
    remains: z.array(text).openapi({ description: 'What remains, and how to remove it.' }),
  }),
)

export const erasure: z.ZodType<Erasure> = shape(
  'Erasure',
  z.object({
    thread: text,
    erased: z.array(text).openapi({ description: 'The entries that this request replaced by tombstones.' }),
    snapshots: whole,
    records: whole,
    images: whole.openapi({
      description: 'How many images were removed, because no other entry has them.',
    }),
    remains: z
      .array(text)
      .openapi({ description: 'What remains: hashes, and places where bytes may remain, with how to remove them.' }),
  }),
)
