import type { OutcomeTable, TurnSide } from '@minutebook/experiment/run'
import type { RunBoard } from '../../experiments/board.ts'
import type { RunSummary } from '../../experiments/list.ts'

const brief: Omit<RunSummary, 'round'> = {
  run: 'counting-1',
  name: 'counting',
  seed: 1,
  status: 'running',
  waiting: [],
  limit: 100,
  began: '2026-11-15T12:00:00.000Z',
  changed: '2026-11-15T12:00:07.000Z',
  spending: { calls: 2, prompt: 180, completion: 24 },
}

export const sideExample: TurnSide = {
  status: 'complete',
  text: 'One.',
  calls: [{ tool: 'add', input: { count: 1 }, status: 'done' }],
}

export const summaryExample: RunSummary = { ...brief, round: 2 }

export const boardExample: RunBoard = {
  ...brief,
  participants: [{ name: 'ann', model: 'gemma3:4b', thread: 'run/counting-1/ann', spending: brief.spending }],
  rounds: [
    {
      round: 1,
      name: '',
      play: 'sequence',
      order: ['ann'],
      isOver: true,
      environment: { total: 1 },
      cells: [
        {
          participant: 'ann',
          turn: 0,
          status: 'complete',
          text: 'I added one.',
          asked: '9f2c4e',
          calls: [
            { receipt: 'c02d11', hash: '5d41402abc4b2a76', prompt: 90, completion: 12, verdicts: { verbatim: 2 } },
          ],
          effects: [{ tool: 'add', input: {}, told: 'total: 1', changes: { total: 1 }, status: 'done' }],
        },
      ],
    },
  ],
  environment: { total: 1 },
  initial: { total: 0 },
  hidden: 0,
}

export const outcomesExample: OutcomeTable = {
  runs: [
    {
      run: 'counting-1',
      name: 'counting',
      seed: 1,
      status: 'success',
      reason: 'ten was reached after round 5.',
      round: 5,
      models: ['gemma3:4b'],
      spending: { calls: 10, prompt: 900, completion: 120 },
      turns: 5,
      clipped: 0,
      omitted: 0,
      shortWindows: 0,
      final: { total: 10 },
      group: 0,
      differs: {},
    },
  ],
  fields: [],
  variables: [{ name: 'total', isNumber: true, changes: true }],
  goals: [{ name: 'ten', kind: 'success', variable: 'total', sign: '≥', value: 10 }],
}
