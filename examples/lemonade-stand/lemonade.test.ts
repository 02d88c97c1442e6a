import type { Model } from 'minutebook'
import type { Board } from '@minutebook/experiment/run'
import { scriptedModel } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { beforeAll, expect, test } from 'vitest'
import { openStage, over, seatOf } from '../play.ts'
import { program } from '../program.ts'
import { shownIn } from '../shown.ts'
import { sell, scriptedVendor } from './scripted.ts'

async function played({
  model = scriptedVendor(),
  seed,
  rounds = 30,
}: { readonly model?: Model; readonly seed?: number; readonly rounds?: number } = {}): Promise<Board> {
  const stage = await openStage(new URL('./lemonade.yaml', import.meta.url), (seat) => seatOf(seat, model), {
    limits: { rounds },
  })
  const board = await over(await stage.begin('stand', { seed }))
  await stage.close()
  return board
}

const page = new URL('./README.md', import.meta.url)
let board: Board

beforeAll(async () => {
  board = await played()
})

test('a vendor with rules becomes rich, by all ten tools and without one refusal', () => {
  expect(board).toMatchObject({ status: 'success', reason: `rich was reached after round ${board.rounds.length}.` })
  expect(board.rounds.length).toBeLessThanOrEqual(30)
  expect(board.environment['netWorth']).toBeGreaterThanOrEqual(1000)
  expect(board.rounds.at(-2)?.environment['netWorth']).toBeLessThan(1000)
  const effects = board.rounds.flatMap(({ cells }) => cells.flatMap((cell) => cell.effects))
  expect(effects.filter(({ status }) => status !== 'done')).toEqual([])
  expect([...new Set(effects.map(({ tool }) => tool))].toSorted()).toEqual([
    'advertise',
    'buy_cups',
    'buy_ice',
    'buy_lemons',
    'buy_sugar',
    'check_forecast',
    'make_lemonade',
    'repay_loan',
    'set_price',
    'take_loan',
  ])
})

test('the books balance: what a day changes is what was bought and sold, the rent and the interest', () => {
  let before = board.initial
  for (const { round, environment: after, cells } of board.rounds) {
    const spent = cells
      .flatMap(({ effects }) => effects)
      .reduce((sum, { tool, input }) => sum + costOf(tool, input, Number(after['lemonCost'])), 0)
    expect(after['cash'], `day ${round}`).toBeCloseTo(
      Number(before['cash']) - spent + Number(after['sold']) * Number(after['price']) - 5,
      6,
    )
    expect(after['netWorth'], `day ${round}`).toBeCloseTo(Number(after['cash']) - Number(after['debt']), 6)
    expect(after['sold'], `day ${round}`).toBeLessThanOrEqual(Number(after['customers']))
    expect(['hot', 'sunny', 'cloudy', 'rainy']).toContain(after['weather'])
    before = after
  }
  expect(board.rounds.slice(0, 2).map(({ environment }) => environment['debt'])).toEqual([100, 102])
})

test('the same seed is the same world at every round, another seed another one', async () => {
  const [same, other] = await Promise.all([played({ seed: 7 }), played({ seed: 8, rounds: 8 })])
  const environments = ({ rounds }: Board): unknown[] => rounds.map(({ environment }) => environment)
  const hashes = ({ rounds }: Board): string[] =>
    rounds.flatMap(({ cells }) => cells.flatMap(({ calls }) => calls.map(({ hash }) => hash)))
  const weather = ({ rounds }: Board): unknown[] => rounds.slice(0, 8).map(({ environment }) => environment['weather'])
  expect(environments(same)).toEqual(environments(board))
  expect(hashes(same)).toEqual(hashes(board))
  expect(weather(other)).not.toEqual(weather(board))
})

test('a vendor who does nothing is broke when the rent has eaten the cash', async () => {
  const idle = await played({ model: scriptedModel(Array.from({ length: 30 }, () => 'I wait.')) })
  expect(idle).toMatchObject({
    status: 'failure',
    reason: 'broke was reached after round 13.',
    environment: { cash: -5, sold: 0 },
  })
})

test('a model by configuration: it is asked with the name, options and window of the file, with a seed for each day, and never told the sky', async () => {
  await using upstream = await strictUpstream({ answer: ({ messages }) => sell({ messages }), window: 4096 })
  const { code, stdout, stderr } = await program('lemonade-stand', { OLLAMA_HOST: upstream.url })()
  expect([code, stderr]).toEqual([0, ''])
  // Without ids of calls, as Ollama has none, the month is the very same.
  expect(shownIn(page, stdout)).toEqual([])
  expect(upstream.requests[0]?.json).toMatchObject({
    model: 'gemma3:4b',
    options: { temperature: 0, num_ctx: 4096 },
  })
  const seeds = upstream.requests.map(({ json }) => (json as { options: { seed: number } }).options.seed)
  expect([seeds.length, new Set(seeds).size, seeds.every(Number.isInteger)]).toEqual([87, 29, true])
  expect(upstream.requests.every(({ status }) => status === 200)).toBe(true)
  expect(upstream.requests.some(({ text }) => text.includes('sky'))).toBe(false)
})

test('the program prints what its page shows', async () => {
  const { code, stdout } = await program('lemonade-stand', {})('--scripted')
  expect(code).toBe(0)
  expect(shownIn(page, stdout)).toEqual([])
})

/** What a call takes out of the till; below zero for what it puts in. */
function costOf(tool: string, input: Readonly<Record<string, unknown>>, lemon: number): number {
  const [count, dollars] = [Number(input['count'] ?? 0), Number(input['dollars'] ?? 0)]
  switch (tool) {
    case 'buy_lemons':
      return count * lemon
    case 'buy_sugar':
      return count * 0.1
    case 'buy_cups':
    case 'buy_ice':
      return count * 0.05
    case 'advertise':
    case 'repay_loan':
      return dollars
    case 'take_loan':
      return -dollars
    case 'check_forecast':
      return 1
    default:
      return 0
  }
}
