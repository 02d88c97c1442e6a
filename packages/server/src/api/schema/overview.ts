import { z } from '@hono/zod-openapi'
import { figureNames } from 'minutebook/store'
import { problemReasons } from 'minutebook/inspect'
import type { Overview, OverviewQuery } from '../../archive/overview.ts'
import { countIn, shape, text, whole } from './schema.ts'

const time = text.max(40).optional()

/** Which calls an overview sums up. */
export const overviewQuery: z.ZodType<OverviewQuery> = z.object({
  from: time.openapi({
    description: 'The first hour (ISO 8601). Default: 24 hours before `to`.',
    example: '2026-11-17T15:00:00Z',
  }),
  to: time.openapi({ description: 'The time to stop before (ISO 8601). Default: now.' }),
  step: countIn(
    1,
    87_600,
    'How many hours are summed in a step of the series. Default: so that there are at most 60 steps. It is more if there would be more than 400 steps.',
  ),
  model: text.max(200).optional().openapi({ description: 'Only calls of this model.' }),
  key: text.max(200).optional().openapi({ description: 'Only calls for this key.' }),
  limit: countIn(1, 50, 'How many threads with problems are listed. Default: 12.'),
}) as unknown as z.ZodType<OverviewQuery>

const says: Readonly<Partial<Record<string, string>>> = {
  calls: 'Model calls.',
  failed: 'Calls that failed.',
  cancelled: 'Calls that the client stopped.',
  resent: 'Calls that were made again: the server has a smaller window, or the answer did not have the form.',
  unsent: 'Questions that reached no model, because nothing fitted the window.',
  cutCalls: 'Calls whose prompt the model server cut.',
  omittedCalls: 'Calls without a word of some messages.',
  clippedCalls: 'Calls with clipped messages.',
  clippedQuestions: 'Calls that did not have their whole question.',
  sentTokens: 'Tokens of prompts, as Minutebook counts them.',
  reusedTokens: 'How many of them were the beginning of the previous prompt.',
  readTokens: 'Tokens of prompts that model servers say they read.',
  cachedTokens: 'Tokens of prompts that they had in their cache.',
  cutTokens: 'Tokens of cut prompts that they did not read.',
  answerTokens: 'Tokens of answers.',
}

const figures = z
  .object(
    Object.fromEntries(
      figureNames.map((name) => [name, whole.openapi({ description: says[name] ?? 'Entries with this verdict.' })]),
    ),
  )
  .openapi('Figures')

const named = z.array(
  z.object({
    name: text.nullable().openapi({ description: 'Null: all others, and names that the key may not see.' }),
    calls: whole,
  }),
)

const reason = z.enum(problemReasons).openapi({
  description:
    '`cut`: the model server cut the prompt; `overflow`: nothing fitted the window; `failed`: the call failed; `question`: the question was not sent whole; `turn`: a part of its turn was not sent whole; `partial`: the answer was cut off.',
})

const call = z.object({
  receipt: text,
  sent: whole,
  reused: whole,
  read: whole.nullable(),
  window: whole.nullable(),
  problems: z.array(reason),
})

export const overview: z.ZodType<Overview> = shape(
  'Overview',
  z.object({
    from: text,
    to: text,
    step: whole.openapi({ description: 'In hours.' }),
    totals: figures,
    series: z.array(z.object({ from: text, figures })),
    models: named,
    keys: named,
    problems: z
      .array(
        z.object({
          thread: text,
          title: text.nullable(),
          model: text.nullable(),
          reasons: z.array(
            z.object({
              reason,
              calls: whole.openapi({ description: 'In how many of `calls`. 0 if that is longer ago.' }),
              receipt: text.nullable().openapi({ description: 'The newest such call. Null if no prompt was made.' }),
            }),
          ),
          calls: z
            .array(call)
            .openapi({ description: 'The newest calls of the thread, at most 24, the oldest first.' }),
        }),
      )
      .openapi({ description: 'Threads that need a look, the worst first.' }),
    threads: z.object({
      count: whole.openapi({ description: 'How many threads have problems.' }),
      all: z.boolean().openapi({ description: 'False if only the newest problems were looked at.' }),
    }),
  }),
)
