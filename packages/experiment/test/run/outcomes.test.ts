import fc from 'fast-check'
import {
  boardOf,
  courseOf,
  csvLine,
  leadingVariables,
  outcomeColumns,
  outcomeCsv,
  outcomeGroups,
  outcomeTable,
  seriesCsv,
  spreadOf,
  type Begun,
  type Recorded,
  type RunEvent,
  type TableRun,
  type Value,
} from '@minutebook/experiment/run'
import { describe, expect, test } from 'vitest'
import { csvRows } from '../../../../tests/support/csv.ts'
import { begun, effect, played, round, roundEnd } from './support/happenings.ts'

const goals = { success: { rich: 'cash >= 30' } }

/** A run of so many rounds, in each of which ann earns what the seed says, and is asked with a clip. */
function playedRun(run: string, seed: number, rounds: number, facts: Partial<Begun> = {}): TableRun {
  const definition = facts.definition ?? { seed, goals, participants: { ann: { model: 'm' } } }
  const events: RunEvent[] = [
    begun({ cash: 20, town: 'Prague' }, { seed, definition, participants: { ann: 'm' }, ...facts }),
    ...Array.from({ length: rounds }, (_, index) => [
      round(index + 1, 'sequence', {}, ['ann']),
      effect(index + 1, 'ann', 0, { cash: 20 + seed * (index + 1) }),
      played(index + 1, 'ann', {
        calls: [
          {
            receipt: 'r',
            hash: 'h',
            prompt: 100,
            completion: 10,
            verdicts: { verbatim: 1, clipped: 1, omitted: index },
            turn: { question: 'clipped', verdicts: { clipped: 1 } },
          },
        ],
      }),
      roundEnd(index + 1),
    ]).flat(),
    { type: 'ended', outcome: 'success', reason: `rich was reached after round ${rounds}.`, at: 1 },
  ]
  const recorded = events.map((event, seq) => ({ ...event, seq })) as [Recorded<Begun>, ...Recorded[]]
  return { course: courseOf(boardOf(run, recorded[0], recorded)), definition }
}

test('an outcome is a board without its rounds, and a course has the numbers over them', () => {
  const { course } = playedRun('one', 2, 3)
  expect(course.outcome).toEqual({
    run: 'one',
    name: 'e',
    seed: 2,
    status: 'success',
    reason: 'rich was reached after round 3.',
    round: 3,
    models: ['m'],
    spending: { calls: 3, prompt: 300, completion: 30 },
    turns: 3,
    clipped: 3,
    omitted: 2,
    shortWindows: 0,
    final: { cash: 26, town: 'Prague' },
  })
  expect([...course.series]).toEqual([['cash', [20, 22, 24, 26]]])
  expect([...course.changing]).toEqual(['cash'])
})

test('a long value is cut in an outcome, and so is one that differs in a definition', () => {
  const long = (end: string): string => `${'x'.repeat(5000)}${end}`
  const of = (run: string, end: string): TableRun =>
    playedRun(run, 1, 1, { environment: { book: long(end) }, definition: { system: long(end) } })
  const table = outcomeTable([of('one', 'a'), of('two', 'b')])
  expect(JSON.stringify(table).length).toBeLessThan(4000)
  expect(table.fields).toEqual(['system'])
  const [left, right] = table.runs.map(({ differs }) => differs['system'] as string)
  expect([left!.endsWith('xa'), right!.endsWith('xb')]).toEqual([true, true])
})

describe('a table', () => {
  const cold = { goals, participants: { ann: { model: { name: 'm', temperature: 0 } } } }
  const hot = { goals, participants: { ann: { model: { name: 'm', temperature: 0.7 } } } }
  const table = outcomeTable([
    playedRun('cold-1', 1, 3, { definition: { seed: 1, ...cold } }),
    playedRun('hot-1', 1, 4, { definition: { seed: 1, ...hot } }),
    playedRun('cold-2', 2, 5, { definition: { seed: 2, ...cold } }),
  ])

  test('has the fields that differ, but not the seed, and groups runs that differ in nothing else', () => {
    expect(table.fields).toEqual(['participants.ann.model.temperature'])
    expect(table.runs.map(({ group, differs }) => [group, Object.values(differs)])).toEqual([
      [0, [0]],
      [1, [0.7]],
      [0, [0]],
    ])
    expect(outcomeGroups(table).map(({ label, runs: members }) => [label, members.map(({ run }) => run)])).toEqual([
      ['temperature 0', ['cold-1', 'cold-2']],
      ['temperature 0.7', ['hot-1']],
    ])
    expect(table.goals).toEqual([{ name: 'rich', kind: 'success', variable: 'cash', sign: '≥', value: 30 }])
    expect(table.variables).toEqual([
      { name: 'cash', isNumber: true, changes: true },
      { name: 'town', isNumber: false, changes: false },
    ])
  })

  test('says nothing of definitions if one of them may not be seen', () => {
    const other = outcomeTable([
      { course: playedRun('cold', 1, 3, { definition: cold }).course },
      playedRun('hot', 1, 3, { definition: hot }),
    ])
    expect([other.fields, other.runs.map(({ differs }) => differs)]).toEqual([undefined, [{}, {}]])
    expect(outcomeTable([{ course: playedRun('cold', 1, 3, { definition: cold }).course }]).goals).toEqual([])
  })

  test('keeps a fork apart from the runs that were played from the start, and the order of play counts', () => {
    const two = { ann: { model: 'm' }, bob: { model: 'm' } }
    const forked = outcomeTable([
      playedRun('one', 1, 3),
      playedRun('fork', 1, 3, { forked: { run: 'one', round: 2 } }),
      playedRun('there', 1, 3, { definition: { participants: two } }),
      playedRun('back', 1, 3, { definition: { participants: { bob: two.bob, ann: two.ann } } }),
    ])
    expect(forked.runs.map(({ group }) => group)).toEqual([0, 1, 2, 3])
  })

  test('shows the columns that tell the runs apart, and exports all of them', () => {
    expect(
      outcomeColumns(table, ['cash'])
        .filter(({ isShown }) => isShown)
        .map(({ id }) => id),
    ).toEqual([
      'run',
      'set.participants.ann.model.temperature',
      'model',
      'seed',
      'rounds',
      'status',
      'result',
      'prompt_tokens',
      'completion_tokens',
      'calls',
      'clipped_turns',
      'omitted_turns',
      'final.cash',
    ])
    const [head, first] = csvRows(outcomeCsv(table).join('\n'))
    expect(Object.fromEntries(head!.map((name, index) => [name, first![index]]))).toMatchObject({
      run: 'cold-1',
      experiment: 'e',
      'set.participants.ann.model.temperature': '0',
      seed: '1',
      rounds: '3',
      turns: '3',
      cost: '',
      'final.town': 'Prague',
    })
  })

  test('has its series in rows for a program of statistics', () => {
    const points = [
      [0, 20],
      [1, 21.5],
    ] as const
    expect(csvRows(seriesCsv(table, [{ run: 'hot-1', variable: 'cash', points }]).join('\n'))).toEqual([
      ['run', 'experiment', 'model', 'seed', 'group', 'round', 'variable', 'value'],
      ['hot-1', 'e', 'm', '1', '1', '0', 'cash', '20'],
      ['hot-1', 'e', 'm', '1', '1', '1', 'cash', '21.5'],
    ])
    expect(leadingVariables(table, 3)).toEqual(['cash'])
  })

  test('does not say twice that the models differ', () => {
    const of = (model: string): TableRun =>
      playedRun(model, 1, 2, { definition: { participants: { ann: { model } } }, participants: { ann: model } })
    const models = outcomeTable([of('small'), of('large')])
    expect(models.fields).toEqual(['participants.ann.model'])
    expect(outcomeColumns(models, []).filter(({ id, isShown }) => isShown && id.startsWith('set.'))).toEqual([])
    expect(outcomeGroups(models).map(({ label }) => label)).toEqual(['small', 'large'])
  })
})

test('a spread is that of its numbers, however large, and nothing else counts', () => {
  expect(spreadOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
    count: 8,
    mean: 5,
    deviation: Math.sqrt(32 / 7),
    low: 2,
    high: 9,
  })
  expect(spreadOf(['a', null, undefined, NaN])).toBeUndefined()
  expect(spreadOf([3])).toEqual({ count: 1, mean: 3, deviation: 0, low: 3, high: 3 })
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
      const { mean, low, high, count } = spreadOf(values)!
      expect([count, low, high]).toEqual([values.length, Math.min(...values), Math.max(...values)])
      expect(mean >= low && mean <= high).toBe(true)
    }),
  )
})

test('any text is one field of a CSV file that begins no formula', () => {
  const hostile = fc.constantFrom(
    '=1+1',
    '@SUM(A1)',
    '+1',
    '-1',
    ' =1',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '"=1"',
    'a"b,c\r\nd',
  )
  const value = fc.oneof(
    hostile,
    fc.string({ unit: fc.constantFrom('=', '+', '"', ',', '\n', '\r', '\t', ' ', 'a', '\u0000') }),
    fc.string(),
    fc.integer(),
    fc.boolean(),
  )
  fc.assert(
    fc.property(fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 }), (rows) => {
      const read = csvRows(rows.map((row) => csvLine(row)).join('\n'))
      const bare = (text: string): string => text.replace(/^'/, '')
      expect(read.map((row) => row.map(bare))).toEqual(rows.map((row) => row.map((written) => bare(String(written)))))
      const formulas = rows.flatMap((row, index) =>
        row.filter((written, at) => typeof written === 'string' && /^\s*[=+\-@＝＋－＠]/.test(read[index]![at]!)),
      )
      expect(formulas).toEqual([])
    }),
  )
  expect(csvLine([-1, null, undefined, { a: '=1' } as Value])).toBe('-1,,,"{""a"":""=1""}"')
})
