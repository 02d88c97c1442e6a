import { z } from '@hono/zod-openapi'
import type { AskedPrompt } from '../../turns/ask-prompt.ts'
import type { RelayTurn } from '../../turns/relay.ts'
import { shape, text, whole } from './schema.ts'

export const relayTurn: z.ZodType<RelayTurn> = shape(
  'RelayTurn',
  z
    .strictObject({
      message: text
        .min(1)
        .max(1 << 20)
        .optional()
        .openapi({ description: 'The message of the user.' }),
      results: z
        .array(
          z.strictObject({ id: text.max(200).optional(), name: text.max(200).optional(), text: text.max(1 << 20) }),
        )
        .min(1)
        .max(128)
        .optional()
        .openapi({ description: 'The results of the tool calls at the end of the branch, in the order of the calls.' }),
      again: text.max(100).optional().openapi({ description: 'The id of a user entry that is to be answered again.' }),
      after: text
        .max(100)
        .nullable()
        .optional()
        .openapi({ description: 'The entry to continue from. Default: the newest. Null: from the beginning.' }),
      id: text.min(1).max(200).optional().openapi({
        description: 'Your own id for the message. If you send the message again with the same id, it is not repeated.',
      }),
    })
    .openapi({ example: { message: 'What grows in the shade?' } }),
)

export const askedPrompt: z.ZodType<AskedPrompt> = shape(
  'AskedPrompt',
  z
    .strictObject({
      messages: z
        .array(z.looseObject({ role: text.min(1).max(100) }))
        .min(1)
        .max(100_000)
        .openapi({ description: 'The messages, in the form of the protocol that the recorded call used.' }),
      tools: z
        .array(z.looseObject({ type: text }))
        .max(1000)
        .optional(),
      window: whole
        .min(1)
        .max(2 ** 31)
        .openapi({ description: 'The window that the prompt was made for, in tokens.', example: 4096 }),
      load: z.boolean().optional().openapi({
        description:
          'If the model has a smaller window: have an Ollama server load it with this one. Default: the prompt is refused with `window_too_small`.',
      }),
    })
    .openapi({ example: { messages: [{ role: 'user', content: 'What grows in the shade?' }], window: 4096 } }),
)
