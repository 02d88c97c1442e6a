import { z } from '@hono/zod-openapi'
import type { NewTurn } from '../../turns/turns.ts'
import type { TurnState } from '../../turns/state.ts'
import { openCall } from './decision.ts'
import { id, isShortJson, shape, text } from './schema.ts'
import { askFields, shortfall, threadParams, type ThreadParams } from './thread.ts'

const dataUrl = z.string().regex(/^data:image\/[a-z0-9.+-]{1,40};base64,/, {
  error: 'must be a data URL of an image in base64; addresses are not fetched',
})

const part = z
  .union([
    z.strictObject({ type: z.literal('text'), text }),
    z.strictObject({
      type: z.literal('image_url'),
      image_url: z.strictObject({ url: dataUrl.openapi({ example: 'data:image/png;base64,iVBORw0KGgo=' }) }),
    }),
  ])
  .openapi('MessagePart')

export const newTurn: z.ZodType<NewTurn> = shape(
  'NewTurn',
  z
    .strictObject({
      message: z
        .union([text.min(1), z.array(part).min(1).max(256)])
        .openapi({ description: 'A text, or a list of parts, which are texts and images.' }),
      id: text.min(1).max(200).optional().openapi({
        description: 'Your own id for the message. If you send the message again with the same id, it is not repeated.',
        example: 'd4f1',
      }),
      after: text.nullable().optional().openapi({
        description:
          'The entry to continue from. Default: the newest. Any other entry starts a branch, for example for an edited message. Null: start from the beginning.',
      }),
      ifBusy: z.enum(['reject', 'queue', 'interrupt']).optional().openapi({
        description:
          'What to do if a turn is running. `reject` (default): refuse the message with 409. `queue`: let the message wait. `interrupt`: end the running turn.',
      }),
      model: text
        .min(1)
        .max(200)
        .optional()
        .openapi({ description: 'The model that answers from now on.', example: 'gemma3:4b' }),
      policy: text
        .min(1)
        .max(64)
        .optional()
        .openapi({ description: 'The name of the policy that fits prompts into the window from now on.' }),
      speaker: text
        .min(1)
        .max(200)
        .optional()
        .openapi({ description: 'The name of the person who speaks, if several people use the thread.' }),
      context: z
        .unknown()
        .refine((value) => value === undefined || isShortJson(value, 16_384), {
          error: 'must have at most 16,384 characters as JSON',
        })
        .optional()
        .openapi({
          description:
            'Any JSON, at most 16,384 characters. The tools of this turn get it: who asks, for example. It is recorded with the message. No prompt has it.',
          example: { user: 'ann' },
        }),
      ...askFields,
    })
    .openapi({ example: { message: 'What grows in the shade?', id: 'd4f1' } }),
)

export const turnState: z.ZodType<TurnState> = shape(
  'Turn',
  z.object({
    thread: text,
    turn: text
      .nullable()
      .openapi({ description: 'The id of the user entry of the turn; null while the message waits.' }),
    pending: text.nullable().openapi({ description: 'The entry of a message that waits.' }),
    status: z.enum(['queued', 'waiting', 'running', 'complete', 'partial', 'cancelled', 'failed']).openapi({
      description:
        '`queued`: the message waits for another turn. `waiting`: the turn waits for a decision about the calls in `waiting`.',
    }),
    answer: text.nullable().openapi({ description: 'The entry of the answer.' }),
    text: text.openapi({ description: 'The text of the answer as people see it. Empty before there is an answer.' }),
    output: z
      .unknown()
      .optional()
      .openapi({ description: 'The value of the answer, if a form was asked for and the answer is JSON.' }),
    reason: z
      .object({ code: text, message: text, fix: text.optional() })
      .optional()
      .openapi({ description: 'Why the turn ended without an answer.' }),
    waiting: z.array(openCall).optional().openapi({ description: 'The calls that wait for a decision.' }),
    window: shortfall.optional(),
    position: text.openapi({
      description: 'The position from which the stream of the turn can be followed. Pass it as `from`.',
      example: '3.0.0',
    }),
  }),
)

export interface TurnParams extends ThreadParams {
  readonly turn: string
}

export const turnParams: z.ZodType<TurnParams> = (threadParams as unknown as z.ZodObject).extend({
  turn: id.max(100),
}) as unknown as z.ZodType<TurnParams>

export const turnExample: TurnState = {
  thread: 'garden',
  turn: '9f2c4e',
  pending: null,
  status: 'running',
  answer: null,
  text: '',
  position: '1.0.0',
}

export interface Cancelled {
  readonly cancelled: boolean
}

export const cancelled: z.ZodType<Cancelled> = shape(
  'Cancelled',
  z.object({ cancelled: z.boolean().openapi({ description: 'Whether a turn was running.' }) }),
)

export interface StreamQuery {
  readonly from?: string | undefined
  readonly until?: 'rest' | undefined
}

export const streamQuery: z.ZodType<StreamQuery> = z.object({
  from: text.max(100).optional().openapi({
    description:
      'The position to continue from, which is the `id` of the last event that the client received. The header `last-event-id` does the same. Default: the stream begins with the running turn.',
    example: '3.1.24',
  }),
  until: z.enum(['rest']).optional().openapi({
    description:
      '`rest`: the stream ends when no turn is running and no message is waiting. Default: the stream continues with later turns.',
  }),
}) as unknown as z.ZodType<StreamQuery>
