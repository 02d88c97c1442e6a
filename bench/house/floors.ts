import { groupsOf, targetsOf, type Graph } from '../../tests/support/graph.ts'

export type Arrow = readonly [from: string, to: string]

export interface Floors {
  /** Of each node; 1 is the ground. A node is above all that it imports, except by arrows that run upward. */
  readonly floors: ReadonlyMap<string, number>
  /** The arrows without which nothing would import itself in a circle, few of them. */
  readonly upward: readonly Arrow[]
}

/** Puts each node above all that it imports. */
export function floorsOf(graph: Graph): Floors {
  const upward = upwardArrows(graph)
  const without = upward.reduce(cut, graph)
  const floors = new Map<string, number>()
  // Without circles each group is one node, and comes after all that it imports.
  for (const [node = ''] of groupsOf(without)) {
    const below = targetsOf(without, node).map((target) => floors.get(target) ?? 0)
    floors.set(node, 1 + below.reduce((highest, floor) => Math.max(highest, floor), 0))
  }
  return { floors, upward }
}

/**
 * Takes one arrow after the other out of the circles: the one that leaves the fewest nodes in circles, and of such the
 * one with the fewest imports.
 */
function upwardArrows(graph: Graph): Arrow[] {
  const taken: Arrow[] = []
  let left = graph
  for (;;) {
    const circles = groupsOf(left).filter((group) => group.length > 1)
    if (circles.length === 0) return taken
    const best = circles.flatMap((circle) => choicesIn(part(left, new Set(circle)))).toSorted(cheaper)[0]
    if (best === undefined) return taken
    taken.push(best.arrow)
    left = cut(left, best.arrow)
  }
}

interface Choice {
  readonly arrow: Arrow
  /** How many nodes of its circle are in none without it. */
  readonly freed: number
  readonly imports: number
}

const cheaper = (one: Choice, other: Choice): number => other.freed - one.freed || one.imports - other.imports

function choicesIn(circle: Graph): Choice[] {
  return [...circle].flatMap(([from, targets]) =>
    [...targets].map(([to, imports]): Choice => {
      const remaining = groupsOf(cut(circle, [from, to]))
        .filter((group) => group.length > 1)
        .flat()
      return { arrow: [from, to], freed: circle.size - remaining.length, imports }
    }),
  )
}

function cut(graph: Graph, [from, to]: Arrow): Graph {
  return new Map(
    [...graph].map(([node, targets]) => [
      node,
      node === from ? new Map([...targets].filter(([target]) => target !== to)) : targets,
    ]),
  )
}

function part(graph: Graph, nodes: ReadonlySet<string>): Graph {
  return new Map(
    [...nodes].map((node) => [node, new Map([...(graph.get(node) ?? [])].filter(([target]) => nodes.has(target)))]),
  )
}
