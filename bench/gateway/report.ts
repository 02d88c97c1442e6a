import { middle, table } from '../markdown.ts'
import { added, mean, ratio, ratios, type Round } from './figures.ts'
import type { Load } from './load.ts'

const lagTarget = 1.25
const firstTarget = 1.3
const zero: Round = { lag50: 0, lag99: 0, first50: 0, first99: 0, end50: 0, processor: 0 }

export const published: string =
  'Published by others, of a whole request and on other machines: LiteLLM adds 2–12 ms; Portkey levels off near 850 requests a second; TensorZero adds 0.19 ms (p50).'

/** By side and round, the bare upstream first. */
export function resultTable(names: readonly string[], times: readonly Round[][]): string {
  const [bare = []] = times
  const rows = names.map((name, side) => {
    const own = times[side] ?? []
    const cell = (field: keyof Round): string =>
      side === 0
        ? `(${micro(
            added(
              own,
              own.map(() => zero),
              field,
            ),
          )})`
        : micro(added(own, bare, field))
    return [
      name,
      cell('lag50'),
      cell('lag99'),
      cell('first50'),
      cell('first99'),
      cell('end50'),
      side === 0 ? '' : micro(mean(own, 'processor')),
    ]
  })
  return table(
    ['added, in µs (bare: whole)', 'a delta p50', 'p99', 'first token p50', 'p99', 'the end p50', 'processor, a delta'],
    rows,
  )
}

/** What is promised, and what a chat costs: for the sides bare upstream, tap, tap and append, gateway. */
export function verdict(
  [bare = [], tap = [], recorder = [], gateway = []]: readonly Round[][],
  deltas: number,
): string {
  const line = (what: string, value: number, beside: string, target?: number): string =>
    `- ${what}: ${value.toFixed(2)} × ${beside}${target === undefined ? '' : ` (at most ${target}: ${value <= target ? 'yes' : 'no'})`}`
  return [
    line('added lag of a delta, p50', ratio(gateway, tap, bare, 'lag50'), 'the tap', lagTarget),
    line('added lag of a delta, p99', ratio(gateway, tap, bare, 'lag99'), 'the tap'),
    line(
      'added time to the first token, p50',
      ratio(gateway, recorder, bare, 'first50'),
      'the tap and one append',
      firstTarget,
    ),
    line('processor, a delta', mean(gateway, 'processor') / mean(tap, 'processor'), 'the tap'),
    `- processor, a chat of ${deltas} deltas: ${micro((mean(gateway, 'processor') - mean(tap, 'processor')) * deltas)} µs more than the tap`,
  ].join('\n')
}

/** The two promised figures of each load, with their range over the rounds; by load, side and round. */
export function summary(loads: readonly Load[], times: readonly Round[][][]): string {
  const rows = loads.map(({ streams, path }, index) => {
    const [bare = [], tap = [], recorder = [], gateway = []] = times[index] ?? []
    return [
      `${path}, ${streams} streams`,
      middle(ratios(gateway, recorder, bare, 'first50')),
      middle(ratios(gateway, tap, bare, 'lag50')),
      (mean(gateway, 'processor') / mean(tap, 'processor')).toFixed(2),
    ]
  })
  return table(
    [
      'p50, as a multiple (rounds)',
      `first token, of the tap and one append (at most ${firstTarget})`,
      `lag of a delta, of the tap (at most ${lagTarget})`,
      'processor of a delta, of the tap',
    ],
    rows,
  )
}

function micro(value: number): string {
  return Number.isNaN(value) ? '–' : `${Math.round(value)}`
}
