import { z } from '@hono/zod-openapi'
import type { Problem } from '@minutebook/experiment'
import type { Manifest, RunStatus, Spending } from '@minutebook/experiment/run'
import type { NewFork, NewRun } from '../../experiments/begin.ts'
import type { RunBoard } from '../../experiments/board.ts'
import type { ExportFormat } from '../../experiments/export.ts'
import type { RunList, RunPage, RunSummary } from '../../experiments/list.ts'
import { shortWindow, turnVerdicts, verdictCounts } from './record.ts'
import { countIn, shape, text, whole } from './schema.ts'

export interface RunParams {
  readonly run: string
}

export const runName: z.ZodString = text
  .min(1)
  .max(80)
  .openapi({ description: 'The name of the run.', example: 'stand-k3v9x2' })

/** The run in a path. */
export const runParams: z.ZodType<RunParams> = z.object({ run: runName }) as unknown as z.ZodType<RunParams>

export const values: z.ZodRecord<z.ZodString, z.ZodUnknown> = z.record(text, z.unknown())
export const spending: z.ZodType<Spending> = z
  .object({
    calls: whole,
    prompt: whole,
    completion: whole,
    cost: z.number().optional().openapi({ description: 'Only if every model has a price.' }),
  })
  .openapi('Spending') as unknown as z.ZodType<Spending>
const statuses = [
  'running',
  'waiting',
  'paused',
  'stopping',
  'success',
  'failure',
  'limit',
  'stopped',
  'error',
] as const
export const status: z.ZodType<RunStatus> = z.enum(statuses)
export const forked: z.ZodType<RunSummary['forked']> = z
  .object({ run: text, round: whole })
  .optional()
  .openapi({ description: 'The run that this run was forked from. Both have the same rounds before `round`.' })

const summaryFields = z.object({
  run: text.openapi({ example: 'stand-k3v9x2' }),
  name: text.openapi({ description: 'The name of the experiment.', example: 'lemonade stand' }),
  seed: whole,
  status,
  reason: text.optional().openapi({ description: 'Why the run is over: the goal or the limit that it reached.' }),
  waiting: z.array(text).openapi({
    description:
      'The participants that are persons and were asked. Each has a call that waits in its thread. The status is `waiting` if no other participant plays.',
  }),
  began: text.optional(),
  changed: text.optional().openapi({ description: 'When the run last changed.' }),
  answers: text
    .optional()
    .openapi({ description: 'The run whose recorded answers are used instead of asking models.' }),
  forked,
  spending,
  limit: whole.nullable().openapi({ description: 'How many rounds the run may have.' }),
})

export const runSummary: z.ZodType<RunSummary> = shape(
  'RunSummary',
  summaryFields.extend({
    round: whole.openapi({ description: 'The current or last round; 0 before the first.' }),
  }),
)

export const runList: z.ZodType<RunList> = shape(
  'RunList',
  z.object({
    runs: z.array(runSummary),
    next: text
      .optional()
      .openapi({ description: 'Pass this value as `after` to get the next page. Absent on the last page.' }),
  }),
)

export const runPage: z.ZodType<RunPage> = z.object({
  limit: countIn(1, 200, 'The maximum number of runs. Default: 50.'),
  after: text.max(80).optional().openapi({ description: 'The value of `next` on the previous page.' }),
}) as unknown as z.ZodType<RunPage>

const turnStatuses = ['playing', 'asked', 'complete', 'partial', 'cancelled', 'failed'] as const
export const turnStatus: z.ZodType<(typeof turnStatuses)[number]> = z.enum(turnStatuses)
const effectStatuses = ['done', 'refused', 'failed', 'interrupted'] as const
export const effectStatus: z.ZodType<(typeof effectStatuses)[number]> = z.enum(effectStatuses)

const cell = z
  .object({
    participant: text,
    turn: whole.openapi({ description: 'The number of the turn, counted from 0 within the round.' }),
    status: turnStatus,
    text,
    reason: z.object({ code: text, message: text, fix: text.optional() }).optional(),
    asked: text.optional().openapi({ description: 'The entry with the question, in the thread of the participant.' }),
    calls: z.array(
      z.object({
        receipt: text.openapi({ description: 'The receipt of the model call, in the thread of the participant.' }),
        hash: text.openapi({ description: 'The hash of the prompt.' }),
        prompt: whole,
        completion: whole,
        verdicts: verdictCounts,
        turn: turnVerdicts,
        window: shortWindow,
        isVain: z.boolean().optional().openapi({ description: 'Whether the call returned no complete answer.' }),
      }),
    ),
    effects: z.array(z.object({ tool: text, input: values, told: text, changes: values, status: effectStatus })),
  })
  .openapi('RunCell')

const column = z
  .object({
    round: whole,
    name: text,
    play: z.enum(['sequence', 'parallel', 'addressed']),
    order: z.array(text).openapi({ description: 'The participants that play, in order.' }),
    isOver: z.boolean(),
    began: text.optional(),
    ended: text.optional(),
    environment: values.openapi({
      description: 'The environment after the round. If the round is not over: the current environment.',
    }),
    cells: z.array(cell).openapi({ description: 'The turns of the participants.' }),
  })
  .openapi('RunRound')

export const runBoard: z.ZodType<RunBoard> = shape(
  'Run',
  summaryFields.extend({
    participants: z.array(
      z.object({
        name: text,
        model: text.nullable().openapi({ description: 'Null for a person.' }),
        thread: text.openapi({
          description: 'The thread of the participant. It is an ordinary thread, and records what the model saw.',
        }),
        spending,
      }),
    ),
    rounds: z.array(column),
    environment: values.openapi({ description: 'The current environment.' }),
    initial: values,
    definition: z
      .unknown()
      .optional()
      .openapi({ description: 'The definition of the run. Only for the scopes app and admin.' }),
    hidden: whole.openapi({
      description: 'How many variables are left out for viewers, because no participant sees them.',
    }),
  }),
)

const definition = z
  .union([text.min(1).max(200_000), z.looseObject({})])
  .openapi({ description: 'The experiment, as data or as a text of YAML.' })
const definitionExample =
  'name: counting\nenvironment: { total: 0 }\nparticipants: { ann: { model: "gemma3:4b", tools: [add] } }\ntools: { add: { changes: { total: total + 1 } } }\ngoals: { success: { ten: total >= 10 } }\n'

export const newRun: z.ZodType<NewRun> = shape(
  'NewRun',
  z
    .strictObject({
      definition,
      run: runName.optional().openapi({ description: 'The name of the run. Default: a generated name.' }),
      seed: whole.optional().openapi({
        description:
          'The seed of hooks, tools, and models without a seed of their own. Default: that of the run in `answers`, else the seed in the definition.',
      }),
      answers: runName
        .optional()
        .openapi({ description: 'A run whose recorded answers are used instead of asking models.' }),
    })
    .openapi({ example: { definition: definitionExample, run: 'counting-1' } }),
)

export const forkRequest: z.ZodType<NewFork> = shape(
  'ForkRun',
  z
    .strictObject({
      as: runName.optional().openapi({ description: 'The name of the new run. Default: a generated name.' }),
      round: whole.min(1).openapi({ description: 'The first round that is played again.' }),
      changes: z
        .looseObject({})
        .optional()
        .openapi({ description: 'Changes to the definition of the run, as a JSON merge patch.' }),
    })
    .openapi({ example: { round: 3, changes: { participants: { ann: { model: 'gemma3:12b' } } } } }),
)

export interface CheckRequest {
  readonly definition: unknown
}

export const checkRequest: z.ZodType<CheckRequest> = shape(
  'CheckExperiment',
  z.strictObject({ definition }).openapi({ example: { definition: definitionExample } }),
)

const problem = z
  .object({
    line: whole
      .optional()
      .openapi({ description: 'The line, counted from 1. Present only if the definition was sent as a text.' }),
    column: whole.optional(),
    field: text.openapi({ example: 'participants.ann.sees[0]' }),
    problem: text,
    fix: text,
  })
  .openapi('ExperimentProblem')

export interface Checked {
  readonly problems: readonly Problem[]
}

export const checked: z.ZodType<Checked> = shape(
  'CheckedExperiment',
  z.object({ problems: z.array(problem).openapi({ description: 'If the list is empty, the experiment can be run.' }) }),
)

const settings = z.object({
  calls: whole.openapi({ description: 'How many model calls were made with these settings.' }),
  seeds: z.array(whole).openapi({ description: 'The seeds that were sent with them, each once, in order.' }),
  compiler: whole,
  model: text.nullable(),
  wire: text.nullable(),
  facts: values.optional().openapi({ description: 'Options and digest of the model, as far as they are known.' }),
  options: values.optional().openapi({ description: 'What was asked of its answers, such as temperature and seed.' }),
  window: whole,
  reserve: whole.nullable(),
  policy: z.unknown(),
  counter: z.unknown(),
  tools: z.array(text),
})

export const manifest: z.ZodType<Manifest> = shape(
  'Manifest',
  z.object({
    experiment: text,
    definition: text.openapi({ description: 'SHA-256 of the canonical JSON of the definition.' }),
    seed: whole,
    participants: z.array(
      z.object({
        name: text,
        settings: z
          .array(settings)
          .openapi({ description: 'The settings as they were sent. If they changed, all of them in order.' }),
      }),
    ),
  }),
)

export interface ExportQuery {
  readonly format?: ExportFormat | undefined
}

export const exportQuery: z.ZodType<ExportQuery> = z.object({
  format: z
    .enum(['jsonl', 'csv'])
    .optional()
    .openapi({ description: '`jsonl` (default): every event. `csv`: one row per turn.' }),
}) as unknown as z.ZodType<ExportQuery>
