/** What is read of a node of a syntax tree. */
export interface Node {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly key?: Node
  readonly id?: Node
  readonly init?: Node
  readonly callee?: Node
  readonly arguments?: readonly Node[]
  readonly properties?: readonly Node[]
  readonly elements?: readonly Node[]
  readonly quasis?: readonly Node[]
  readonly consequent?: Node
  readonly alternate?: Node
}

/** A tree, node by node, each before those within it. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const below of Object.values(value)) yield* nodesIn(below)
}
