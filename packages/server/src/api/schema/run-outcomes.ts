import { z } from '@hono/zod-openapi'
import type { OutcomeTable, RunSeries } from '@minutebook/experiment/run'
import { mostCompared, mostFollowed } from '../../experiments/outcomes.ts'
import { forked, runName, spending, status, values } from './run.ts'
import { shape, text, whole } from './schema.ts'

export interface OutcomesQuery {
  readonly runs: readonly string[]
}

export interface SeriesQuery extends OutcomesQuery {
  readonly variables: readonly string[]
}

/** Names in one parameter, separated by commas. */
function namesIn(name: z.ZodString, most: number, description: string): z.ZodType<readonly string[]> {
  return z
    .string()
    .max(most * 81)
    .transform((list) => list.split(','))
    .pipe(z.array(name).min(1).max(most))
    .openapi({ param: { schema: { type: 'string' } }, type: 'string', description }) as unknown as z.ZodType<
    readonly string[]
  >
}

const runs = namesIn(
  runName,
  mostCompared,
  `The names of 1 to ${mostCompared} runs, separated by commas, such as \`stand-1,stand-2\`.`,
)

export const outcomesQuery: z.ZodType<OutcomesQuery> = z.object({ runs }) as unknown as z.ZodType<OutcomesQuery>

export const seriesQuery: z.ZodType<SeriesQuery> = z.object({
  runs,
  variables: namesIn(
    text.min(1).max(80),
    mostFollowed,
    `The names of 1 to ${mostFollowed} variables, separated by commas.`,
  ),
}) as unknown as z.ZodType<SeriesQuery>

const goal = z.object({
  name: text.openapi({ description: 'The name of the goal.' }),
  kind: z.enum(['success', 'failure']),
  variable: text,
  sign: z.enum(['≥', '≤', '>', '<', '=']),
  value: z.number(),
})

export const outcomeTable: z.ZodType<OutcomeTable> = shape(
  'RunOutcomes',
  z.object({
    runs: z.array(
      z.object({
        run: text,
        name: text.openapi({ description: 'The name of the experiment.' }),
        seed: whole,
        status,
        reason: text.optional(),
        round: whole.openapi({ description: 'The current or last round; 0 before the first.' }),
        models: z.array(text).openapi({ description: 'The models of the participants, each once.' }),
        spending,
        turns: whole.openapi({ description: 'How many turns models played.' }),
        clipped: whole.openapi({ description: 'In how many of them the question was not sent whole.' }),
        omitted: whole.openapi({
          description: 'In how many of them something else was left out, or sent only in part or in brief.',
        }),
        shortWindows: whole.openapi({
          description: 'How many participants had a smaller window than the definition asks for.',
        }),
        final: values.openapi({ description: 'The current or last environment. Long values are cut.' }),
        began: text.optional(),
        changed: text.optional(),
        answers: text.optional(),
        forked,
        group: whole.openapi({ description: 'Runs with the same number differ in nothing but their seeds.' }),
        differs: values.openapi({ description: 'The values of the fields that differ, as far as this run has them.' }),
      }),
    ),
    fields: z.array(text).optional().openapi({
      description: 'The fields that differ between the definitions, at most 30. For the scopes app and admin.',
    }),
    variables: z.array(
      z.object({
        name: text,
        isNumber: z.boolean(),
        changes: z.boolean().openapi({ description: 'Whether any of the runs changed it.' }),
        description: text.optional(),
      }),
    ),
    goals: z.array(goal).openapi({
      description: 'The numbers that goals compare variables with. For the scopes app and admin.',
    }),
  }),
)

export interface SeriesAnswer {
  readonly series: readonly RunSeries[]
}

export const runSeries: z.ZodType<SeriesAnswer> = shape(
  'RunSeries',
  z.object({
    series: z.array(
      z.object({
        run: text,
        variable: text,
        points: z.array(z.tuple([whole, z.number().nullable()])).openapi({
          description:
            'Round and value; round 0 is the start. All series together have at most 100,000 points: of longer runs, every n-th round and the last.',
        }),
      }),
    ),
  }),
)
