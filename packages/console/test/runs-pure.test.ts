import { boardOf, defineExperiment, goalLinesOf, type Board } from '@minutebook/experiment/run'
import { scriptedModel } from '@minutebook/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { laboratory } from '../../../tests/support/experiment/laboratory.ts'
import { withChange } from '../src/api/run-board.ts'
import { isOver } from '../src/api/runs.ts'
import { heightOf, labelHeight, lineOf, rangeOf, roundStep, ticksOf } from '../src/runs/axis.ts'
import { lineAt } from '../src/runs/begin-dialog.tsx'
import { groupsOf } from '../src/compare/compared-rounds.tsx'
import { fieldsOf, patchOf, typedText, typedValue } from '../src/runs/fork-dialog.tsx'
import { cellAt, gridOf, moved } from '../src/runs/grid.ts'
import { numberText, stretchesOf, variablesOf } from '../src/runs/series.ts'
import { chipsIn } from '../src/runs/participant-row.tsx'
import { canBe, statuses } from '../src/runs/status.tsx'
import { barsOf } from '../src/runs/strip.tsx'
import { fittingColumn } from '../src/runs/use-columns.ts'

const counting = defineExperiment({
  name: 'counting',
  environment: {
    total: { type: 'integer', initial: 0 },
    mood: { type: 'text', initial: 'calm' },
    isLate: { type: 'boolean', initial: false },
  },
  participants: { ann: { model: { name: 'm' }, tools: ['add'] }, bob: { model: { name: 'm' } } },
  tools: {
    add: { parameters: { type: 'object', properties: {} }, changes: ({ total }) => ({ total: Number(total) + 5 }) },
  },
  hooks: { roundEnd: (_, { round }) => (round === 2 ? { mood: 'tense', isLate: true } : {}) },
  limits: { rounds: 2 },
})

const facts = { model: 'm', wire: 'openai' } as const

/** Two rounds of two participants, really run. */
async function played(): Promise<Board> {
  const models = {
    ann: scriptedModel(
      [
        {
          calls: [
            { name: 'add', arguments: {} },
            { name: 'add', arguments: {} },
          ],
        },
        'Ten now.',
        'I rest.',
      ],
      facts,
    ),
    bob: scriptedModel(['Bob here.', 'Bob again.'], facts),
  }
  const lab = await laboratory([counting], (name) => models[name as 'ann' | 'bob'])
  const board = await lab.play('one', counting)
  await lab.close()
  return board
}

test('a grid has every participant at every round, with tokens, tools and first words', async () => {
  const board = await played()
  const grid = gridOf(board)
  expect(grid.size).toBe(4)
  expect(cellAt(grid, 'ann', 1)).toMatchObject({
    status: 'complete',
    words: 'Ten now.',
    tools: [{ tool: 'add', count: 2, isVain: false }],
  })
  expect(cellAt(grid, 'bob', 2)).toMatchObject({ status: 'complete', words: 'Bob again.', tools: [] })
  expect(cellAt(grid, 'ann', 1)!.prompt).toBe(
    board.rounds[0]!.cells[0]!.calls.reduce((sum, { prompt }) => sum + prompt, 0),
  )
  expect(cellAt(grid, 'ann', 3)).toBeUndefined()
})

describe('whose turn it is before anything of it is on record', () => {
  const column = (
    play: 'sequence' | 'parallel' | 'addressed',
    done: readonly string[],
    isOver = false,
  ): Board['rounds'][number] => ({
    round: 1,
    name: 'talk',
    play,
    order: ['ann', 'bob', 'cy'],
    isOver,
    environment: {},
    cells: done.map((participant) => ({
      participant,
      turn: 0,
      status: 'complete' as const,
      text: '',
      calls: [],
      effects: [],
    })),
  })
  const participants = ['ann', 'bob', 'cy', 'dan'].map((name) => ({
    name,
    model: 'm',
    thread: name,
    spending: { calls: 0, prompt: 0, completion: 0 },
  }))
  const seen = (status: Board['status'], round: Board['rounds'][number]): string =>
    [...gridOf({ status, participants, rounds: [round] }).values()].map((cell) => cell.status).join(' ')

  test.each([
    ['sequence', [], false, 'running', 'playing waiting waiting idle'],
    ['sequence', ['ann'], false, 'running', 'complete playing waiting idle'],
    ['sequence', ['ann'], false, 'paused', 'complete waiting waiting idle'],
    ['parallel', ['bob'], false, 'running', 'playing complete playing idle'],
    ['addressed', [], false, 'running', 'playing waiting waiting idle'],
    ['addressed', ['ann'], false, 'running', 'complete waiting waiting idle'],
    ['addressed', ['ann'], true, 'running', 'complete idle idle idle'],
  ] as const)('%s, done %j, over %s, %s: %s', (play, done, isOver, status, expected) => {
    expect(seen(status, column(play, done, isOver))).toBe(expected)
  })
})

test('numbers are lines and all else is bands, in the order of their first change', async () => {
  const board = await played()
  expect(variablesOf(board)).toEqual({
    changing: [
      { kind: 'line', name: 'total', values: [0, 10, 10] },
      { kind: 'band', name: 'mood', texts: ['calm', 'calm', 'tense'] },
      { kind: 'band', name: 'isLate', texts: ['false', 'false', 'true'] },
    ],
    constant: [],
  })
  expect(variablesOf({ ...board, rounds: board.rounds.slice(0, 1) })).toEqual({
    changing: [{ kind: 'line', name: 'total', values: [0, 10] }],
    constant: [
      { name: 'mood', text: 'calm' },
      { name: 'isLate', text: 'false' },
    ],
  })
})

test('a run that goes on adds variables at the end', () => {
  const value = fc.constantFrom<number | string | boolean | null>(1, 2, 'a', 'b', true, null)
  const environment = fc.record({ a: value, b: value, c: value, d: value })
  fc.assert(
    fc.property(fc.array(environment, { minLength: 2, maxLength: 8 }), ([initial, ...environments]) => {
      const rounds = environments.map((each) => ({ environment: each })) as unknown as Board['rounds']
      const namesAfter = (count: number): readonly string[] =>
        variablesOf({ initial: initial!, rounds: rounds.slice(0, count) }).changing.map(({ name }) => name)
      for (let count = 1; count <= rounds.length; count++) {
        const before = namesAfter(count - 1)
        expect(namesAfter(count).slice(0, before.length).toSorted()).toEqual(before.toSorted())
      }
    }),
  )
})

test('a text is one stretch for as long as it stays', () => {
  expect(stretchesOf(['a', 'a', 'b', 'a'])).toEqual([
    { from: 0, to: 1, text: 'a' },
    { from: 2, to: 2, text: 'b' },
    { from: 3, to: 3, text: 'a' },
  ])
  expect(stretchesOf([])).toEqual([])
})

test.each([
  [0, '0'],
  [1234.5678, '1,234.57'],
  [0.12345, '0.1235'],
  [1e-9, '1.00e-9'],
  [-3, '-3'],
])('%d is written %s', (value, text) => {
  expect(numberText(value)).toBe(text)
})

test.each([
  ['cash >= 1000', ['cash ≥ 1000']],
  ['(cash >= 1000.5) && debt == 0', ['cash ≥ 1000.5', 'debt = 0']],
  ['0 > cash || round > 3', ['cash < 0', 'round > 3']],
  ['5 >= debt && 1000 <= cash', ['debt ≤ 5', 'cash ≥ 1000']],
  ['cash - debt > 5', []],
  ['weather == "rainy"', []],
  ['size(stock) > 3', []],
])('the goal %s draws %j', (expression, lines) => {
  expect(
    goalLinesOf({ goals: { success: { goal: expression } } }).map(
      ({ variable, sign, value }) => `${variable} ${sign} ${value}`,
    ),
  ).toEqual(lines)
})

test.each([undefined, null, 'text', [], {}, { goals: [] }, { goals: { success: [{ name: 'a' }] } }])(
  'no lines from %j',
  (definition) => {
    expect(goalLinesOf(definition)).toEqual([])
  },
)

test('a line runs through the middle of each column, and is broken if there is no value or no column', () => {
  const at = (...indices: readonly number[]) => indices.map((index) => ({ index, start: index * 100, size: 100 }))
  const y = (value: number): number => 50 - value * 5
  expect(lineOf([0, 10], at(0, 1), y)).toBe('M50 50L150 0')
  expect(lineOf([0, null, 5], at(0, 1, 2), y)).toBe('M50 50M250 25')
  expect(lineOf([0, 1, 2, 3, 4], at(0, 1, 4), y)).toBe('M50 50L150 45M450 30')
  expect(lineOf([null], at(0), y)).toBe('')
})

test('the numbers of an axis are round, within its range, and told apart', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.array(fc.oneof(number, fc.integer()), { minLength: 1 }), (values) => {
      const range = rangeOf(values, [])
      const ticks = ticksOf(range, 3)
      expect(ticks.length).toBeLessThanOrEqual(4)
      for (const { value } of ticks) expect(value >= range.low && value <= range.high).toBe(true)
      for (const { value } of ticks) expect(Number.isFinite(heightOf(value, range, 72))).toBe(true)
    }),
  )
  expect(ticksOf({ low: -4, high: 54 }, 3).map(({ text }) => text)).toEqual(['0', '20', '40'])
  expect(ticksOf({ low: 0, high: 3_400_000 }, 3).map(({ text }) => text)).toEqual(['0', '2M'])
  expect(new Set(ticksOf({ low: 1e7, high: 1e7 + 3 }, 3).map(({ text }) => text)).size).toBe(4)
})

test('the text of a point keeps away from the line of a goal', () => {
  expect(labelHeight(40, [], 72)).toBe(34)
  expect(labelHeight(40, [30], 72)).toBe(54)
  expect(labelHeight(4, [], 72)).toBe(18)
  expect(labelHeight(68, [], 72)).toBe(62)
})

test.each([
  [180, 28, 1],
  [10, 28, 5],
  [2, 28, 20],
  [0.05, 28, 1000],
])('in columns of %d pixels with %d for a number, every %d-th round has one', (column, room, step) => {
  expect(roundStep(column, room)).toBe(step)
})

test('all rounds fit the width', () => {
  const sizes = { names: 196, start: 56, column: 180 }
  expect(fittingColumn(1225, 100, sizes)).toBe(10)
  expect(fittingColumn(1225, 3, sizes)).toBe(180)
  expect(fittingColumn(0, 3, sizes)).toBe(180)
  fc.assert(
    fc.property(fc.integer({ min: 230, max: 4000 }), fc.integer({ min: 1, max: 100_000 }), (room, rounds) => {
      expect(sizes.names + 28 + rounds * fittingColumn(room, rounds, sizes)).toBeLessThanOrEqual(room)
    }),
  )
})

test('a strip has a bar for each turn, at its own height for each status', async () => {
  const grid = gridOf(await played())
  const cells = [cellAt(grid, 'ann', 1), undefined, { ...cellAt(grid, 'ann', 2)!, status: 'failed' as const }]
  const startOf = (index: number): number => index * 10
  expect(barsOf(cells, 'complete', 10, startOf)).toBe('M10 8h9v10h-9z')
  expect(barsOf(cells, 'failed', 10, startOf)).toBe('M30 3h9v20h-9z')
  expect(barsOf(cells, 'complete', 0.1, startOf)).toBe('M10 8h1v10h-1z')
})

test('tools that can be read are named, and the others are counted', () => {
  const tools = ['check_weather', 'advertise', 'buy', 'buy_ice', 'sell'].map((tool) => ({
    tool,
    count: tool === 'buy' ? 4 : 1,
    isVain: false,
  }))
  expect(chipsIn(tools, 180)).toEqual({ shown: [{ text: 'check_weather', isVain: false }], more: 4 })
  expect(chipsIn(tools.slice(2), 180).shown.map(({ text }) => text)).toEqual(['buy ×4', 'buy_ice'])
  expect(chipsIn([], 180)).toEqual({ shown: [], more: 0 })
})

test('every value and every goal is within the plot', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
  fc.assert(
    fc.property(fc.array(fc.option(number)), fc.array(number), (values, lines) => {
      const range = rangeOf(values, lines)
      expect(range.high).toBeGreaterThan(range.low)
      for (const value of [...values, ...lines])
        if (value !== null) expect(heightOf(value, range, 72)).toBeGreaterThanOrEqual(0)
      for (const value of [...values, ...lines])
        if (value !== null) expect(heightOf(value, range, 72)).toBeLessThanOrEqual(72)
    }),
  )
})

test('keys lead from cell to cell and never out of the grid', () => {
  const size = { lanes: 3, columns: 40 }
  expect(moved({ lane: 1, column: 5 }, 'ArrowRight', size)).toEqual({ lane: 1, column: 6 })
  expect(moved({ lane: 1, column: 5 }, 'End', size)).toEqual({ lane: 1, column: 39 })
  expect(moved({ lane: 0, column: 5 }, 'ArrowUp', size)).toEqual({ lane: 0, column: 5 })
  expect(moved({ lane: 1, column: 5 }, 'x', size)).toBeUndefined()
  expect(moved({ lane: 0, column: 0 }, 'End', { lanes: 1, columns: 0 })).toBeUndefined()
  const key = fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End')
  fc.assert(
    fc.property(fc.array(key, { maxLength: 50 }), (keys) => {
      const end = keys.reduce((place, each) => moved(place, each, size)!, { lane: 0, column: 0 })
      expect(end.lane >= 0 && end.lane < 3 && end.column >= 0 && end.column < 40).toBe(true)
    }),
  )
})

test('a change of one field is a merge patch of it alone', () => {
  const definition = { name: 'a', participants: { ann: { model: { name: 'm', seed: 1 }, tools: ['add', 'take'] } } }
  expect(fieldsOf(definition).map(({ path }) => path)).toEqual([
    'name',
    'participants.ann.model.name',
    'participants.ann.model.seed',
    'participants.ann.tools',
  ])
  for (const { names, value } of fieldsOf(definition))
    expect(
      names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], patchOf(names, value)),
    ).toEqual(value)
  for (const { value } of fieldsOf(definition)) expect(typedValue(typedText(value), value)).toEqual(value)
  expect(typedValue('7', 'text')).toBe('7')
  expect(typedValue('7', 3)).toBe(7)
  expect(fieldsOf(undefined)).toEqual([])
})

test('what is alike is one group', () => {
  const round = (number: number, isSame: boolean) => ({
    round: number,
    isSame,
    in: 'both' as const,
    environment: [],
    turns: [],
  })
  const groups = groupsOf([round(1, true), round(2, true), round(3, false), round(4, false), round(5, true)])
  expect(
    groups.map((group) => (group.kind === 'alike' ? `${group.from}-${group.to}` : `≠${group.round.round}`)),
  ).toEqual(['1-2', '≠3', '≠4', '5-5'])
})

test('a board with its changes is the board that is read whole', async () => {
  const lab = await laboratory([counting], (name) => scriptedModel([`${name} speaks`], facts))
  await lab.play('one', counting)
  const run = lab.experiments.run('one')
  const [events, begun] = await Promise.all([run.events(), run.begun()])
  const boards = events.map((_, index) => boardOf('one', begun, events.slice(0, index + 1)))
  let held = boards[0]!
  for (const board of boards.slice(1)) {
    const before = held
    held = withChange(before, {
      ...board,
      rounds: board.rounds.filter(
        (column) =>
          JSON.stringify(column) !== JSON.stringify(before.rounds.find(({ round }) => round === column.round)),
      ),
    })
    expect(held).toEqual(board)
  }
  expect(held.rounds).toHaveLength(2)
  await lab.close()
})

test('what can be wanted of a run depends on how it stands', () => {
  expect(statuses.filter((status) => canBe(status, 'pause'))).toEqual(['running', 'waiting'])
  expect(statuses.filter((status) => canBe(status, 'retry'))).toEqual(['stopped', 'error'])
  expect(statuses.filter((status) => !isOver(status))).toEqual(['running', 'waiting', 'paused', 'stopping'])
})

test.each([
  ['a\nbc\nd', 2, 'bc'],
  ['a\nbc\nd', 9, 'd'],
  ['', 1, ''],
])('in %j line %i is %j', (text, line, found) => {
  const { from, to } = lineAt(text, line)
  expect(text.slice(from, to)).toBe(found)
})
