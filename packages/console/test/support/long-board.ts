import { courseOf, outcomeTable, type Board, type Cell, type Value } from '@minutebook/experiment/run'
import type { Visit } from '../../../../tests/support/browser/browser.ts'

const spending = { calls: 1, prompt: 100, completion: 10 }
const names = ['ann', 'bob', 'cy', 'dan']

export type LongBoard = Board & { readonly limit: number; readonly hidden: number; readonly definition?: Value }

/** A run of many rounds, as the API would tell it: ann tells bob something in every fourth round. */
export function longBoard(rounds: number, run = 'long', seed = 1): LongBoard {
  return {
    run,
    name: 'a long one',
    seed,
    status: 'limit',
    waiting: [],
    reason: `${rounds} rounds were played, as many as are allowed.`,
    limit: rounds,
    hidden: 0,
    participants: names.map((name) => ({ name, model: 'm', thread: `run/${run}/${name}`, spending })),
    rounds: Array.from({ length: rounds }, (_, index) => ({
      round: index + 1,
      name: 'day',
      play: 'sequence',
      order: names,
      isOver: true,
      environment: {
        cash: Math.round(100 * Math.sin(index / 9)) + seed,
        mood: ['calm', 'tense'][Math.floor(index / 7) % 2]!,
        isOpen: index % 5 !== 4,
        price: 3,
        town: 'Prague',
      },
      cells: names.map((participant): Cell => cellOf(participant, index)),
    })),
    environment: { cash: 0, mood: 'calm', isOpen: true, price: 3, town: 'Prague' },
    initial: { cash: 0, mood: 'calm', isOpen: true, price: 3, town: 'Prague' },
    spending,
    definition: {
      environment: { cash: { initial: 0, description: 'in dollars' } },
      participants: Object.fromEntries(
        names.map((name) => [name, { model: { name: 'm', window: 4096, temperature: 0.7 } }]),
      ),
      goals: { success: { rich: 'cash >= 80' }, failure: { broke: 'cash < -90' } },
    },
  }
}

function cellOf(participant: string, index: number): Cell {
  const isClipped = participant === 'cy' && index % 6 === 2
  return {
    participant,
    turn: 0,
    status: participant === 'dan' && index % 11 === 10 ? 'failed' : 'complete',
    text: `${participant} at ${index + 1}`,
    calls: [
      {
        receipt: 'r',
        hash: `h ${participant} ${index}`,
        prompt: 3325,
        completion: 110,
        verdicts: {},
        ...(isClipped && { turn: { question: 'clipped' as const, verdicts: { clipped: 1 } } }),
      },
    ],
    effects:
      participant === 'ann' && index % 4 === 0
        ? [{ tool: 'tell', input: { to: 'bob', text: 'Sell now.' }, told: '', changes: {}, status: 'done' }]
        : [],
  }
}

/** Shows these boards in place of what the server has. */
export async function showBoards({ page }: Visit, ...boards: readonly LongBoard[]): Promise<void> {
  for (const board of boards)
    await page.route(`**/minutebook/v1/runs/${board.run}`, (route) => route.fulfill({ json: board }))
  await page.route('**/minutebook/v1/runs?*', (route) =>
    route.fulfill({ json: { runs: boards.map(({ rounds, ...board }) => ({ ...board, round: rounds.length })) } }),
  )
  await page.route('**/minutebook/v1/runs/compare/*?*', (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const chosen = searchParams.get('runs')!.split(',')
    const read = chosen.map((run) => {
      const board = boards.find((each) => each.run === run)!
      return { course: courseOf(board), definition: board.definition }
    })
    if (pathname.endsWith('/outcomes')) return route.fulfill({ json: outcomeTable(read) })
    const series = read.flatMap(({ course }) =>
      searchParams
        .get('variables')!
        .split(',')
        .map((variable) => ({
          run: course.outcome.run,
          variable,
          points: course.series.get(variable)!.map((value, round) => [round, value]),
        })),
    )
    return route.fulfill({ json: { series } })
  })
}
