export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Mark {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** One label above its marks, their texts from left to right. */
export interface Label<M extends Mark = Mark> {
  readonly marks: readonly M[]
  readonly box: Box
}

/** Generous, since the reader's font is not known. */
const lineHeight = 15
const characterWidth = 7.5
const blankWidth = 4
const markRadius = 5

/** Marks whose labels would lie on another label or mark share one label, so there is always room. */
export function placeLabels<M extends Mark>(marks: readonly M[], right: number): Label<M>[] {
  return marks.reduce<Label<M>[]>((labels, mark) => join(labels, labelOf([mark], right), right), [])
}

function join<M extends Mark>(labels: readonly Label<M>[], added: Label<M>, right: number): Label<M>[] {
  const other = labels.find((label) => covers(label, added) || covers(added, label))
  if (other === undefined) return [...labels, added]
  const shared = labelOf([...other.marks, ...added.marks], right)
  return join(
    labels.filter((label) => label !== other),
    shared,
    right,
  )
}

/** Starts above the leftmost mark, but ends by `right`. */
function labelOf<M extends Mark>(unsorted: readonly M[], right: number): Label<M> {
  const marks = unsorted.toSorted((one, other) => one.x - other.x)
  const width = marks.reduce((total, { text }) => total + characterWidth * text.length + blankWidth, 0)
  const left = Math.min(...marks.map(({ x }) => x - markRadius), right - width)
  const top = Math.min(...marks.map(({ y }) => y - markRadius)) - lineHeight
  return { marks, box: { left, top, width, height: lineHeight } }
}

function covers({ box }: Label, other: Label): boolean {
  return [other.box, ...other.marks.map(boxOf)].some((taken) => overlap(box, taken))
}

function boxOf({ x, y }: Mark): Box {
  return { left: x - markRadius, top: y - markRadius, width: 2 * markRadius, height: 2 * markRadius }
}

export function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  )
}
