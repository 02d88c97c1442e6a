import type { Heard } from '@minutebook/experiment/run'

/** Where the cells of a run are drawn, in pixels. */
export interface CellPlaces {
  /** The lane of each participant, from the top. */
  readonly lanes: readonly string[]
  /** The top of the first lane, and the height of each. */
  readonly top: number
  readonly lane: number
  readonly column: number
  /** The left edge of a round; undefined if it is not drawn. */
  readonly left: (round: number) => number | undefined
}

/** An arrow from one cell to another. */
export interface Arrow {
  readonly from: string
  readonly to: string
  readonly said: number
  readonly path: string
  /** The point of the arrow, and the direction in which it points. */
  readonly tip: string
  /** The middle of the dot at which it begins. */
  readonly dot: { readonly x: number; readonly y: number }
}

/**
 * Arrows for what participants tell each other: straight down or up within a round, a curve to a later one. What is told
 * twice is drawn once; what was not heard yet has no arrow.
 */
export function arrowsOf(tellings: readonly Heard[], places: CellPlaces): readonly Arrow[] {
  const distinct = new Map(tellings.map((each) => [`${each.from} ${each.to} ${each.said} ${each.heard}`, each]))
  return [...distinct.values()].flatMap((telling) => arrowOf(telling, places) ?? [])
}

function arrowOf({ from, to, said, heard }: Heard, places: CellPlaces): Arrow | undefined {
  const { lanes, top, lane, column, left } = places
  if (heard === undefined) return undefined
  const [teller, hearer, start, end] = [lanes.indexOf(from), lanes.indexOf(to), left(said), left(heard)]
  if (teller < 0 || hearer < 0 || start === undefined || end === undefined) return undefined
  const middle = (index: number): number => top + index * lane + lane / 2
  if (said === heard) {
    const x = rounded(start + column - Math.min(inset, column / 4))
    const down = hearer > teller ? 1 : -1
    const [y1, y2] = [rounded(middle(teller) + (down * lane) / 4), rounded(middle(hearer) - (down * lane) / 3)]
    return {
      from,
      to,
      said,
      path: `M${x} ${y1}V${y2}`,
      tip: `M${x} ${y2}l-${size} ${-down * 2 * size}h${2 * size}z`,
      dot: { x, y: y1 },
    }
  }
  const x1 = rounded(start + column - Math.min(inset, column / 4))
  const x2 = rounded(end + 1)
  const [y1, y2] = [rounded(middle(teller)), rounded(middle(hearer))]
  const bend = rounded(Math.max(6, (x2 - x1) / 2))
  return {
    from,
    to,
    said,
    path: `M${x1} ${y1}C${rounded(x1 + bend)} ${y1} ${rounded(x2 - bend)} ${y2} ${x2} ${y2}`,
    tip: `M${x2} ${y2}l${-2 * size} -${size}v${2 * size}z`,
    dot: { x: x1, y: y1 },
  }
}

/** Pixels: the distance of an arrow from the right edge of its cell, and half the width of its point. */
const inset = 4
const size = 3

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
