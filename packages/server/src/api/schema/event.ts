import { z } from '@hono/zod-openapi'
import type { StreamEvent } from '../events.ts'
import { openCall } from './decision.ts'
import { call, entry, status } from './entry.ts'
import { shape, text, whole } from './schema.ts'
import { turnState } from './turn.ts'

const place = {
  id: text.optional().openapi({
    description:
      'The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.',
    example: '3.1.24',
  }),
}
const statuses = z.enum(['complete', 'partial', 'cancelled', 'failed', 'waiting'])

/** An event of a stream, as its three fields: `event`, `id` and `data`. */
export const streamEvent: z.ZodType<StreamEvent> = shape(
  'StreamEvent',
  z.union([
    z.object({
      event: z.literal('recorded').openapi({ description: 'The message is recorded.' }),
      ...place,
      data: turnState,
    }),
    z.object({
      event: z
        .literal('text')
        .openapi({ description: 'A piece of the text of the running model call. Its place in that text is `offset`.' }),
      ...place,
      data: z.object({ offset: whole, text }),
    }),
    z.object({
      event: z
        .literal('reset')
        .openapi({ description: 'The text of the running model call is void so far: discard it.' }),
      ...place,
      data: z.object({}),
    }),
    z.object({
      event: z.literal('call').openapi({ description: 'The model calls a tool.' }),
      ...place,
      data: z.object({ entry: text, call }),
    }),
    z.object({
      event: z.literal('result').openapi({ description: 'A tool has answered.' }),
      ...place,
      data: z.object({
        entry: text,
        call: z.object({ id: text.optional(), name: text.optional() }),
        status,
        text,
        output: z.unknown().openapi({ description: 'The value of the text if that is JSON, else the text.' }),
      }),
    }),
    z.object({
      event: z
        .literal('entry')
        .openapi({ description: 'An entry that people see. It replaces the text that was shown for it.' }),
      ...place,
      data: entry,
    }),
    z.object({
      event: z.literal('branch').openapi({
        description:
          'The newest branch is another one, because a message was edited or answered again. These entries replace those that follow the entry `after`. If `after` is null, they replace all.',
      }),
      ...place,
      data: z.object({ after: text.nullable(), entries: z.array(entry) }),
    }),
    z.object({
      event: z.literal('changed').openapi({
        description: 'Something else is shown of an earlier entry than before, such as its feedback: read it again.',
      }),
      ...place,
      data: z.object({ entry: text }),
    }),
    z.object({
      event: z.literal('end').openapi({
        description:
          'A turn is over, or waits for a decision about the calls in `waiting`. `turn` is null if the message was withdrawn before its turn began.',
      }),
      ...place,
      data: z.object({
        status: statuses,
        turn: text.nullable(),
        answer: text.nullable(),
        reason: z.object({ code: text, message: text, fix: text.optional() }).optional(),
        waiting: z.array(openCall).optional(),
      }),
    }),
  ]),
)
