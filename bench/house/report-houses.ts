import { table } from '../markdown.ts'
import { columns, type House } from './measure-house.ts'

export interface Measured {
  readonly house: House | undefined
  /** Bytes that an installation takes; undefined if they were not asked for. */
  readonly installed: number | undefined
}

/** The figures of one package: as it is, and as it was in the commit that it is held against. */
export interface Compared {
  readonly name: string
  readonly before?: Measured
  readonly now: Measured
}

const figures: readonly (readonly [name: string, figure: (house: House) => string | number])[] = [
  ['files', ({ files }) => files],
  ['lines', ({ lines }) => grouped(lines.all)],
  ['rooms', ({ rooms }) => rooms],
  ['floors', ({ floors }) => floors],
  ['arrows between rooms', ({ arrows }) => arrows],
  ['upward arrows', ({ upward }) => upward.length],
  ['import cycles', ({ cycles }) => cycles.length],
  ['lines a file: median', ({ lines }) => lines.median],
  ['lines a file: p90', ({ lines }) => lines.p90],
  ['lines a file: max', ({ lines }) => lines.max],
  ['longest import chain', ({ chain }) => chain],
  [`lines over ${columns} columns`, ({ longLines }) => longLines.length],
  ['public names', ({ names }) => Object.values(names).reduce((sum, { values, types }) => sum + values + types, 0)],
]

/** All figures as Markdown; then, one by one, what should not be there. */
export function reportHouses(compared: readonly Compared[]): string {
  const sides = compared.flatMap(({ name, before, now }) => [
    ...(before ? [{ heading: `${name} before`, ...before }] : []),
    { heading: before ? `${name} now` : name, ...now },
  ])
  const rows = figures.map(([name, figure]) => [
    name,
    ...sides.map(({ house }) => (house ? String(figure(house)) : '–')),
  ])
  rows.push([
    'installed',
    ...sides.map(({ installed }) =>
      installed === undefined ? 'not built' : `${grouped(Math.round(installed / 1000))} kB`,
    ),
  ])
  const note = compared.some(({ now }) => now.installed !== undefined)
    ? ''
    : '\n\n`--installed` builds a copy and says how much an installation takes.'
  return [
    `# The house in figures`,
    table(['', ...sides.map(({ heading }) => heading)], rows) + note,
    `## Public names`,
    nameTable(compared),
    ...findings(compared),
  ].join('\n\n')
}

function nameTable(compared: readonly Compared[]): string {
  const rows = compared.flatMap(({ before, now }) => {
    const entries = new Set([...Object.keys(before?.house?.names ?? {}), ...Object.keys(now.house?.names ?? {})])
    return [...entries].map((entry) => [
      entry,
      ...[...(before ? [before] : []), now].flatMap(({ house }) => namesIn(house, entry)),
    ])
  })
  const headings = ['values', 'types', 'all']
  return table(
    [
      'entry point',
      ...(compared.every(({ before }) => before === undefined)
        ? headings
        : [...headings.map((heading) => `${heading} before`), ...headings.map((heading) => `${heading} now`)]),
    ],
    rows,
  )
}

function namesIn(house: House | undefined, entry: string): string[] {
  const found = house?.names[entry]
  return found ? [found.values, found.types, found.values + found.types].map(String) : ['–', '–', '–']
}

/** What should not be there, one by one, as it is now. */
function findings(compared: readonly Compared[]): string[] {
  const listed = compared.flatMap(({ name, now: { house } }) => [
    ...(house?.upward ?? []).map((arrow) => `- ${name}: upward: ${arrow}`),
    ...(house?.cycles ?? []).map((cycle) => `- ${name}: cycle: ${cycle}`),
  ])
  return listed.length === 0 ? [] : ['## Upward arrows and cycles', listed.join('\n')]
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
