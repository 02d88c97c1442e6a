/** Who imports whom: for each node the nodes that it imports, with the number of imports. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>

/** A node does not import itself: what a room's files take of each other is the room's own matter. */
export function graphOf(nodes: readonly string[], pairs: readonly (readonly [string, string])[]): Graph {
  const graph = new Map(nodes.map((node) => [node, new Map<string, number>()]))
  for (const [from, to] of pairs) if (from !== to) graph.get(from)?.set(to, (graph.get(from)?.get(to) ?? 0) + 1)
  return graph
}

/**
 * The nodes in groups that import each other in a circle, most of them alone; a group comes after all that it imports.
 * (Tarjan's algorithm.)
 */
export function groupsOf(graph: Graph): string[][] {
  const numbers = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const groups: string[][] = []
  const visit = (node: string): number => {
    const own = numbers.size
    let lowest = own
    numbers.set(node, own)
    open.push(node)
    isOpen.add(node)
    for (const target of targetsOf(graph, node)) {
      const known = numbers.get(target)
      if (known === undefined) lowest = Math.min(lowest, visit(target))
      else if (isOpen.has(target)) lowest = Math.min(lowest, known)
    }
    if (lowest === own) {
      const group = open.splice(open.indexOf(node))
      for (const each of group) isOpen.delete(each)
      groups.push(group)
    }
    return lowest
  }
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node)
  return groups
}

export const targetsOf = (graph: Graph, node: string): string[] => [...(graph.get(node)?.keys() ?? [])]
