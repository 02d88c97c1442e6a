import { expect, test } from 'vitest'
import { emptyTally, play, type Tally } from './support/play.ts'
import { cuttingKinds, honestKinds, type ServerKind } from './support/servers.ts'

/** For each kind: `npm run test:truncation` takes 200. */
const conversations = Number(process.env['TRUNCATION_CONVERSATIONS'] ?? 25)

const played = (kind: ServerKind): Tally => {
  const tally = emptyTally()
  for (let number = 0; number < conversations; number++) play(kind, number, tally)
  return tally
}

test('a server that cuts is named, one that does not is not, and one that cannot show it is unknown', () => {
  const kinds = [...cuttingKinds, ...honestKinds]
  const rows = kinds.map((kind) => ({ kind, ...played(kind) }))
  console.table(rows.map(({ kind, ...row }) => ({ server: `${kind.cuts ? 'cuts' : 'honest'}: ${kind.name}`, ...row })))
  const showing = rows.filter(({ kind }) => kind.cuts && kind.shows)
  const sum = (of: (row: Tally) => number, list: readonly Tally[] = showing): number =>
    list.reduce((total, row) => total + of(row), 0)
  const [cut, inThree, named, near] = [
    sum((row) => row.cut),
    sum((row) => row.inThree),
    sum((row) => row.named),
    sum((row) => row.near),
  ]
  console.log(
    `of ${cut} conversations with servers whose count shows a cut, ${inThree} named it within three calls (${share(inThree, cut)}); the window was within 3% in ${near} of ${named} (${share(near, named)})`,
  )
  expect(kinds.length).toBe(24)
  expect(sum((row) => row.alarms, rows)).toBe(0)
  // Of few conversations one is already more than a hundredth.
  expect(inThree / cut).toBeGreaterThanOrEqual(conversations < 200 ? 0.97 : 0.99)
  expect(near / named).toBeGreaterThanOrEqual(0.99)
  for (const row of rows.filter(({ kind }) => kind.cuts && !kind.shows))
    expect({ kind: row.kind.name, yes: row.yes, no: row.no }).toEqual({ kind: row.kind.name, yes: 0, no: 0 })
  // Else nobody looked: honest servers whose protocol says that they count what they read are said to be so.
  for (const row of rows.filter(({ kind }) => !kind.cuts && kind.shows && kind.countsRead === true))
    expect(row.no).toBeGreaterThan(row.calls / 2)
  expect(sum((row) => row.learntCut)).toBe(0)
  expect(sum((row) => row.learnt)).toBeGreaterThan(sum((row) => row.calls) / 2)
})

function share(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)}%`
}
