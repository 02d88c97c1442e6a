import type { OutcomeRow, OutcomeTable, RunSeries } from '@minutebook/experiment/run'
import { outcomeColumns } from '@minutebook/experiment/run'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { consoleFolder } from '../../../tests/support/browser/built.ts'
import { searchText } from '../src/app/address.ts'
import { drawingOf, type Figure } from '../src/compare/figure.ts'
import { spread } from '../src/compare/line-shapes.ts'
import { lineColours, linesOf, lookOf } from '../src/compare/lines.ts'
import { sortedBy } from '../src/compare/outcome-table.tsx'
import { svgText } from '../src/picture/svg.ts'
import { elementsOf } from './support/xml.ts'

const row = (run: string, facts: Partial<OutcomeRow> = {}): OutcomeRow => ({
  run,
  name: 'stand',
  seed: 1,
  status: 'success',
  round: 3,
  models: ['m'],
  spending: { calls: 1, prompt: 10, completion: 1 },
  turns: 3,
  clipped: 0,
  omitted: 0,
  shortWindows: 0,
  final: {},
  group: 0,
  differs: {},
  ...facts,
})

const tableOf = (...rows: readonly OutcomeRow[]): OutcomeTable => ({ runs: rows, fields: [], variables: [], goals: [] })

const seriesOf = (run: string, ...values: readonly (number | null)[]): RunSeries => ({
  run,
  variable: 'cash',
  points: values.map((value, round) => [round, value] as const),
})

describe('the lines of a figure', () => {
  const seeds = (count: number): readonly OutcomeRow[] =>
    Array.from({ length: count }, (_, index) => row(`s${index}`, { seed: index }))

  test('are those of the runs, or one mean with a band if more than six differ only in their seeds', () => {
    const six = seeds(6)
    expect(
      linesOf(
        tableOf(...six),
        six.map(({ run }) => seriesOf(run, 1, 2)),
        undefined,
      ),
    ).toHaveLength(6)
    const seven = seeds(7)
    const series = seven.map(({ run }, index) => seriesOf(run, 0, index))
    expect(linesOf(tableOf(...seven), series, undefined)).toMatchObject([
      {
        label: 'mean of 7 runs',
        points: [
          [0, 0],
          [1, 3],
        ],
        band: [
          [0, 0, 0],
          [1, 0, 6],
        ],
      },
    ])
    expect(linesOf(tableOf(...seven), series, 'each')).toHaveLength(7)
  })

  test('a mean is of the runs that played a round, and says from when on some are over', () => {
    const two = seeds(2)
    const [line] = linesOf(tableOf(...two), [seriesOf('s0', 0, 10, 20), seriesOf('s1', 0, 20)], 'mean')
    expect(line).toMatchObject({
      whole: 1,
      points: [
        [0, 0],
        [1, 15],
        [2, 20],
      ],
    })
  })

  test('a fork leaves its parent where it was forked, and keeps its own past if the parent is not there', () => {
    const fork = row('b', { forked: { run: 'a', round: 3 }, group: 1 })
    const all = [seriesOf('a', 1, 2, 3, 4), seriesOf('b', 1, 2, 9, 16)]
    expect(linesOf(tableOf(row('a'), fork), all, undefined)[1]).toMatchObject({
      leaves: [2, 9],
      points: [
        [2, 9],
        [3, 16],
      ],
    })
    expect(linesOf(tableOf(fork), [all[1]!], undefined)[0]!.points).toHaveLength(4)
  })

  test('look different, also without colours if they are neighbours', () => {
    const looks = Array.from({ length: 35 }, (_, index) => lookOf(index))
    expect(new Set(looks.map(({ colour, dash }) => `${colour} ${dash}`)).size).toBe(35)
    for (const [index, { dash }] of looks.entries()) if (index > 0) expect(dash).not.toBe(looks[index - 1]!.dash)
  })
})

test.each([
  ['light', /:root, \.on-paper \{([^}]*)\}/],
  ['dark', /:root\[data-theme='dark'\] \{([^}]*)\}/],
])('the colours of lines are seen on the ground of the %s theme', (_, block) => {
  const text = block.exec(readFileSync(join(consoleFolder, 'src/app/theme.css'), 'utf8'))![1]!
  const colour = (name: string): string => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)![1]!
  for (const ground of ['surface', 'page'])
    for (const name of lineColours)
      expect.soft(contrast(colour(name), colour(ground)), `${name} on ${ground}`).toBeGreaterThan(3)
  // As people see them who see no red, or no green.
  for (const blindness of [protanopia, deuteranopia])
    for (const [index, one] of lineColours.slice(0, 5).entries())
      for (const other of lineColours.slice(index + 1, 5))
        expect.soft(distance(colour(one), colour(other), blindness), `${one}, ${other}`).toBeGreaterThan(30)
})

function channels(colour: string): readonly [number, number, number] {
  return [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16)) as never
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((left, right) => left - right)
  return (high! + 0.05) / (low! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(colour: string): readonly [number, number, number] {
  return channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as never
}

type Matrix = readonly (readonly [number, number, number])[]
/** Machado, Oliveira and Fernandes 2009, severity 1. */
const protanopia: Matrix = [
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
]
const deuteranopia: Matrix = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]

/** Between two colours as they are seen, in steps of a channel. */
function distance(one: string, other: string, seen: Matrix): number {
  const shown = (colour: string): readonly number[] =>
    seen.map((weights) => {
      const value = weights.reduce((sum, weight, index) => sum + weight * linear(colour)[index]!, 0)
      return 255 * Math.max(0, Math.min(1, value)) ** (1 / 2.2)
    })
  const [left, right] = [shown(one), shown(other)]
  return Math.hypot(...left.map((value, index) => value - right[index]!))
}

test('names at the ends of lines are never on another', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 10 }), (wanted) => {
      const heights = spread(
        wanted.toSorted((one, other) => one - other),
        12,
        [0, 200],
      )
      for (const [index, height] of heights.entries()) {
        expect(height <= 200 && height >= -1).toBe(true)
        if (index > 0) expect(height - heights[index - 1]!).toBeGreaterThanOrEqual(12)
      }
    }),
  )
})

const figure = (label: string, values: readonly (number | null)[]): Figure => ({
  title: label,
  unit: label,
  lines: linesOf(tableOf(row('a'), row(label)), [seriesOf('a', 1, 2), seriesOf(label, ...values)], 'each'),
  goals: [{ name: label, kind: 'success', variable: 'cash', sign: '≥', value: 5 }],
})

describe('an SVG file', () => {
  const fileOf = (label: string, values: readonly (number | null)[], width = 720): string =>
    svgText(drawingOf(figure(label, values), width), { title: label, colourOf: () => '#000000' })

  test('has axes, ticks, a line for each run, names and the goal', () => {
    const elements = elementsOf(fileOf('b', [1, 3, 9]))
    const texts = elements.filter(({ name }) => name === 'text').map(({ text }) => text)
    for (const text of ['round', 'b', 'a', '0', '1', '2', '⚑ b ≥ 5']) expect(texts).toContain(text)
    expect(elements[0]).toMatchObject({ name: 'svg', attributes: { viewBox: expect.stringMatching(/^0 0 720 \d/) } })
  })

  test.each([
    '</text><script>alert(1)</script>',
    '" onload="alert(1)',
    ']]><x>&#x0;&bogus;',
    '\u0000\u001b[31m\ufffe\ud800',
    '<?xml?><!DOCTYPE x [<!ENTITY a "b">]>&a;',
    'שלום عربى 漢字 👩‍👩‍👧',
    'x'.repeat(5000),
  ])('has the hostile name %j as text alone, and is well-formed', (name) => {
    const elements = elementsOf(fileOf(name, [1, 2, 3]))
    expect(new Set(elements.map((element) => element.name))).toEqual(
      new Set(['svg', 'title', 'rect', 'path', 'circle', 'text']),
    )
    const attributes = elements.flatMap((element) => Object.keys(element.attributes))
    expect(attributes.filter((attribute) => /^on|href|style|class/.test(attribute))).toEqual([])
  })

  test('of whatever values and width is made of finite numbers', () => {
    const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant(null))
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 30 }),
        fc.string({ maxLength: 40 }),
        fc.integer({ min: 280, max: 1400 }),
        (values, label, width) => {
          const file = fileOf(label, values, width)
          const numbers = elementsOf(file).flatMap(({ attributes: { d = '', x = '', y = '', cx = '', cy = '' } }) =>
            [d, x, y, cx, cy].join(' '),
          )
          expect(numbers.filter((text) => /NaN|Infinity|undefined/.test(text))).toEqual([])
        },
      ),
    )
  })
})

test('a table is sorted by the numbers, texts and gaps of a column, in both directions', () => {
  const table = tableOf(
    row('s10', { final: { cash: 3 } }),
    row('s2', { final: { cash: 11 } }),
    row('s1', { final: {} }),
  )
  const columns = outcomeColumns(table, ['cash'])
  const order = (sort: string | undefined): string =>
    sortedBy(table.runs, columns, sort)
      .map(({ run }) => run)
      .join(' ')
  expect([undefined, 'run', '-run', 'final.cash', '-final.cash', 'nothing'].map(order)).toEqual([
    's10 s2 s1',
    's1 s2 s10',
    's10 s2 s1',
    's10 s2 s1',
    's2 s10 s1',
    's10 s2 s1',
  ])
})

test.each([
  [
    { runs: 'a b.1 c-2', variables: 'cash netWorth', lines: 'mean', sort: '-final.cash' },
    '?runs=a+b.1+c-2&variables=cash+netWorth&lines=mean&sort=-final.cash',
  ],
  [{ runs: 'a <b> a "c"' }, '?runs=a'],
  [{ lines: 'other', sort: 'what was said', only: 'words' }, ''],
  [
    { runs: Array.from({ length: 300 }, (_, index) => `r${index}`).join(' ') },
    `?runs=${Array.from({ length: 100 }, (_, index) => `r${index}`).join('+')}`,
  ],
])('the address of %j is %s', (search, address) => {
  expect(searchText.stringifySearch(search)).toBe(address)
})
