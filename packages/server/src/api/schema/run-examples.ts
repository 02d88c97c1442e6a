import type { TurnSide } from '@minutebook/experiment/run'
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
