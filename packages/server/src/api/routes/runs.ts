import { MinutebookError } from 'minutebook'
import type { Problem } from '@minutebook/experiment'
import { beginRun, checkedDefinition, forkRun, policyProblems } from '../../experiments/begin.ts'
import { withinLimits } from '../../experiments/limits.ts'
import { runCommands } from '../../experiments/runs.ts'
import { sendEvents } from '../../http/event-stream.ts'
import { followed } from '../../telemetry/metrics.ts'
import { policiesOf } from '../../stores/policies.ts'
import { eventResponse } from 'minutebook/http'
import { exportBody } from '../bodies.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { boardExample, summaryExample } from '../schema/run-examples.ts'
import {
  checked,
  checkRequest,
  exportQuery,
  forkRequest,
  manifest,
  newRun,
  runBoard,
  runList,
  runPage,
  runParams,
  runSummary,
} from '../schema/run.ts'
import { runArchiveOf, steering } from './run-commands.ts'
import { comparisons } from './run-comparisons.ts'

const playing = [
  'invalid_experiment',
  'tool_not_allowed',
  'unknown_tool',
  'unknown_model',
  'no_model',
  'unknown_policy',
  'invalid_run',
  'run_exists',
  'unknown_run',
] as const
const news = {
  'text/event-stream': {
    says: 'The first event is `board`, with the whole run. Each later event is `change`, without the definition and with only the new or changed rounds. The stream ends when the run is over.',
    example: `event: board\ndata: ${JSON.stringify({ ...boardExample, rounds: [] })}\n\n`,
  },
}

export const runOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/experiments/check',
    id: 'checkExperiment',
    reads: true,
    tag: 'runs',
    scope: 'app',
    summary: 'Check the definition of an experiment',
    description: 'Starts nothing. If the definition is a YAML text, the problems have line numbers.',
    body: checkRequest,
    status: 200,
    says: 'Everything that must be fixed before the experiment can run.',
    schema: checked,
    example: {
      problems: [
        {
          line: 3,
          column: 12,
          field: 'participants.ann.sees[0]',
          problem: 'there is no variable "csh"',
          fix: 'did you mean "cash"?',
        },
      ],
    },
    errors: [],
    answer: async ({ body, call }) => ({ problems: await problemsIn(call, body.definition) }),
  }),
  operation({
    method: 'get',
    path: '/runs',
    id: 'listRuns',
    tag: 'runs',
    scope: 'viewer',
    summary: 'List runs, the newest first',
    query: runPage,
    status: 200,
    says: 'A page of runs.',
    schema: runList,
    example: { runs: [summaryExample] },
    errors: ['invalid_page'],
    answer: ({ query, call }) => runArchiveOf(call).list(query),
  }),
  operation({
    method: 'post',
    path: '/runs',
    id: 'beginRun',
    tag: 'runs',
    scope: 'app',
    summary: 'Start a run of an experiment',
    description: 'Each tool of the experiment must be made of expressions, or be registered by the operator.',
    body: newRun,
    status: 201,
    says: 'The run is recorded. Any server instance continues it automatically.',
    schema: runSummary,
    example: { ...summaryExample, round: 0 },
    errors: playing,
    answer: async ({ body, call }) =>
      runArchiveOf(call).summary(
        (await beginRun(call.services, { tenant: call.caller.tenant, caller: call.caller }, body)).id,
      ),
  }),
  ...comparisons,
  operation({
    method: 'get',
    path: '/runs/{run}',
    id: 'getRun',
    tag: 'runs',
    scope: 'viewer',
    summary: 'Show a run: who did what in each round, and the environment',
    description:
      'Viewers see neither the definition nor variables that no participant sees. `hidden` says how many variables are left out.',
    params: runParams,
    status: 200,
    says: 'The run.',
    schema: runBoard,
    example: boardExample,
    errors: ['unknown_run'],
    answer: ({ params: { run }, call }) => runArchiveOf(call).show(run),
  }),
  operation({
    method: 'get',
    path: '/runs/{run}/events',
    id: 'watchRun',
    tag: 'runs',
    scope: 'viewer',
    summary: 'Stream a run',
    description:
      'Any instance can stream the run, even if another one runs it. A client that loses the connection can connect again, and gets the whole run again.',
    params: runParams,
    status: 200,
    says: 'Events, until the run is over or the client disconnects.',
    media: news,
    errors: ['unknown_run'],
    answer: async ({ params: { run }, call }) => {
      await call.services.experiments(call.caller.tenant).run(run).begun()
      return watched(call, run)
    },
  }),
  ...runCommands.map((command) => steering(command)),
  operation({
    method: 'post',
    path: '/runs/{run}/fork',
    id: 'forkRun',
    tag: 'runs',
    scope: 'app',
    summary: 'Fork a run at a round, with a change',
    params: runParams,
    body: forkRequest,
    status: 201,
    says: 'The new run.',
    schema: runSummary,
    example: { ...summaryExample, run: 'counting-2', forked: { run: 'counting-1', round: 3 } },
    errors: [...playing, 'unknown_round', 'invalid_fork'],
    answer: async ({ params: { run }, body, call }) =>
      runArchiveOf(call).summary(
        (await forkRun(call.services, { tenant: call.caller.tenant, caller: call.caller }, run, body)).id,
      ),
  }),
  operation({
    method: 'get',
    path: '/runs/{run}/manifest',
    id: 'getManifest',
    tag: 'runs',
    scope: 'app',
    summary: 'Show what a run actually ran with',
    params: runParams,
    status: 200,
    says: 'The models with digest, options and seed, the windows, the policies and the version of the compiler, as they were really used.',
    schema: manifest,
    example: {
      experiment: 'counting',
      definition: '5d41402abc4b2a76',
      seed: 1,
      participants: [
        {
          name: 'ann',
          settings: [
            {
              calls: 2,
              seeds: [1209447721, 417705286],
              compiler: 1,
              model: 'gemma3:4b',
              wire: 'ollama',
              facts: { digest: 'a2af6cc3eb7f' },
              options: { temperature: 0 },
              window: 4096,
              reserve: null,
              policy: { name: 'default' },
              counter: { name: 'estimate@1' },
              tools: ['add'],
            },
          ],
        },
      ],
    } as never,
    errors: ['unknown_run'],
    answer: ({ params: { run }, call }) => runArchiveOf(call).manifest(run),
  }),
  operation({
    method: 'get',
    path: '/runs/{run}/export',
    id: 'exportRun',
    tag: 'runs',
    scope: 'app',
    summary: 'Export a run: every event, or a table of its turns',
    params: runParams,
    query: exportQuery,
    status: 200,
    says: 'Everything that is recorded of the run.',
    media: {
      'application/x-ndjson': { says: 'One event per line, with the hashes of its prompts.' },
      'text/csv': { says: 'One row per turn, after a header line.' },
    },
    errors: ['unknown_run'],
    answer: async ({ params: { run }, query: { format = 'jsonl' }, call }) =>
      new Response(await exportBody(runArchiveOf(call).export(run, format), call.breakOff), {
        headers: { 'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson' },
      }),
  }),
]

async function problemsIn({ services, caller }: ApiCall, definition: unknown): Promise<readonly Problem[]> {
  try {
    return await policyProblems(
      withinLimits(await checkedDefinition(services, caller.tenant, definition), services.config.runLimits),
      policiesOf(services.config, services.stores.of(caller.tenant).store),
    )
  } catch (error) {
    if (!MinutebookError.isInstance(error) || error.code !== 'invalid_experiment') throw error
    return error.details['problems'] as readonly Problem[]
  }
}

/** Ends when the client leaves or the server closes. The client then watches on another instance. */
function watched(call: ApiCall, run: string): Response {
  const {
    services: { closing, metrics },
    breakOff,
    outgoing,
  } = call
  const left = new AbortController()
  const onLeft = (): void => left.abort()
  const events = followed(runArchiveOf(call).watch(run, { signal: AbortSignal.any([left.signal, closing]) }), metrics)
  return outgoing
    ? sendEvents(outgoing, events, { status: 200, onLeft })
    : eventResponse(events, { onLeft, onBroken: breakOff })
}
