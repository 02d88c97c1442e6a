import { z } from '@hono/zod-openapi'
import type { Problem } from '@minutebook/experiment'
import type { Manifest } from '@minutebook/experiment/run'
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
const spending = z
  .object({
    calls: whole,
    prompt: whole,
    completion: whole,
    cost: z.number().optional().openapi({ description: 'Only if every model has a price.' }),
  })
  .openapi('Spending')
const status = z.enum(['running', 'paused', 'stopping', 'success', 'failure', 'limit', 'stopped', 'error'])
const forked = z
  .object({ run: text, round: whole })
  .optional()
  .openapi({ description: 'The run that it was forked from: it shares all rounds before this one.' })

const summaryFields = z.object({
  run: text.openapi({ example: 'stand-k3v9x2' }),
  name: text.openapi({ description: 'Of the experiment.', example: 'lemonade stand' }),
  seed: whole,
  status,
  reason: text.optional().openapi({ description: 'Why it is over: the goal that was reached, or the limit.' }),
  began: text.optional(),
  changed: text.optional().openapi({ description: 'When something last happened.' }),
  answers: text
    .optional()
    .openapi({ description: 'The run whose recorded answers are used instead of asking models.' }),
  forked,
  spending,
  limit: whole.nullable().openapi({ description: 'How many rounds it may have.' }),
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
    next: text.optional().openapi({ description: 'Pass it as `after` for the next page. Not there on the last one.' }),
  }),
)

export const runPage: z.ZodType<RunPage> = z.object({
  limit: countIn(1, 200, 'How many. Default: 50.'),
  after: text.max(80).optional().openapi({ description: 'The `next` of the page before.' }),
}) as unknown as z.ZodType<RunPage>

const turnStatuses = ['playing', 'complete', 'partial', 'cancelled', 'failed'] as const
export const turnStatus: z.ZodType<(typeof turnStatuses)[number]> = z.enum(turnStatuses)
const effectStatuses = ['done', 'refused', 'failed', 'interrupted'] as const
export const effectStatus: z.ZodType<(typeof effectStatuses)[number]> = z.enum(effectStatuses)

const cell = z
  .object({
    participant: text,
    turn: whole.openapi({ description: 'Counted from 0 within the round.' }),
    status: turnStatus,
    text,
    reason: z.object({ code: text, message: text }).optional(),
    asked: text.optional().openapi({ description: 'The entry of its thread with the question.' }),
    calls: z.array(
      z.object({
        receipt: text.openapi({ description: 'In its thread: what the model saw.' }),
        hash: text.openapi({ description: 'Of the prompt.' }),
        prompt: whole,
        completion: whole,
        verdicts: verdictCounts,
        turn: turnVerdicts,
        window: shortWindow,
        isVain: z.boolean().optional().openapi({ description: 'Whether no whole answer came of it.' }),
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
    order: z.array(text).openapi({ description: 'Who plays, in order.' }),
    isOver: z.boolean(),
    began: text.optional(),
    ended: text.optional(),
    environment: values.openapi({ description: 'After the round, or as it is now.' }),
    cells: z.array(cell).openapi({ description: 'Turns of participants.' }),
  })
  .openapi('RunRound')

export const runBoard: z.ZodType<RunBoard> = shape(
  'Run',
  summaryFields.extend({
    participants: z.array(
      z.object({
        name: text,
        model: text,
        thread: text.openapi({ description: 'An ordinary thread: what the model saw is found there.' }),
        spending,
      }),
    ),
    rounds: z.array(column),
    environment: values.openapi({ description: 'As it is now.' }),
    initial: values,
    definition: z
      .unknown()
      .optional()
      .openapi({ description: 'What the run is made of. For the scopes app and admin.' }),
    hidden: whole.openapi({
      description: 'How many variables are left out for viewers, because no participant sees them.',
    }),
  }),
)

const definition = z
  .union([text.min(1).max(200_000), z.looseObject({})])
  .openapi({ description: 'The experiment: as data, or as a text of YAML.' })
const definitionExample =
  'name: counting\nenvironment: { total: 0 }\nparticipants: { ann: { model: "gemma3:4b", tools: [add] } }\ntools: { add: { changes: { total: total + 1 } } }\ngoals: { success: { ten: total >= 10 } }\n'

export const newRun: z.ZodType<NewRun> = shape(
  'NewRun',
  z
    .strictObject({
      definition,
      run: runName.optional().openapi({ description: 'Its name. Default: a generated one.' }),
      seed: whole.optional().openapi({ description: 'The seed of all randomness. Default: that of the definition.' }),
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
      as: runName.optional().openapi({ description: 'The name of the new run. Default: a generated one.' }),
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
    line: whole.optional().openapi({ description: 'From 1; of a text.' }),
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
  z.object({ problems: z.array(problem).openapi({ description: 'None: it can be run.' }) }),
)

const settings = z.object({
  calls: whole.openapi({ description: 'How many model calls were made under these.' }),
  compiler: whole,
  model: text.nullable(),
  wire: text.nullable(),
  facts: values.optional().openapi({ description: 'Options, seed and digest of the model, as far as they are known.' }),
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
    definition: text.openapi({ description: 'SHA-256 of its canonical JSON.' }),
    seed: whole,
    participants: z.array(
      z.object({
        name: text,
        settings: z.array(settings).openapi({ description: 'As they were sent, in order if they changed.' }),
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
