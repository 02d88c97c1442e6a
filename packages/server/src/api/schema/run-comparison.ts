import { z } from '@hono/zod-openapi'
import type { Comparison } from '@minutebook/experiment/run'
import { effectStatus, runName, turnStatus, values } from './run.ts'
import { shape, text, whole } from './schema.ts'

export interface CompareQuery {
  readonly left: string
  readonly right: string
}

export const compareQuery: z.ZodType<CompareQuery> = z.object({
  left: runName,
  right: runName,
}) as unknown as z.ZodType<CompareQuery>

const sameness = z.enum(['same', 'other'])

const side = z
  .object({
    status: turnStatus,
    text,
    calls: z.array(z.object({ tool: text, input: values, status: effectStatus })),
    receipt: text.optional().openapi({
      description: 'The receipt of the first model call whose prompt differs, in the thread of the participant.',
    }),
  })
  .optional()
  .openapi({ description: 'The turn in this run. Absent if the participant did not play.' })

export const comparison: z.ZodType<Comparison> = shape(
  'RunComparison',
  z.object({
    left: text,
    right: text,
    parts: whole.optional().openapi({ description: 'The first round in which anything differs.' }),
    changes: z
      .array(
        z.object({
          path: text.openapi({ example: 'participants.ann.model.temperature' }),
          left: z.unknown().optional(),
          right: z.unknown().optional(),
        }),
      )
      .optional()
      .openapi({
        description: 'The fields of the definitions that differ, and the seeds. For the scopes app and admin.',
      }),
    rounds: z.array(
      z.object({
        round: whole,
        isSame: z.boolean(),
        in: z.enum(['both', 'left', 'right']),
        environment: z.array(z.object({ name: text, left: z.unknown().optional(), right: z.unknown().optional() })),
        turns: z.array(
          z.object({
            participant: text,
            turn: whole,
            prompts: sameness,
            answers: sameness.openapi({
              description: 'Whether both turns ended in the same way, with the same words.',
            }),
            calls: sameness.openapi({
              description: 'Whether both turns called the same tools, with the same arguments and the same outcome.',
            }),
            left: side,
            right: side,
          }),
        ),
      }),
    ),
  }),
)
