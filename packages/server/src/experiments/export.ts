import {
  csvLine,
  type Begun,
  type Board,
  type Cell,
  type Column,
  type ModelCall,
  type Recorded,
  type Run,
  type Value,
} from '@minutebook/experiment/run'

/** The forms in which a run can be exported. */
export const exportFormats = ['jsonl', 'csv'] as const
/** One of the forms in which a run can be exported. */
export type ExportFormat = (typeof exportFormats)[number]

/** A run as lines: every event with the hashes of its prompts, or a table with a row per turn. */
export async function* runLines(run: Run, format: ExportFormat): AsyncGenerator<string, void, void> {
  if (format === 'jsonl') {
    for (const event of await run.events()) yield JSON.stringify({ run: run.id, ...event })
    return
  }
  yield* tableLines(await run.board(), await run.begun())
}

/**
 * One row per turn, with variables as they were after its round. Texts are quoted if needed, and none begins a formula.
 */
export function* tableLines(board: Board, begun: Recorded<Begun>): Generator<string, void, void> {
  const variables = Object.keys(board.initial)
  yield csvLine([
    'run',
    'seed',
    'round',
    'name',
    'participant',
    'model',
    'turn',
    'status',
    'calls',
    'prompt_tokens',
    'completion_tokens',
    'tokens',
    'cost',
    'tools',
    ...variables.map((name) => `env.${name}`),
    'text',
  ])
  for (const column of board.rounds)
    for (const cell of column.cells) yield csvLine(rowOf(board, begun, column, cell, variables))
}

function rowOf(
  { run, seed }: Board,
  begun: Begun,
  { round, name, environment }: Column,
  { participant, turn, status, calls, effects, text }: Cell,
  variables: readonly string[],
): Value[] {
  const prompt = sum(calls, 'prompt')
  const completion = sum(calls, 'completion')
  const model = begun.participants[participant] ?? null
  const price = begun.prices[model ?? '']
  const cost = price ? (prompt * price.input + completion * price.output) / 1e6 : null
  return [
    run,
    seed,
    round,
    name,
    participant,
    model,
    turn,
    status,
    calls.length,
    prompt,
    completion,
    prompt + completion,
    cost,
    effects.map(({ tool }) => tool).join(' '),
    ...variables.map((variable) => environment[variable] ?? null),
    text,
  ]
}

function sum(calls: readonly ModelCall[], field: 'prompt' | 'completion'): number {
  return calls.reduce((total, call) => total + call[field], 0)
}
