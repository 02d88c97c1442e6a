import { createRandom } from './random.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Labelled {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly strong: boolean
}

export interface Label extends Labelled {
  readonly box: Box
  /** The line from a label that stands far off to its point; empty when it stands close. */
  readonly leader: readonly Spot[]
}

export interface Spot {
  readonly x: number
  readonly y: number
}

const lineHeight = 14
/** Generous, since the reader's font is not known. */
const characterWidth = { plain: 7, strong: 7.6 }
const pointRadius = 6

/**
 * A place for each label near its point, over no other label, leader, point or obstacle, in the order of the points.
 * Places are given one after the other; of many orders tried, the tidiest wins.
 */
export function placeLabels(points: readonly Labelled[], bounds: Box, obstacles: readonly Box[] = []): Label[] {
  const random = createRandom(1)
  let best: Label[] | undefined
  for (let attempt = 0; attempt < 300; attempt++) {
    const placed = placeInOrder(attempt === 0 ? points : random.shuffled(points), points, bounds, obstacles)
    if (placed !== undefined && (best === undefined || untidiness(placed, obstacles) < untidiness(best, obstacles))) best = placed
  }
  if (best === undefined) throw new Error(`No room for the labels ${points.map(({ text }) => text).join(', ')}.`)
  const found = best
  return points.map((point) => found.find(({ text }) => text === point.text) as Label)
}

function placeInOrder(order: readonly Labelled[], points: readonly Labelled[], bounds: Box, obstacles: readonly Box[]): Label[] | undefined {
  const placed: Label[] = []
  for (const point of order) {
    const own = around(point, pointRadius)
    const labels = placed.map(({ box }) => box)
    const taken = [...labels, ...obstacles, ...points.map((other) => around(other, pointRadius)), ...placed.flatMap(({ leader }) => boxesAlong(leader))]
    // Leaders of points that lie on each other cannot but touch them.
    const inTheWay = [...labels, ...points.map((other) => around(other, 2)).filter((box) => !overlap(box, own))]
    const place = candidates(point).find(
      ({ box, leader }) => contains(bounds, box) && isFree(box, taken) && boxesAlong(leader).every((step) => isFree(step, inTheWay)),
    )
    if (place === undefined) return undefined
    placed.push({ ...point, ...place })
  }
  return placed
}

function isFree(box: Box, taken: readonly Box[]): boolean {
  return !taken.some((other) => overlap(box, other))
}

/** Long leaders are untidy, and crossed ones more so. */
function untidiness(labels: readonly Label[], obstacles: readonly Box[]): number {
  const leaders = labels.map(({ leader }) => boxesAlong(leader))
  const length = leaders.reduce((total, boxes) => total + boxes.length, 0)
  const crossed = leaders.filter((boxes, index) => boxes.slice(2).some((box) => !isFree(box, [...obstacles, ...leaders.filter((_, other) => other !== index).flat()])))
  return length + 20 * crossed.length
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.left + other.width && other.left < one.left + one.width && one.top < other.top + other.height && other.top < one.top + one.height
}

/** Small boxes along a line of spots, so that no label is put across it. */
export function boxesAlong(spots: readonly Spot[]): Box[] {
  return spots.slice(1).flatMap((to, index) => {
    const from = spots[index] ?? to
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 4))
    return Array.from({ length: steps }, (_, step) => {
      const share = step / steps
      return { left: from.x + (to.x - from.x) * share - 1, top: from.y + (to.y - from.y) * share - 1, width: 2, height: 2 }
    })
  })
}

function candidates({ x, y, text, strong }: Labelled): Pick<Label, 'box' | 'leader'>[] {
  const width = text.length * (strong ? characterWidth.strong : characterWidth.plain)
  const found: Pick<Label, 'box' | 'leader'>[] = []
  for (let distance = pointRadius + 2; distance < 240; distance += 6) {
    for (let step = 0; step < 24; step++) {
      const angle = (step * Math.PI) / 12
      const sideways = Math.cos(angle)
      const left = x + sideways * distance - (sideways > 0.3 ? 0 : sideways < -0.3 ? width : width / 2)
      const top = y + Math.sin(angle) * distance - lineHeight / 2
      const box = { left, top, width, height: lineHeight }
      found.push({ box, leader: distance > pointRadius + 10 ? [{ x, y }, nearest(box, { x, y })] : [] })
    }
  }
  return found
}

function nearest({ left, top, width, height }: Box, { x, y }: Spot): Spot {
  return { x: Math.min(Math.max(x, left), left + width), y: Math.min(Math.max(y, top), top + height) }
}

function around({ x, y }: Spot, radius: number): Box {
  return { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius }
}

function contains(outer: Box, inner: Box): boolean {
  return inner.left >= outer.left && inner.top >= outer.top && inner.left + inner.width <= outer.left + outer.width && inner.top + inner.height <= outer.top + outer.height
}
