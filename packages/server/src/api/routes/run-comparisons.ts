import { operation, type Operation } from '../operation.ts'
import { compareQuery, comparison } from '../schema/run-comparison.ts'
import { outcomesExample, sideExample } from '../schema/run-examples.ts'
import { outcomesQuery, outcomeTable, runSeries, seriesQuery } from '../schema/run-outcomes.ts'
import { runArchiveOf } from './run-commands.ts'

/** What compares runs: two of them round by round, many of them by their outcomes and variables. */
export const comparisons: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/runs/compare',
    id: 'compareRuns',
    tag: 'runs',
    scope: 'viewer',
    summary: 'Compare two runs, round by round',
    query: compareQuery,
    status: 200,
    says: 'The differences between the runs: definitions by field, prompts by hash, answers by text, tool calls by argument, the environment by value.',
    schema: comparison,
    example: {
      left: 'counting-1',
      right: 'counting-2',
      parts: 3,
      changes: [{ path: 'participants.ann.model.temperature', right: 0.7 }],
      rounds: [
        {
          round: 1,
          isSame: true,
          in: 'both',
          environment: [],
          turns: [
            {
              participant: 'ann',
              turn: 0,
              prompts: 'same',
              answers: 'same',
              calls: 'same',
              left: sideExample,
              right: sideExample,
            },
          ],
        },
      ],
    },
    errors: ['unknown_run'],
    answer: ({ query: { left, right }, call }) => runArchiveOf(call).compare(left, right),
  }),
  operation({
    method: 'get',
    path: '/runs/compare/outcomes',
    id: 'compareOutcomes',
    tag: 'runs',
    scope: 'viewer',
    summary: 'Compare the outcomes of up to 100 runs',
    description:
      'Without the rounds of the runs. Viewers see neither what differs in the definitions nor variables that no participant sees.',
    query: outcomesQuery,
    status: 200,
    says: 'One row for each run, in the order of the query: why it ended, what it cost, its last values, and the fields of the definition that differ.',
    schema: outcomeTable,
    example: outcomesExample,
    errors: ['unknown_run'],
    answer: ({ query: { runs }, call }) => runArchiveOf(call).outcomes(runs),
  }),
  operation({
    method: 'get',
    path: '/runs/compare/series',
    id: 'compareSeries',
    tag: 'runs',
    scope: 'viewer',
    summary: 'Compare variables of up to 100 runs over their rounds',
    description: 'For plots: the variables that are numbers, without anything else of the runs.',
    query: seriesQuery,
    status: 200,
    says: 'One series for each run and variable. Runs that have no such variable are left out.',
    schema: runSeries,
    example: {
      series: [
        {
          run: 'counting-1',
          variable: 'total',
          points: [
            [0, 0],
            [1, 5],
          ],
        },
      ],
    },
    errors: ['unknown_run'],
    answer: async ({ query: { runs, variables }, call }) => ({
      series: await runArchiveOf(call).series(runs, variables),
    }),
  }),
]
