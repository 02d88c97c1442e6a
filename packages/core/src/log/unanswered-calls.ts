import type { Call, Content } from './message.ts'

/**
 * The calls of an answer that have no result yet. A value: removing a call returns another one, which shares nearly all
 * of its memory, so that each entry of a log can keep its own. Finding and removing a call takes logarithmic time,
 * however many calls an answer has.
 */
export class UnansweredCalls {
  readonly length: number
  readonly #issued: readonly Call[]
  #remaining: Remaining | undefined

  constructor(issued: readonly Call[], remaining?: Remaining) {
    this.#issued = issued
    this.#remaining = remaining
    this.length = remaining?.count ?? issued.length
  }

  /** The calls in their order. It takes time in proportion to their number: read it once a step, not for each result. */
  get calls(): readonly Call[] {
    if (this.length === this.#issued.length) return this.#issued
    const { index, tree } = this.#rest()
    return placesIn(tree, index.size, [0, this.#issued.length])
      .toSorted((one, other) => one - other)
      .map((place) => this.#issued[place]!)
  }

  /** True if each of them has an id of its own. If not, results are matched by name, in the order of the calls. */
  get haveOwnIds(): boolean {
    return this.#rest().ids === this.length
  }

  /**
   * Finds the call that a result answers: by id if both sides have one, then by name, then in order, as Ollama's clients
   * mean it. Returns it with the calls that remain. Undefined if the result answers none of them.
   */
  answeredBy({
    answers = {},
  }: Pick<Content, 'answers'>): { readonly call: Call; readonly open: UnansweredCalls } | undefined {
    if (this.length === 0) return undefined
    const place = this.#placeOf(answers)
    if (place === none) return undefined
    return { call: this.#issued[place]!, open: new UnansweredCalls(this.#issued, without(this.#rest(), place)) }
  }

  #placeOf({ id, name }: NonNullable<Content['answers']>): number {
    const { index, tree } = this.#rest()
    const first = (range: Range | undefined): number => (range ? firstIn(tree, index.size, range) : none)
    const byId = id === undefined ? none : first(index.byId.get(id))
    if (byId !== none) return byId
    const unnumbered = name === undefined ? none : first(index.unnumbered.get(name))
    const numbered = id !== undefined || name === undefined ? none : first(index.numbered.get(name))
    const byName = Math.min(unnumbered, numbered)
    if (byName !== none) return byName
    if (id !== undefined) return first(index.byId.get(undefined))
    return name === undefined ? first([0, this.#issued.length]) : none
  }

  #rest(): Remaining {
    return (this.#remaining ??= remainingOf(this.#issued))
  }
}

export const noCalls: UnansweredCalls = new UnansweredCalls([])

/** Which calls of an answer remain. `ids`: how many different ids these have. */
interface Remaining {
  readonly index: CallIndex
  readonly tree: Tree
  readonly count: number
  readonly ids: number
}

/**
 * Where calls are in the tree. Each call has two leaves: one among those with its id, one among those with its name. The
 * groups of ids come first, then the groups of names. In a group, calls are in their order.
 */
interface CallIndex {
  /** Leaves. */
  readonly size: number
  readonly byId: ReadonlyMap<string | undefined, Range>
  /** The names of calls without an id. */
  readonly unnumbered: ReadonlyMap<string, Range>
  /** The names of calls with an id. */
  readonly numbered: ReadonlyMap<string, Range>
  /** The two leaves of each call. */
  readonly leaves: readonly (readonly [number, number])[]
  readonly issued: readonly Call[]
}

/** From, to. */
type Range = readonly [number, number]

/** A binary tree over places of calls: a leaf is the place of a call or `none`, an inner node knows the first place. */
type Tree = number | { readonly first: number; readonly left: Tree; readonly right: Tree }

const none = Infinity

function remainingOf(issued: readonly Call[]): Remaining {
  const order: number[] = []
  const places = [...issued.keys()]
  const byId = grouped(places, (place) => issued[place]!.id, order)
  const [unnumbered, numbered] = [false, true].map((isNumbered) =>
    grouped(
      places.filter((place) => (issued[place]!.id !== undefined) === isNumbered),
      (place) => issued[place]!.name,
      order,
    ),
  ) as [Map<string, Range>, Map<string, Range>]
  const leaves: [number, number][] = issued.map(() => [0, 0])
  for (const [leaf, place] of order.entries()) leaves[place]![leaf < issued.length ? 0 : 1] = leaf
  const ids = byId.size - (byId.has(undefined) ? 1 : 0)
  const index = { size: order.length, byId, unnumbered, numbered, leaves, issued }
  return { index, tree: treeOf(order, 0, order.length), count: issued.length, ids }
}

/** Adds the places to `order`, group by group. Returns the range of each group. */
function grouped<K>(places: readonly number[], keyOf: (place: number) => K, order: number[]): Map<K, Range> {
  const groups = new Map<K, number[]>()
  for (const place of places) {
    const key = keyOf(place)
    const group = groups.get(key)
    if (group) group.push(place)
    else groups.set(key, [place])
  }
  const ranges = new Map<K, Range>()
  for (const [key, group] of groups) {
    ranges.set(key, [order.length, order.length + group.length])
    for (const place of group) order.push(place)
  }
  return ranges
}

function without({ index, tree, count, ids }: Remaining, place: number): Remaining {
  const [byId, byName] = index.leaves[place]!
  const rest = cleared(cleared(tree, index.size, byId), index.size, byName)
  const { id } = index.issued[place]!
  const isLast = id !== undefined && firstIn(rest, index.size, index.byId.get(id)!) === none
  return { index, tree: rest, count: count - 1, ids: isLast ? ids - 1 : ids }
}

function treeOf(order: readonly number[], from: number, to: number): Tree {
  if (to - from <= 1) return order[from] ?? none
  const middle = (from + to) >>> 1
  return joined(treeOf(order, from, middle), treeOf(order, middle, to))
}

function joined(left: Tree, right: Tree): Tree {
  return { first: Math.min(firstOf(left), firstOf(right)), left, right }
}

function firstOf(tree: Tree): number {
  return typeof tree === 'number' ? tree : tree.first
}

/** The tree without the call of this leaf. */
function cleared(tree: Tree, size: number, leaf: number): Tree {
  if (typeof tree === 'number') return none
  const middle = size >>> 1
  return leaf < middle
    ? joined(cleared(tree.left, middle, leaf), tree.right)
    : joined(tree.left, cleared(tree.right, size - middle, leaf - middle))
}

/** The first place in a range of leaves. */
function firstIn(tree: Tree, size: number, [from, to]: Range): number {
  if (from >= to || from >= size || to <= 0) return none
  if (typeof tree === 'number' || (from <= 0 && to >= size)) return firstOf(tree)
  const middle = size >>> 1
  return Math.min(
    firstIn(tree.left, middle, [from, Math.min(to, middle)]),
    firstIn(tree.right, size - middle, [Math.max(0, from - middle), to - middle]),
  )
}

/** All places in a range of leaves. */
function placesIn(tree: Tree, size: number, [from, to]: Range, found: number[] = []): number[] {
  if (from >= to || from >= size || to <= 0 || firstOf(tree) === none) return found
  if (typeof tree === 'number') found.push(tree)
  else {
    const middle = size >>> 1
    placesIn(tree.left, middle, [from, Math.min(to, middle)], found)
    placesIn(tree.right, size - middle, [Math.max(0, from - middle), to - middle], found)
  }
  return found
}
